import { expect, test } from 'vitest'
import type { Chapter } from '../../../../protocol/wire'
import { chapter, sunk } from './samples'
import { calledOf, lossWords, missed, sumsOf, takenBy, tells } from './sums'

test('of what was lost great ships and single units are named, others counted, steps last', () => {
  const lost: Chapter['lost'] = [
    [sunk('aa_jp1', 'AA'), sunk('cv_kaga', 'CV'), sunk('aa_jp2', 'AA'), sunk('cv_akagi', 'CV'), sunk('dd_jp1', 'DD')],
    [],
  ]

  expect(lossWords({ lost, counts: { air: [3, 1], ground: [0, 1] } }, 0)).toBe('[cv_kaga], [cv_akagi], [dd_jp1], 2 transports, 3 air steps')
  expect(lossWords({ lost, counts: { air: [3, 1], ground: [0, 1] } }, 1)).toBe('1 air step, 1 ground step')
})

test('a place that was taken and lost again in a chapter is nobody’s gain but of who has it at its end', () => {
  const taken = [
    { place: 'buna', by: 0, seq: 3 },
    { place: 'buna', by: 1, seq: 9 },
    { place: 'lae', by: 1, seq: 12 },
  ]

  expect([takenBy({ taken }, 0), takenBy({ taken }, 1)]).toEqual([[], ['buna', 'lae']])
})

test('a chapter sums up when, where, and only what came of it', () => {
  const sums = sumsOf(chapter(2, { days: 11, where: ['rabaul', '4937'], counts: { damage: [4, 6], places: [0, 0] } }))

  expect(sums).toEqual({
    when: 'August 1942, day 4 · 11 days',
    where: '[rabaul], hex 4937',
    sides: [],
    points: [{ words: 'Damage points', of: [4, 6] }],
    shipping: '',
  })
  expect(sumsOf(chapter(3, { figures: { merchants: 5, msp: 55 } })).shipping).toBe('5 merchant points sunk, 55 left')
})

test('who comes back is told of every Operation that he missed in part, and of other chapters if something came of them', () => {
  const list = [
    chapter(1),
    chapter(2),
    chapter(3, { kind: 'bids', named: 'Bids', counts: { places: [7, 1] } }),
    chapter(4, { kind: 'month', named: 'September 1942' }),
  ]

  expect(missed(list, 150).map(({ number }) => number)).toEqual([1, 2, 3])
  expect(missed(list, 199).map(({ number }) => number)).toEqual([2, 3])
  expect(tells(list[3]!)).toBe(false)
  expect(list.map(calledOf).slice(2)).toEqual(['August 1942 ends', 'September 1942'])
})
