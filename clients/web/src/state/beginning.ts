/** Until a match begins: shows the nonces of one's seats, and commits anew where a nonce is in another browser or counts no
 * more. Kept out of what every visit loads. Deliberately absent: when a seat is taken. */

import { freshNonce, promiseOf } from '../protocol/nonce'
import type { Refused } from '../protocol/wire'
import type { Follow } from './follow.svelte'
import { keepNonce, nonceOf } from './progress'

/** How a seat of ours begins: from here though it sat down elsewhere, or only elsewhere, where its nonce is. */
export type Where = 'here' | 'elsewhere'

/** Another of the person's browsers, or another seat, was faster: what is to be done the view will say. */
const OVERTAKEN = new Set<Refused['code']>(['bad_nonce', 'shown', 'stale', 'started', 'too_early'])

/** What a seat has to do now; null while it has nothing to do. `wanted`: it is to begin here, whatever is elsewhere. */
export async function due(follow: Follow, wanted: boolean): Promise<{ show: string } | { anew: string } | Where | null> {
  const { seat, folded, line } = follow
  const { match } = folded.view
  if (seat === null || match.started || match.nonces[seat] || !match.taken[seat] || line !== 'open') return null
  const promise = match.promises[seat]
  if (promise && Object.keys(match.promises).length < match.seats.length) return null
  const nonce = nonceOf(follow.match, seat)
  const own = nonce && (await promiseOf(nonce))
  if (promise && own === promise) return { show: nonce }
  // It is where one sat down, or another has sat down here; or the seat has committed anew elsewhere since. Never by itself.
  if (promise && !wanted) return 'elsewhere'
  const fresh =
    own &&
    own !== promise &&
    !Object.values(match.spent ?? {})
      .flat()
      .includes(own)
      ? nonce
      : freshNonce()
  keepNonce(follow.match, seat, fresh)
  return { anew: fresh }
}

/** What each has shown already: the view follows only when that is stored. */
const shown = new WeakMap<Follow, string>()

/** Does what is due for a seat, and says where it begins if that is not where it sat down. */
export async function begin(follow: Follow, wanted: boolean): Promise<{ where: Where | ''; problem: string }> {
  const what = await due(follow, wanted)
  if (what === null || typeof what === 'string') return { where: what ?? '', problem: '' }
  const { seat, folded } = follow
  const instead = seat === null ? '' : (folded.view.match.promises[seat] ?? '')
  if ('show' in what) {
    if (shown.get(follow) === what.show) return { where: '', problem: '' }
    shown.set(follow, what.show)
  }
  const answer = await follow.command(
    'show' in what ? { t: 'show', nonce: what.show } : { t: 'anew', promise: await promiseOf(what.anew), instead },
  )
  const overtaken = !answer.ok && OVERTAKEN.has(answer.refused.code)
  // No more than a moment's news: another tab, or another part of this one, was about it as well.
  if (overtaken && follow.refused === answer.refused) follow.refused = null
  const failed = answer.ok || overtaken ? '' : answer.refused.reason
  return { where: 'anew' in what ? 'here' : '', problem: failed }
}
