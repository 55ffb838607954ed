/** How fast a match is played: what is offered, and what a list can be narrowed to. Times are in seconds. */

import type { Clock } from '../protocol/wire'

export interface Pace {
  id: string
  name: string
  clock: Clock | null
  /** It is played over days: neither waits for the other. */
  byTurns: boolean
}

export const PACES: readonly [Pace, ...Pace[]] = [
  { id: 'live', name: 'Live, no clock', clock: null, byTurns: false },
  { id: 'live, 20 minutes', name: 'Live, 20 minutes a side + 10 s', clock: { bank: 1200, increment: 10, cap: 1800 }, byTurns: false },
  { id: 'by turns', name: 'By turns over days, no clock', clock: null, byTurns: true },
  {
    id: 'by turns, 14 days',
    name: 'By turns, 14 days a side + 8 h',
    clock: { bank: 1_209_600, increment: 28_800, cap: 1_814_400 },
    byTurns: true,
  },
]
