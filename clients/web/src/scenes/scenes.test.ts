// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { whole } from '../protocol/view'
import type { TableView, Told } from '../protocol/wire'
import { taste } from '../state/tastes.svelte'
import { title } from '../titles/midway'
import { type Moment, Scenes } from './scenes.svelte'

const views = new Map<number, TableView>()
const view = (upto: number): TableView => views.get(upto) ?? views.set(upto, whole({})).get(upto)!
const told = (seq: number, type = 'Rolled'): Told => {
  const body = JSON.stringify({ type, index: 0, rule: 'M7.6', purpose: 'AA', by: 1, sides: 6, dice: [4], subject: 'KAGA' })
  return { seq, type, words: '', body, at: 0, command: `of ${seq}`, index: 0, ver: 1, audience: 7, salt: '' }
}
/** The match after so many facts, each a roll. */
const moment = (upto: number, head = 0): Moment => ({
  view: view(upto),
  facts: Array.from({ length: upto }, (_, place) => told(place + 1)),
  upto,
  head,
})
const others = (): boolean => false

let scenes: Scenes
beforeEach(() => {
  vi.useFakeTimers()
  taste.setPace('quick')
  scenes = new Scenes()
  scenes.follow(moment(1), title, others)
})
afterEach(() => {
  scenes.end()
  vi.useRealTimers()
})

test('what was there when the match was opened is not shown', () => {
  expect(scenes.now).toBeNull()
})

test('beat follows beat on the table of before, and none tells of the next', () => {
  scenes.follow(moment(3), title, others)

  expect(scenes.now).toMatchObject({ upto: 2, number: 1, of: 2 })
  expect(scenes.now!.view).toBe(view(1))
  expect(scenes.now!.facts.map(({ seq }) => seq)).toEqual([1, 2])
  vi.advanceTimersByTime(1_400)
  expect(scenes.now).toMatchObject({ upto: 3, number: 2, of: 2 })
  vi.advanceTimersByTime(1_400)
  expect(scenes.now).toBeNull()
})

test('what comes meanwhile waits for its turn', () => {
  scenes.follow(moment(2), title, others)
  scenes.follow(moment(3), title, others)

  expect(scenes.now!.upto).toBe(2)
  vi.advanceTimersByTime(1_400)
  expect(scenes.now!.upto).toBe(3)
  expect(scenes.now!.view).toBe(view(2))
})

test('of more than three that wait the old ones are passed over', () => {
  for (const upto of [2, 3, 4, 5]) scenes.follow(moment(upto), title, others)
  expect(scenes.now!.upto).toBe(2)

  scenes.follow(moment(6), title, others)

  expect(scenes.now!.upto).toBe(4)
})

test('whoever has seen enough sees the table as it is', () => {
  scenes.follow(moment(3), title, others)

  scenes.end()

  expect(scenes.now).toBeNull()
  vi.advanceTimersByTime(5_000)
  expect(scenes.now).toBeNull()
})

test('what was missed is not made up for', () => {
  scenes.follow(moment(4, 4), title, others)
  expect(scenes.now).toBeNull()

  scenes.follow(moment(5, 4), title, others)

  expect(scenes.now!.upto).toBe(5)
})

test('with the pace off, and out of sight, nothing is shown', () => {
  taste.setPace('off')
  scenes.follow(moment(2), title, others)
  expect(scenes.now).toBeNull()

  taste.setPace('quick')
  vi.spyOn(document, 'hidden', 'get').mockReturnValueOnce(true)
  scenes.follow(moment(3), title, others)

  expect(scenes.now).toBeNull()
})

test('one’s own decision is shown if dice fell', () => {
  const lost = { ...moment(2), facts: [told(1), told(2, 'GroupLost')] }
  scenes.follow(lost, title, () => true)
  expect(scenes.now).toBeNull()

  scenes.follow({ ...moment(3), facts: [...lost.facts, told(3)] }, title, () => true)

  expect(scenes.now!.upto).toBe(3)
})
