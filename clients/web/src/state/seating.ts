/** Taking a seat: by its link, or, where a match is open to all, without one. Either way it is held by a token of one's
 * own from then on, and the link is void. What is needed later, nonce and token, is kept before it is sent, so that a
 * lost answer loses nothing. */

import { ownHours } from '../protocol/hours'
import { freshNonce, promiseOf } from '../protocol/nonce'
import type { MatchInfo, Refused } from '../protocol/wire'
import { type Answered, Follow } from './follow.svelte'
import { keep, kept, tastes } from './keep'
import { me } from './me.svelte'
import { keepNonce, nonceOf } from './progress'
import { keepAll, keepWay } from './ways'

const TOKEN_BYTES = 20

/** After these nobody knows whether the seat was taken. */
const UNSURE = new Set<Refused['code']>(['unavailable', 'busy', 'conflict', 'too_fast'])

/** What a seat promises, which is the same whenever it is asked for. */
export async function promised(match: string, seat: number): Promise<string> {
  const nonce = nonceOf(match, seat) || freshNonce()
  keepNonce(match, seat, nonce)
  return promiseOf(nonce)
}

/** Sits down by the link that a connection came by; resolves when the server has answered, however often the connection
 * is lost meanwhile. */
export async function sitDown(follow: Follow, seat: number, name: string): Promise<Answered> {
  const { match } = follow
  const token = freshToken()
  // What is asked for by the link is answered before it is void.
  await follow.filling
  follow.heir = token
  keepWay(match, { role: 'seat', seat, token: follow.token, heir: token })
  const promise = await promised(match, seat)
  const answer = await follow.command({ t: 'sit', token, promise, name, kind: 'person', ...saidHours() })
  if (answer.ok) {
    keepWay(match, { role: 'seat', seat, token })
    keep(match, { waits: true })
  }
  return answer
}

/** The same without opening the table. */
export function takeSeat(match: string, seat: number, token: string, name: string): Promise<Answered> {
  return briefly(match, token, (follow) => sitDown(follow, seat, name))
}

/** Takes a free seat of a match that is open to all, or one that is offered as its player stays away; resolves likewise.
 * Refused, nothing of it is kept. */
export async function joinSeat(info: MatchInfo, seat: number, name: string): Promise<Answered> {
  const { match, title, scenario, label } = info
  const before = kept(match)
  const token = freshToken()
  const hold = (asking: boolean): void => {
    keepWay(match, { role: 'seat', seat, token })
    keep(match, { title, scenario, label, asking, waits: !asking })
  }
  hold(true)
  // The dice of a match that has begun are fixed.
  const promise = info.state === 'open' ? await promised(match, seat) : ''
  const asked = { t: 'join', seat, token, promise, name, kind: 'person', ...saidHours() } as const
  const door = before?.ways.find((way) => way.role === 'onlooker')?.token ?? ''
  const answer = await briefly(match, door, (follow) => follow.command(asked))
  // Another tab may have asked about it meanwhile, and dropped what opened nothing yet.
  if (answer.ok) hold(false)
  else if (!UNSURE.has(answer.refused.code)) keepAll(match, before)
  return answer
}

/** The hours that a guest says; those of a person are on his page. */
export function saidHours(): { zone?: string; night?: number } {
  return me.person ? {} : ownHours(tastes().night)
}

async function briefly(match: string, token: string, ask: (follow: Follow) => Promise<Answered>): Promise<Answered> {
  const follow = new Follow(match, token, '', false, !token && me.person !== null)
  try {
    return await ask(follow)
  } finally {
    follow.close()
  }
}

/** A token as links have it: base64url without padding. */
export function freshToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
