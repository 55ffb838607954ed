/** How a rating went, as a picture: where each match stands in it, and the lines behind. */

import type { RatingPoint } from '../protocol/wire'

export interface Size {
  width: number
  height: number
}

export interface Drawn {
  /** A path through the ratings. */
  line: string
  /** The area of a deviation to each side. */
  band: string
  last: { x: number; y: number }
  /** Round ratings and where they lie. */
  levels: { rating: number; y: number }[]
}

/** Points of rating that are always in the picture, so that a small change looks small. */
const LEAST = 200

/** Room for the numbers of the levels, and for the dot at the end. */
export const [LEFT, RIGHT, ABOVE] = [44, 8, 8] as const

/** The curve of a rating, which has a match at least, in a picture of some size. */
export function drawn(curve: readonly RatingPoint[], { width, height }: Size): Drawn {
  const ratings = curve.map((point) => point.rating)
  const [low, high] = [Math.min(...ratings), Math.max(...ratings)]
  const spare = Math.max(40, (LEAST - (high - low)) / 2)
  const [bottom, top] = [low - spare, high + spare]
  const [from, to] = [curve[0]!.at, curve.at(-1)!.at]
  const x = (at: number): number => round(LEFT + (to > from ? (at - from) / (to - from) : 1) * (width - LEFT - RIGHT))
  const y = (rating: number): number => round(ABOVE + ((top - rating) / (top - bottom)) * (height - 2 * ABOVE))
  const inside = (rating: number): number => y(Math.min(top, Math.max(bottom, rating)))
  const joined = (points: readonly string[]): string => points.join('L')
  const upper = curve.map((point) => `${x(point.at)} ${inside(point.rating + point.deviation)}`)
  const lower = curve.map((point) => `${x(point.at)} ${inside(point.rating - point.deviation)}`).reverse()
  const last = curve.at(-1)!
  const step = top - bottom > 600 ? 200 : 100
  const levels = []
  for (let rating = Math.ceil(bottom / step) * step; rating <= top; rating += step) levels.push({ rating, y: y(rating) })
  return {
    line: `M${joined(curve.map((point) => `${x(point.at)} ${y(point.rating)}`))}`,
    band: `M${joined([...upper, ...lower])}Z`,
    last: { x: x(last.at), y: y(last.rating) },
    levels,
  }
}

function round(number: number): number {
  return Math.round(number * 10) / 10
}
