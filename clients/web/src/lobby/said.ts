/** A match on a list, in words. */

import type { MatchInfo, TitleInfo } from '../protocol/wire'

export function scenarioOf(info: MatchInfo, title: TitleInfo | undefined): string {
  return title?.scenarios.find((one) => one.id === info.scenario)?.title ?? info.scenario
}

/** How it stands, for whoever has these seats of it. */
export function statusOf(info: MatchInfo, title: TitleInfo | undefined, mine: readonly number[]): string {
  if (info.state === 'ended') {
    const winner = info.winner === null ? 'Drawn' : `${title?.sides[info.winner] ?? ''} won`
    return `${winner}: ${info.reason}`
  }
  if (info.state === 'open') return mine.length ? 'Waiting for somebody to sit down' : 'Waiting for players'
  if (isTurnOf(info, mine)) return 'Your turn'
  const who = info.asked.map((seat) => info.seats[seat]?.name ?? '').join(', ')
  return who ? `${who} to decide` : 'Being played'
}

export function isTurnOf(info: MatchInfo, mine: readonly number[]): boolean {
  return info.state === 'playing' && info.asked.some((seat) => mine.includes(seat))
}
