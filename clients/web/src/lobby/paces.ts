/** How fast a match is played: what is offered, and what a list can be narrowed to. Times are in seconds. */

import type { Clock, Create } from '../protocol/wire'

export interface Pace {
  id: NonNullable<Create['pace']>
  name: string
  clock: Clock | null
  /** It is played over days: neither waits for the other. */
  byTurns: boolean
  /** Its clock is put together by who offers it. */
  days?: true
}

export const PACES: readonly [Pace, ...Pace[]] = [
  { id: 'live', name: 'Live, no clock', clock: null, byTurns: false },
  { id: 'live, 20 minutes', name: 'Live, 20 minutes a side + 10 s', clock: { bank: 1200, increment: 10, cap: 1800 }, byTurns: false },
  { id: 'by turns', name: 'By turns over days, no clock', clock: null, byTurns: true },
  { id: 'by turns, days', name: 'By turns, with clocks of days', clock: null, byTurns: true, days: true },
]

/** What is chosen of a clock of days. */
export interface Days {
  bank: number
  turn: number
  nights: boolean
  weekends: boolean
}

export const DAYS: Days = { bank: 7, turn: 2, nights: true, weekends: false }

const DAY = 86_400

/** The clock: who waits claims, and nobody keeps more than twice what he began with. */
export function clockOf({ bank, turn, nights, weekends }: Days): Clock {
  return {
    bank: bank * DAY,
    cap: 2 * (bank + turn) * DAY,
    ...(turn ? { turn: turn * DAY } : {}),
    ...(nights ? { nights } : {}),
    ...(weekends ? { weekends } : {}),
    by_claim: true,
  }
}
