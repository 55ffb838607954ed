import { expect, test } from 'vitest'
import { fights, frameOf, landIn, spots } from './fronts'
import { count, fought, losses, months } from './record'
import { chapter, sunk } from './samples'

const WAR = [
  chapter(1, { kind: 'month', named: 'August 1942', when: 'August 1942', held: { lae: 0, buna: 1 } }),
  chapter(2, { taken: [{ place: 'buna', by: 0, seq: 250 }], lost: [[], [sunk('cv_wasp', 'CV')]], counts: { air: [2, 0] } }),
  chapter(3, { kind: 'month', when: 'September 1942', figures: { merchants: 5, msp: 55 } }),
  chapter(4, { when: 'September 1942, day 9', lost: [[], [sunk('cv_hornet', 'CV')]], where: ['lae', '4937'] }),
]

test('a month has what stands at its end, and what changed hands in it', () => {
  const list = months(WAR)

  expect(list.map(({ name, chapters }) => [name, chapters.length])).toEqual([
    ['August 1942', 2],
    ['September 1942', 2],
  ])
  expect(list.map(({ held }) => count(held))).toEqual([
    [2, 0],
    [2, 0],
  ])
  expect(list.map(({ changed }) => [...changed])).toEqual([[['buna', 0]], []])
  expect(list.map(({ shipping, sunk: lost }) => [shipping, lost])).toEqual([
    [undefined, 0],
    [55, 5],
  ])
  expect(fought(WAR, list)).toEqual([{ place: 'buna', of: [1, 0, 0] }])
})

test('losses are told by class and month, a class without any not at all', () => {
  expect(losses(months(WAR))).toEqual([
    {
      kind: 'CV',
      of: [
        [0, 1],
        [0, 1],
      ],
      total: [0, 2],
    },
    {
      kind: 'air steps',
      of: [
        [2, 0],
        [0, 0],
      ],
      total: [2, 0],
    },
  ])
})

test('a small map has all its places in it, and where was fought', () => {
  const places = spots(new Set(['lae', 'buna', 'truk']))
  const { left, top, width, height } = frameOf(places)

  expect(places.map(({ id }) => id).sort()).toEqual(['buna', 'lae', 'truk'])
  expect(places.every(({ x, y }) => x > left && x < left + width && y > top && y < top + height)).toBe(true)
  expect(width / height).toBeGreaterThan(0.79)
  expect(width / height).toBeLessThan(1.51)
  expect(landIn({ left, top, width, height })).toMatch(/^M/)
  expect(fights(months(WAR)[1]!)).toHaveLength(2)
})
