import { describe, expect, it } from 'vitest'
import { fanned, gathered, leaning, type StackSpot } from './stacks'

const SIZE = { w: 72, h: 62 }
const stack = (count: number, x = 300, y = 200): StackSpot => ({
  id: 'box',
  ids: Array.from({ length: count }, (_, place) => `G${place}`),
  x,
  y,
  scale: 0.7,
})

describe('gathering', () => {
  const ids = ['A1', 'A2', 'B1', 'B2', 'B3']
  const letter = (id: string): string => id[0]!

  it.each([
    [5, [['A1'], ['A2'], ['B1'], ['B2'], ['B3']]],
    [
      2,
      [
        ['A1', 'A2'],
        ['B1', 'B2', 'B3'],
      ],
    ],
    [1, [ids]],
    [0, [ids]],
  ])('makes as many stacks as there is room for: %d', (room, wanted) => {
    expect(gathered(ids, [letter], (count) => count <= room)).toEqual(wanted)
  })

  it('makes nothing of nothing', () => {
    expect(gathered([], [letter], () => true)).toEqual([])
  })
})

describe('a closed stack', () => {
  it('lies about its place, the uppermost exactly on it', () => {
    for (let count = 2; count <= 29; count++) {
      const spots = leaning(stack(count))

      expect(spots).toHaveLength(count)
      expect(spots.at(-1)).toMatchObject({ x: 300, y: 200 })
      for (const { x, y } of spots) expect(Math.hypot(x - 300, y - 200)).toBeLessThan(14)
    }
  })
})

describe('a stack that is fanned out', () => {
  it.each([
    [300, 200],
    [5, 5],
    [635, 395],
    [320, 390],
  ])('stays on the board and hides no counter, at %d, %d', (x, y) => {
    for (let count = 2; count <= 20; count++) {
      const { spots } = fanned(stack(count, x, y), SIZE, 1.1, { width: 640, height: 1800 })

      expect(spots).toHaveLength(count)
      for (const [place, one] of spots.entries()) {
        expect(one.x - SIZE.w * 0.55).toBeGreaterThanOrEqual(0)
        expect(one.x + SIZE.w * 0.55).toBeLessThanOrEqual(640)
        expect(one.y - SIZE.h * 0.55).toBeGreaterThanOrEqual(0)
        for (const other of spots.slice(place + 1)) {
          expect(Math.abs(one.x - other.x) >= SIZE.w * 1.1 || Math.abs(one.y - other.y) >= SIZE.h * 1.1).toBe(true)
        }
      }
    }
  })

  it('leaves the uppermost where it was clicked', () => {
    const { spots } = fanned(stack(7), SIZE, 1, { width: 640, height: 1800 })
    const far = spots.map((spot) => Math.hypot(spot.x - 300, spot.y - 200))

    expect(far.at(-1)).toBe(Math.min(...far))
  })
})
