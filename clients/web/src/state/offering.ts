/** Offering a match, keeping the ways into it that come back, and taking one's own seats at once. */

import * as http from '../protocol/http'
import { uuid } from '../protocol/uuid'
import type { Clock, Create } from '../protocol/wire'
import { create, VERSION } from './follow.svelte'
import { keep, tastes } from './keep'
import { takeSeat } from './seating'

export interface Offering {
  title: string
  scenario: string
  options: Record<string, boolean | number>
  label: string
  pace: NonNullable<Create['pace']>
  /** It is played over days. */
  byTurns: boolean
  hidden: boolean
  /** Its result moves ratings. */
  rated?: boolean
  /** Its seats are for those who are signed in. */
  persons?: boolean
  /** The ratings that it is offered to. */
  band?: [number, number] | null
  clock: Clock | null
  /** Seat to the strength of its bot. */
  bots: Record<string, string>
  /** The seats played from this browser: all, some, or the first of a side. */
  seats: 'all' | number[] | { side: number }
  /** The handle of the only one whom it is offered to, and what is said with that. */
  challenge?: string
  word?: string
}

/** Offers a match and sits down there; returns its id. Raises Error with the server's reason. Where a seat could not be
 * taken after all, the match itself says so. */
export async function offerMatch(what: Offering): Promise<string> {
  const { title, scenario, options, label, pace, byTurns, hidden, rated = false, persons = false, band = null, clock, bots, seats } = what
  const { challenge = '', word = '' } = what
  const made = await create({
    t: 'create',
    version: VERSION,
    command: uuid(),
    title,
    scenario,
    options,
    label,
    pace,
    by_turns: byTurns,
    private: hidden,
    rated,
    persons,
    ...(band ? { band } : {}),
    ...(clock ? { clock } : {}),
    ...(Object.keys(bots).length ? { bots } : {}),
    ...(challenge ? { challenge, word } : {}),
  })
  const own = await seatsOf(made.match, seats, made.links[0]?.token ?? '')
  const mine = made.links.flatMap((link) =>
    link.role === 'seat' && typeof link.seat === 'number' && (own === 'all' || own.includes(link.seat))
      ? [{ role: 'seat' as const, token: link.token, seat: link.seat }]
      : [],
  )
  const creator = made.links.filter((link) => link.role === 'creator').map((link) => ({ role: link.role, token: link.token }))
  // By a link nobody sits down at what one is challenged to, until that is answered: in a team others come then.
  const alone = challenge && made.links.filter(({ role }) => role === 'seat').length === 2
  const handed = alone ? made.links.filter(({ role }) => role !== 'seat') : made.links
  keep(made.match, {
    title,
    scenario,
    label,
    solo: seats === 'all',
    // The lobby looks at it by the first, which stays the same while one sits down.
    ways: [...creator, ...mine],
    invitations: handed.map((link) => ({
      role: link.role,
      path: link.path,
      ...(typeof link.seat === 'number' ? { seat: link.seat } : {}),
    })),
  })
  for (const { seat, token } of mine) await takeSeat(made.match, seat, token, tastes().name)
  return made.match
}

/** Which seat is the first of a side, only the server knows: a side may be a team. */
async function seatsOf(match: string, seats: Offering['seats'], token: string): Promise<'all' | number[]> {
  if (seats === 'all' || Array.isArray(seats)) return seats
  const found = await http.match(match, token)
  return [found.seats.findIndex((seat) => seat.side === seats.side)]
}
