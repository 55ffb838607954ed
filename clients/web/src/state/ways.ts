/** The ways into a match, as its page is opened. */

import { keep, kept, type Way } from './keep'
import { tokenIn } from './router.svelte'

/** The ways into a match that this browser has, taking a token out of the address if one is there. */
export function waysFrom(match: string, fragment: string): { ways: Way[]; token: string } {
  const token = tokenIn(fragment)
  const known = kept(match)
  if (!token) return { ways: known?.ways ?? [], token: '' }
  const before = known?.ways.find((way) => way.token === token || way.by === token)
  // Whose it is, the server says on `welcome`; until then it is looked through as it came.
  if (!before) keep(match, {})
  return { ways: known?.solo ? known.ways : [before ?? { role: 'seat', token }], token }
}
