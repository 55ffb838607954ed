import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NO_MATCH, type Told } from '../protocol/wire'
import type { Choice } from '../titles/title'
import { keyOf } from './keep'
import { idle, onlyBots, Passing, type Stretch } from './passing.svelte'

beforeEach(() => localStorage.clear())
afterEach(() => {
  vi.useRealTimers()
})

function given(now: Stretch = { seat: 0, since: 10 }): { passing: Passing; now: Stretch } {
  return { passing: new Passing('m', () => ({ ...now })), now }
}

/** What the browser tells all other tabs. */
const told = (): boolean => dispatchEvent(new StorageEvent('storage', { key: keyOf('m', 'passes') }))

test('it is offered after two passes of one stretch', () => {
  const { passing, now } = given()
  passing.answered(true)
  expect(passing.offered).toBe(false)
  now.since = 20
  passing.answered(true)
  expect(passing.offered).toBe(false)

  passing.answered(true)

  expect([passing.offered, passing.on]).toEqual([true, false])
})

test('the passes of another seat, played from here too, are its own', () => {
  const { passing, now } = given()
  passing.answered(true)
  now.seat = 1
  passing.answered(true)
  expect(passing.offered).toBe(false)
  now.seat = 0

  passing.answered(true)

  expect(passing.offered).toBe(true)
})

test('an answer that is no pass is not counted, and the count begins anew', () => {
  const { passing } = given()
  passing.answered(true)
  passing.answered(false)
  passing.answered(true)

  expect(passing.offered).toBe(false)
})

test('it holds for the seat and the stretch in which it was begun', () => {
  const { passing, now } = given()
  passing.begin()
  expect(passing.on).toBe(true)

  now.seat = 1
  expect(passing.on).toBe(false)
  now.seat = 0
  expect(passing.on).toBe(true)
  now.since = 20
  expect(passing.on).toBe(false)
})

test('an answer of another kind ends it, and so does a word', () => {
  const { passing } = given()
  passing.begin()
  passing.answered(false)
  expect(passing.on).toBe(false)

  passing.begin()
  passing.end()

  expect([passing.on, passing.offered]).toEqual([false, false])
})

test('a page that is loaded anew passes on, after a wait in which it can be seen and ended', () => {
  vi.useFakeTimers()
  given().passing.begin()
  vi.advanceTimersByTime(500)
  const { passing } = given()

  expect([passing.on, passing.offered]).toEqual([true, false])
  expect(passing.wait).toBeGreaterThanOrEqual(7_000)
  vi.advanceTimersByTime(6_000)
  expect(passing.wait).toBeLessThanOrEqual(3_000)

  passing.end()
  passing.begin()
  expect(passing.wait).toBeLessThanOrEqual(3_000)
})

test('another match, and another seat, know nothing of it', () => {
  given().passing.begin()

  expect(given({ seat: 1, since: 10 }).passing.on).toBe(false)
  expect(new Passing('other', () => ({ seat: 0, since: 10 })).on).toBe(false)
})

test('it is begun and ended in all tabs at once', () => {
  const [one, other] = [given().passing, given().passing]
  one.begin()
  told()
  expect(other.on).toBe(true)

  other.end()
  told()

  expect([one.on, one.offered]).toEqual([false, false])
})

test('a tab that is closed hears no more', () => {
  const [one, other] = [given().passing, given().passing]
  other.close()
  one.begin()
  told()

  expect(other.on).toBe(false)
})

test('nothing of it is kept when its stretch is over, nor when the match is', () => {
  const { passing, now } = given()
  const kept = (): string | null => localStorage.getItem(keyOf('m', 'passes'))
  passing.begin()
  // Before the facts are here nothing is known of any stretch.
  now.since = 0
  passing.tidy(false)
  expect(kept()).not.toBeNull()
  now.seat = 1
  now.since = 20
  passing.tidy(false)
  expect(kept()).not.toBeNull()
  now.seat = 0

  passing.tidy(false)
  expect(kept()).toBeNull()

  passing.begin()
  passing.tidy(true)
  expect(kept()).toBeNull()
})

test('the wait is a person’s', () => {
  const { passing } = given()
  passing.begin()
  const waits = Array.from({ length: 200 }, () => passing.wait)

  expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000)
  expect(Math.max(...waits)).toBeLessThanOrEqual(3_000)
  expect(new Set(waits).size).toBeGreaterThan(100)
})

test('who plays against bots alone is told from who plays against a person, or with himself', () => {
  const match = { ...NO_MATCH, seats: [0, 1].map((side) => ({ name: '', side })) }
  const bots = { ...match, taken: { 0: 'bot', 1: 'person' } }

  expect(onlyBots(bots, [1])).toBe(true)
  expect(onlyBots({ ...match, taken: { 0: 'person', 1: 'person' } }, [1])).toBe(false)
  expect(onlyBots({ ...match, taken: { 1: 'person' } }, [1])).toBe(false)
  expect(onlyBots(match, [0, 1])).toBe(false)
  expect(onlyBots({ ...match, taken: { 0: 'bot', 1: 'bot' } }, [])).toBe(false)
})

test('where a card answers, or something was just taken back, nothing is passed unasked', () => {
  const choices = (...leaves: boolean[]): Choice[] => leaves.map((one) => ({ leaves: one }) as Choice)
  const facts = (type: string): Told[] => [{ type } as Told]

  expect(idle(choices(true, true), facts('WindowOpened'))).toBe(true)
  expect(idle(choices(true, false), facts('WindowOpened'))).toBe(false)
  expect(idle(choices(true, true), facts('Undone'))).toBe(false)
  expect(idle([], facts('WindowOpened'))).toBe(false)
})
