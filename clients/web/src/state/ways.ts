/** The ways into a match: those its page is opened by, and how they are added, replaced and dropped. */

import { forget, keep, type Kept, kept, type Way } from './keep'
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

/** Adds a way into a match, in place of an earlier one for the same seat or as its creator. */
export function keepWay(match: string, way: Way): Kept {
  const ways = kept(match)?.ways ?? []
  const before = ways.find((other) => way.role !== 'onlooker' && other.role === way.role && other.seat === way.seat)
  const others = ways.filter((other) => other.token !== way.token && other !== before)
  const known =
    before?.token === way.token ? { heir: before.heir, by: before.by } : { by: before?.heir === way.token ? before.token : before?.by }
  return keep(match, { ways: [...others, { ...known, ...way }] })
}

/** Drops a way that opens nothing any more; with the last of them the match is forgotten. */
export function dropWay(match: string, token: string): void {
  const ways = (kept(match)?.ways ?? []).filter((way) => way.token !== token)
  if (ways.length) keep(match, { ways })
  else forget(match)
}

/** A link in place of an earlier one: the seat's, the creator's, the onlookers'. */
export function keepInvitation(match: string, link: Kept['invitations'][number]): Kept {
  const others = (kept(match)?.invitations ?? []).filter((other) => other.role !== link.role || other.seat !== link.seat)
  return keep(match, { invitations: [...others, link] })
}

/** Puts back all that was kept of a match before; nothing if nothing was. */
export function keepAll(match: string, before: Kept | null): void {
  if (before) keep(match, { asking: false, ...before })
  else forget(match)
}
