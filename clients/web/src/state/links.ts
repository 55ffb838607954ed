/** New links for old: of one's own seat at any time, and as the creator of a seat that nobody has taken yet. What
 * comes back is kept in this browser at once, for the server keeps hashes only and can show no link again. */

import { Socket, socketUrl } from '../protocol/socket'
import type { Incoming, Link, Outgoing } from '../protocol/wire'
import { VERSION } from './follow.svelte'
import { kept, type Way } from './keep'
import { keepInvitation, keepWay } from './ways'

/** Makes the old link void; returns the path of the new one. Without a token it is that of a seat of the person who is signed
 * in, wherever it is kept. Raises Error with the server's reason. */
export async function exchange(match: string, { token, seat }: Pick<Way, 'seat' | 'token'>): Promise<string> {
  return renewed(match, (await linked(match, token, { t: 'exchange', match }, token ? undefined : seat)).link)
}

/** Makes the link of a seat void, by the creator's right; returns the path of the new one. */
export async function revoke(match: string, creator: Way, seat: number): Promise<string> {
  return renewed(match, (await linked(match, creator.token, { t: 'revoke', match, seat })).link)
}

function renewed(match: string, link: Link): string {
  const seat = typeof link.seat === 'number' ? { seat: link.seat } : {}
  const own = kept(match)?.ways.some((way) => way.role === link.role && way.seat === seat.seat)
  if (own) keepWay(match, { role: link.role, token: link.token, ...seat })
  if (kept(match)?.invitations.length) keepInvitation(match, { role: link.role, path: link.path, ...seat })
  return link.path
}

/** Takes the offer of a match back, by the creator's right. Raises Error with the server's reason. */
export async function withdraw(match: string, creator: Way): Promise<void> {
  await asked(match, creator.token, { t: 'withdraw', match }, 'withdrawn')
}

/** Asks for a link with the token of another, over a connection of its own; without a token as the person who is signed in,
 * for the seat `mine`. Raises Error with the server's reason. */
export function linked(
  match: string,
  token: string,
  ask: Extract<Incoming, { t: 'exchange' | 'revoke' | 'rematch' }>,
  mine?: number,
): Promise<Extract<Outgoing, { t: 'linked' }>> {
  return asked(match, token, ask, 'linked', mine)
}

function asked<T extends 'linked' | 'withdrawn'>(
  match: string,
  token: string,
  ask: Incoming,
  answered: T,
  mine?: number,
): Promise<Extract<Outgoing, { t: T }>> {
  return new Promise((done, fail) => {
    const socket = new Socket(socketUrl(), {
      opened: () => {
        const by = mine === undefined ? {} : { mine: true, seat: mine }
        socket.send({ t: 'hello', version: VERSION, match, token, after: 0, ...by })
      },
      said: (answer) => {
        if (answer.t === 'welcome') {
          socket.send(ask)
          return
        }
        if (answer.t === answered) done(answer as Extract<Outgoing, { t: T }>)
        else if (answer.t === 'refused') fail(new Error(answer.reason))
        else return
        socket.close()
      },
      line: () => undefined,
    })
  })
}
