/** How a match stands that this browser keeps. */

import * as http from '../protocol/http'
import type { MatchInfo } from '../protocol/wire'
import type { Kept } from './keep'

/** Null if it is not there any more. A seat that is being taken is held by another token than its link's, unless that failed. */
export async function lookedUp({ match, ways: [way] }: Kept): Promise<MatchInfo | null> {
  const by = (token?: string): Promise<MatchInfo | null> => http.match(match, token).catch(() => null)
  return (way?.heir ? await by(way.heir) : null) ?? by(way?.token)
}
