/** One's own matches, those that wait for one first, and how each stands: from what is pushed, from what the server says of
 * the person's, or asked for one by one where this browser alone knows them and they are on no list. */

import { challenges, changed, gone, isOfferedAgain, theirs } from '../people/matches'
import type { ChallengeInfo, MatchInfo, MyMatch } from '../protocol/wire'
import { forget, keep, type Kept, keptMatches, seatsIn, sitsAt } from '../state/keep'
import { lookedUp } from '../state/lookedup'
import { waitsFor } from './said'

export interface Mine {
  match: string
  /** What this browser keeps of it; null where it is the person's, and no link of it is here. */
  kept: Kept | null
  seats: readonly number[]
  /** Those of them that are the person's who is signed in. */
  tied: readonly number[]
  /** How it stands; null if it is not there any more. */
  now: MatchInfo | null
  /** It waits for one: to decide, to sit down, or to play it once more. */
  waits: boolean
}

const ORDER = { playing: 0, open: 1, ended: 2 } as const

/** As the server orders a person's: of those that wait, who has waited for longest comes first; else the latest. */
export function ordered(all: readonly Mine[]): Mine[] {
  const place = ({ now, waits }: Mine): number => (waits ? -1 : ORDER[now?.state ?? 'ended'])
  const last = ({ now, waits }: Mine): number => (now?.last ?? 0) * (waits ? 1 : -1)
  return [...all].sort((one, two) => place(one) - place(two) || last(one) - last(two))
}

/** The challenges that wait for one's answer. `anew`: they have changed, so the number at the tab has, too. */
export async function calls(anew: boolean): Promise<ChallengeInfo[]> {
  if (anew) {
    changed()
    void import('../state/calling').then(({ calling }) => calling.again())
  }
  return challenges()
}

/** Without the match of which a seat is just being taken here: of that the answer will tell. */
export async function own(pushed: ReadonlyMap<string, MatchInfo> | null, joining?: string): Promise<Mine[]> {
  const persons = await theirs()
  const past = await gone()
  const all = keptMatches().filter(({ match }) => !past.includes(match))
  const known = new Set(all.map(({ match }) => match))
  const sits = (match: string): boolean => sitsAt(match) || persons.some(({ info, seats }) => info.match === match && seats.length > 0)
  /** Whether a rematch is offered, and was not declined, the server says of a person's. */
  const waits = (now: MatchInfo | null, seats: readonly number[], person?: MyMatch): boolean =>
    now !== null && (waitsFor(now, seats) || (now.state === 'ended' && person ? person.waits : isOfferedAgain(now, seats, sits)))
  const found = await Promise.all(
    all
      .filter(({ match, asking }) => !asking || match !== joining)
      .map(async (kept) => {
        const { match } = kept
        const person = persons.find(({ info }) => info.match === match)
        const tied = person?.seats ?? []
        const seats = [...new Set([...seatsIn(kept), ...tied])]
        const now = (kept.asking ? null : pushed?.get(match)) ?? person?.info ?? (await lookedUp(kept))
        return { match, kept, seats, tied, now, waits: waits(now, seats, person) }
      }),
  )
  // A seat that was asked for when the answer was lost: it is one's own if its token opens it.
  for (const { match, now } of found.filter((one) => one.kept.asking)) {
    if (now) keep(match, { asking: false })
    else forget(match)
  }
  const others = persons.filter(({ info }) => !known.has(info.match))
  return ordered([
    ...others.map((one) => {
      const { info, seats } = one
      const now = pushed?.get(info.match) ?? info
      return { match: info.match, kept: null, seats, tied: seats, now, waits: waits(now, seats, one) }
    }),
    ...found.filter(({ kept, now }) => now !== null || !kept.asking),
  ])
}
