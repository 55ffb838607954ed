/** Until a match begins: shows the nonces of one's seats, and commits anew where a nonce is in another browser or counts no
 * more. Kept out of what every visit loads. Deliberately absent: when a seat is taken. */

import { freshNonce, promiseOf } from '../protocol/nonce'
import type { Refused } from '../protocol/wire'
import type { Follow } from './follow.svelte'
import { keepNonce, nonceOf } from './progress'

/** Where the match begins for a seat of ours: from here though it sat down elsewhere, or only elsewhere, where its nonce is. */
export type Where = 'here' | 'elsewhere'

/** How often a seat may replace a commitment that counts (`domain/match/anew.py`). */
export const MOST = 3

/** Another of the person's browsers, or another seat, was faster: what is to be done the view will say. */
const OVERTAKEN = new Set<Refused['code']>(['bad_nonce', 'shown', 'stale', 'started', 'too_early'])

/** What this browser has promised for a seat; or ''. */
async function ownPromise(match: string, seat: number): Promise<string> {
  const nonce = nonceOf(match, seat)
  return nonce && promiseOf(nonce)
}

/** What a seat has to do now; null while it has nothing to do. `wanted`: it is to begin here, whatever is elsewhere. */
async function due({ match, seat, folded, line }: Follow, wanted: boolean): Promise<{ show: string } | { anew: string } | null> {
  const { started, nonces, taken, promises, seats, spent } = folded.view.match
  if (seat === null || started || nonces[seat] || !taken[seat] || line !== 'open') return null
  const [promise, own] = [promises[seat], await ownPromise(match, seat)]
  if (promise && own === promise) return Object.keys(promises).length < seats.length ? null : { show: nonceOf(match, seat) }
  // It is where one sat down, or another has sat down here; or the seat has committed anew elsewhere since. Never by itself.
  if (promise && !wanted) return null
  const usable =
    own &&
    !Object.values(spent ?? {})
      .flat()
      .includes(own)
  const fresh = usable ? nonceOf(match, seat) : freshNonce()
  keepNonce(match, seat, fresh)
  return { anew: fresh }
}

/** Where the match begins for these seats, as their views say now; or '' where there is nothing to say of it: before all have
 * sat down, and where one is as everybody. */
export async function where(follows: readonly Follow[]): Promise<Where | ''> {
  let found: Where | '' = ''
  for (const { match, seat, folded } of follows) {
    const { started, nonces, taken, promises, seats, anew } = folded.view.match
    const promise = seat === null ? '' : promises[seat]
    if (seat === null || !promise || started || nonces[seat] || seats.some((_, one) => !taken[one])) continue
    if ((await ownPromise(match, seat)) !== promise) return 'elsewhere'
    if (anew?.[seat]) found = 'here'
  }
  return found
}

/** What each has shown already: the view follows only when that is stored. */
const shown = new WeakMap<Follow, string>()

/** Does what is due for a seat; returns why that was not done, or ''. */
export async function begin(follow: Follow, wanted: boolean): Promise<string> {
  const what = await due(follow, wanted)
  if (what === null) return ''
  const { seat, folded } = follow
  const instead = seat === null ? '' : (folded.view.match.promises[seat] ?? '')
  if ('show' in what) {
    if (shown.get(follow) === what.show) return ''
    shown.set(follow, what.show)
  }
  const answer = await follow.command(
    'show' in what ? { t: 'show', nonce: what.show } : { t: 'anew', promise: await promiseOf(what.anew), instead },
  )
  if (answer.ok) return ''
  shown.delete(follow)
  const { refused } = answer
  // It is said where one begins; that a link is void the whole page says.
  if (follow.refused === refused && refused.code !== 'bad_token') follow.refused = null
  return OVERTAKEN.has(refused.code) ? '' : refused.reason
}
