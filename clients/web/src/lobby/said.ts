/** A match on a list, in words. */

import type { MatchInfo, TitleInfo } from '../protocol/wire'
import { withArticle } from '../words/article'
import { CALLED_OFF } from '../words/facts'

export function scenarioOf(info: MatchInfo, title: TitleInfo | undefined): string {
  return title?.scenarios.find((one) => one.id === info.scenario)?.title ?? info.scenario
}

/** Who won a match that has ended. */
export function resultOf(info: MatchInfo, title: TitleInfo | undefined): string {
  if (info.reason === CALLED_OFF) return 'Called off'
  return info.winner === null ? 'Drawn' : `${withArticle(title?.sides[info.winner] ?? '')} won`
}

/** How a match stands that has not ended, for whoever has these seats of it. */
export function statusOf(info: MatchInfo, mine: readonly number[]): string {
  if (info.state === 'open') {
    if (waitsFor(info, mine)) return 'Your seat waits for you'
    const free = info.seats.some((seat) => !seat.taken)
    if (!free) return mine.length ? `It begins as soon as ${others(info, mine)} has it open` : 'About to begin'
    if (!mine.length) return 'Waiting for players'
    return info.joinable.length ? 'Waiting for somebody to sit down' : 'Waiting for whoever was asked to play'
  }
  if (isTurnOf(info, mine)) return 'Your turn'
  const who = new Intl.ListFormat('en').format(info.asked.map((seat) => info.seats[seat]?.name ?? ''))
  return who ? `${who} to decide` : 'Being played'
}

/** The players of the seats that are not ours. */
function others(info: MatchInfo, mine: readonly number[]): string {
  const names = info.seats.filter((_, seat) => !mine.includes(seat)).map((seat) => seat.player || seat.name)
  return new Intl.ListFormat('en').format(names)
}

/** Whether a match that has not ended waits for whoever has these seats: he is asked, or is yet to take one that is kept for
 * him. The server says the same of a person's (`server/people/holdings.py`). */
export function waitsFor(info: MatchInfo, mine: readonly number[]): boolean {
  return info.state === 'open' ? mine.some((seat) => !info.seats[seat]?.taken) : isTurnOf(info, mine)
}

export function isTurnOf(info: MatchInfo, mine: readonly number[]): boolean {
  return info.state === 'playing' && info.asked.some((seat) => mine.includes(seat))
}
