import { expect, test } from 'vitest'
import type { StoryLine } from '../protocol/wire'
import { days, legs } from './story'

const line = (seq: number, words: string, more: Partial<StoryLine> = {}): StoryLine => ({
  seq,
  chapter: 2,
  when: 'August 1942',
  kind: 'moved',
  words,
  ...more,
})

test('legs in a row are one line, which names its last fact', () => {
  const found = legs([line(3, 'Sailed with [J1] to hex 4937'), line(5, 'Sailed with [J1] to [rekata]'), line(9, 'Put into [rabaul]')])

  expect(found.map(({ seq, words }) => [seq, words])).toEqual([
    [5, 'Sailed with [J1] to hex 4937, [rekata]'],
    [9, 'Put into [rabaul]'],
  ])
})

test('a leg of another task force, of another chapter, or after a fight is a line of its own', () => {
  const found = legs([
    line(3, 'Sailed with [J1] to hex 4937'),
    line(4, 'Sailed with [J2] to hex 4938'),
    line(5, 'Sailed with [J2] to hex 4939', { chapter: 3 }),
    line(6, 'Hit [aa_us3] at [rekata]', { kind: 'fought' }),
    line(7, 'Sailed with [J2] to hex 4940', { chapter: 3 }),
  ])

  expect(found.map(({ seq }) => seq)).toEqual([3, 4, 5, 6, 7])
})

test('what happened on one day stands together', () => {
  const found = days([line(1, 'Began at [suva]'), line(2, 'Put to sea in [A1]'), line(9, 'Sank', { when: 'August 1942, day 6' })])

  expect(found.map(({ when, lines }) => [when, lines.length])).toEqual([
    ['August 1942', 2],
    ['August 1942, day 6', 1],
  ])
})
