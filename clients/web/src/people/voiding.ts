/** Making the links of all one's seats void, as the person who is signed in: whoever has one plays by it no more. */

import { myMatches } from '../protocol/people'
import { exchange } from '../state/links'
import { whole } from '../words/whole'

/** Returns what came of it, as a sentence. What this browser keeps of them it keeps anew. */
export async function voidAll(): Promise<string> {
  const { matches } = await myMatches()
  const seats = matches.flatMap(({ info, seats: mine }) =>
    info.state === 'ended' ? [] : mine.filter((seat) => info.seats[seat]?.taken).map((seat) => ({ match: info.match, seat })),
  )
  const failed: string[] = []
  for (const { match, seat } of seats) {
    await exchange(match, { token: '', seat }).catch((why: unknown) => failed.push((why as Error).message))
  }
  const done = seats.length - failed.length
  const said = `The links of ${done} ${done === 1 ? 'seat' : 'seats'} are void.`
  return failed.length ? `${said} Of ${failed.length} they are not: ${whole(failed[0]!)}` : said
}
