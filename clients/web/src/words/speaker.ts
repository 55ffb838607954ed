/** Who said a line of the talk. */

import type { Said } from '../protocol/wire'

export function speaker({ seat }: Pick<Said, 'seat'>, players: readonly string[]): string {
  return seat === null || seat === undefined ? 'Onlooker' : players[seat] || `Seat ${seat}`
}
