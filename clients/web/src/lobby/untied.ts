/** Which seats of this browser could be tied to the person who is signed in. */

import { read, write } from '../state/keep'
import type { Mine } from './own'

export interface SeatLink {
  match: string
  token: string
}

/** Matches that are to stay in this browser alone, as was chosen here or is the case. */
const LEFT = 'left'

/** The links of seats that are not tied, of matches that are there and were not left. */
export function linksOf(mine: readonly Mine[]): SeatLink[] {
  const left = new Set(read<string[]>(LEFT, []))
  return mine.flatMap(({ match, kept, now, tied }) =>
    now && !left.has(match)
      ? (kept?.ways ?? []).flatMap(({ role, seat, token }) => (role === 'seat' && !tied.includes(seat ?? -1) ? [{ match, token }] : []))
      : [],
  )
}

/** They are not offered again. */
export function leave(links: readonly SeatLink[]): void {
  write(LEFT, [...new Set([...read<string[]>(LEFT, []), ...links.map(({ match }) => match)])])
}
