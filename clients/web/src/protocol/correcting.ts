/** The director's part in a correction, over HTTP: whether one directs the tournament of a match, the proposal, its reason,
 * and that it is withdrawn. */

import { get } from './http'
import { change } from './people'
import { mine, rule, tournament } from './tournaments'
import type { Directed } from './wire'

/** What the director's book calls a proposal. */
const PROPOSED = 'correction proposed'

/** The tournament of a match and its pairing there, if one directs it. */
export async function directed(match: string): Promise<Directed> {
  return (await (await get(`/api/matches/${match}/correction`)).json()) as Directed
}

/** Proposes it to both who play, with the reason that all read. */
export const propose = (id: string, pairing: number, back_to: number, reason: string): ReturnType<typeof rule> =>
  rule(id, { what: 'correct', pairing, back_to, reason })

/** Withdraws what one proposes as the director. */
export const withdraw = (match: string, back_to: number): Promise<Directed> =>
  change('DELETE', `/api/matches/${match}/correction`, { back_to })

export interface Reason {
  /** The tournament. */
  id: string
  words: string
}

/** Why the director proposed, since a time in microseconds, to correct a match of a tournament that one plays or directs; null
 * if that cannot be found. */
export async function reasonOf(match: string, since: number): Promise<Reason | null> {
  for (const { info } of await mine()) {
    if (info.state !== 'under way') continue
    const { rounds, rulings } = await tournament(info.id)
    const number = rounds.flatMap(({ pairings }) => pairings).find((one) => one.match === match)?.number
    const ruling = rulings.find(({ what, pairing, at }) => what === PROPOSED && pairing === number && at >= since)
    if (ruling) return { id: info.id, words: ruling.reason }
  }
  return null
}
