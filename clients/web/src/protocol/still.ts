/** Whether there is anything to say of clocks that stand still: kept apart from how that is worked out, which few matches need. */

import type { MatchView } from './wire'

/** Whether a clock of this match ever stands still, or is claimed. */
export function mayStandStill({ clock }: MatchView): boolean {
  return Boolean(clock?.by_claim || clock?.nights || clock?.weekends)
}
