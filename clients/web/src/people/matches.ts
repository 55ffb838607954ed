/** The matches of the person who is signed in, which are the same on every device, and those that wait for whoever is here:
 * by his person, or by a link in this browser. */

import { waitsFor } from '../lobby/said'
import { myMatches } from '../protocol/people'
import type { ChallengeInfo, MatchInfo, MyMatch, MyMatches } from '../protocol/wire'
import { keptMatches, seatsIn, sitsAt } from '../state/keep'
import { lookedUp } from '../state/lookedup'
import { me } from '../state/me.svelte'

/** What was heard is good for as long, in ms: many ask at once, and a lobby at every change. */
const FRESH_MS = 5_000
/** So many that only this browser knows are looked up, those opened last. */
const MOST = 10

let round = -1
let heard = 0
const NONE: MyMatches = { matches: [], challenges: [], gone: [] }
let list = Promise.resolve(NONE)

function told(): Promise<MyMatches> {
  if (!me.person) return Promise.resolve(NONE)
  if (round === me.round && Date.now() - heard < FRESH_MS) return list
  const before = round === me.round ? list : Promise.resolve(NONE)
  ;({ round } = me)
  heard = Date.now()
  list = myMatches().then(
    (found) => ({ ...NONE, ...found }),
    () => before,
  )
  return list
}

/** Those that wait for him first. Empty for a guest; as they were last if the server does not say. */
export async function theirs(): Promise<MyMatch[]> {
  return (await told()).matches
}

/** The challenges that wait for his answer. */
export async function challenges(): Promise<ChallengeInfo[]> {
  return (await told()).challenges
}

/** The matches to which he challenged somebody in vain: they are his no more, though a browser may keep links of them. */
export async function gone(): Promise<readonly string[]> {
  return (await told()).gone
}

/** To be called when something of it has changed: what was heard is good no longer. */
export function changed(): void {
  heard = 0
}

/** The person's seats of a match. */
export async function seatsOf(match: string): Promise<readonly number[]> {
  return (await theirs()).find(({ info }) => info.match === match)?.seats ?? []
}

/** A match that is over, whose rematch was offered to whoever has these seats; `sits`: whether he has one at a match. */
export function isOfferedAgain(info: MatchInfo, mine: readonly number[], sits: (match: string) => boolean): boolean {
  return mine.length > 0 && info.rematch !== null && !sits(info.rematch)
}

/** The matches that wait for whoever is here, but for one. */
export async function waiting(except: string): Promise<MatchInfo[]> {
  const { matches: known, gone: past } = await told()
  const elsewhere = new Set([...past, ...known.map(({ info }) => info.match)])
  const others = keptMatches().filter((one) => seatsIn(one).length && !elsewhere.has(one.match))
  const found = await Promise.all(others.slice(0, MOST).map(async (one) => ({ info: await lookedUp(one), seats: seatsIn(one) })))
  return [
    ...known.flatMap(({ info, waits }) => (waits ? [info] : [])),
    ...found.flatMap(({ info, seats }) => (info && (waitsFor(info, seats) || isOfferedAgain(info, seats, sitsAt)) ? [info] : [])),
  ].filter(({ match }) => match !== except)
}
