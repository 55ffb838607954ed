/** When little time is left, as the server has it for its notices (`low_of` in `domain/match/clock.py`): both are held to
 * `fixtures/low.json`. */

import type { Clock } from '../protocol/wire'

/** Whether a seat with such a clock has little time left; never without one. */
export function isLow(microseconds: number, clock: Clock | null): boolean {
  if (!clock) return false
  const most = Math.max(clock.bank, clock.increment ?? 0, clock.turn ?? 0)
  return microseconds < (clock.by_claim ? most / 4 : Math.max(most / 10, Math.min(60, most / 2))) * 1_000_000
}
