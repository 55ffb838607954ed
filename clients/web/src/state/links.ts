/** New links for old: of one's own seat at any time, and as the creator of a seat that nobody has taken yet. What
 * comes back is kept in this browser at once, for the server keeps hashes only and can show no link again. */

import { Socket, socketUrl } from '../protocol/socket'
import type { Incoming, Link } from '../protocol/wire'
import { VERSION } from './follow.svelte'
import { keepInvitation, keepWay, kept, type Way } from './keep'

/** Makes the old link void; returns the path of the new one. Raises Error with the server's reason. */
export async function exchange(match: string, way: Way): Promise<string> {
  return renewed(match, await asked(match, way.token, { t: 'exchange', match }))
}

/** Makes the link of a seat void, by the creator's right; returns the path of the new one. */
export async function revoke(match: string, creator: Way, seat: number): Promise<string> {
  return renewed(match, await asked(match, creator.token, { t: 'revoke', match, seat }))
}

function renewed(match: string, link: Link): string {
  const seat = typeof link.seat === 'number' ? { seat: link.seat } : {}
  const own = kept(match)?.ways.some((way) => way.role === link.role && way.seat === seat.seat)
  if (own) keepWay(match, { role: link.role, token: link.token, ...seat })
  if (kept(match)?.invitations.length) keepInvitation(match, { role: link.role, path: link.path, ...seat })
  return link.path
}

/** Asks one thing with a token, over a connection of its own. */
function asked(match: string, token: string, ask: Extract<Incoming, { t: 'exchange' | 'revoke' }>): Promise<Link> {
  return new Promise((done, fail) => {
    const socket = new Socket(socketUrl(), {
      opened: () => void socket.send({ t: 'hello', version: VERSION, match, token, after: 0 }),
      said: (answer) => {
        if (answer.t === 'welcome') {
          socket.send(ask)
          return
        }
        if (answer.t === 'linked') done(answer.link)
        else if (answer.t === 'refused') fail(new Error(answer.reason))
        else return
        socket.close()
      },
      line: () => undefined,
    })
  })
}
