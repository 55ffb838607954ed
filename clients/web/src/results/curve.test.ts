import { describe, expect, it } from 'vitest'
import { drawn } from './curve'

const SIZE = { width: 400, height: 160 }
const DAY = 86_400_000_000

/** The y of each point of a line. */
function heights(line: string): number[] {
  return line
    .slice(1)
    .split('L')
    .map((point) => Number(point.split(' ')[1]))
}

describe('the curve of a rating', () => {
  it('goes up where the rating does, and ends at the right', () => {
    const { line, last } = drawn(
      [
        { at: 0, rating: 1500, deviation: 200 },
        { at: DAY, rating: 1600, deviation: 150 },
        { at: 3 * DAY, rating: 1550, deviation: 120 },
      ],
      SIZE,
    )
    const [first, second, third] = heights(line)
    expect(second).toBeLessThan(third!)
    expect(third).toBeLessThan(first!)
    expect(last.x).toBe(392)
  })

  it('is a dot after one match, with its rating in the picture', () => {
    const { line, last, levels } = drawn([{ at: DAY, rating: 1662, deviation: 290 }], SIZE)
    expect(line).toBe(`M${last.x} ${last.y}`)
    expect(last.y).toBe(80)
    expect(levels.map((level) => level.rating)).toEqual([1600, 1700])
  })

  it('has few levels, however far it goes', () => {
    const { levels } = drawn(
      [
        { at: 0, rating: 900, deviation: 60 },
        { at: DAY, rating: 2400, deviation: 60 },
      ],
      SIZE,
    )
    expect(levels.length).toBeLessThanOrEqual(9)
    expect(levels.every(({ y }) => y >= 0 && y <= SIZE.height)).toBe(true)
  })
})
