/** What happened about the match just now that a player would otherwise have to look for in the log. */

import { bodyOf } from '../protocol/body'
import type { DrawAnswered, PauseAnswered, UndoAnswered } from '../protocol/facts'
import type { Move } from '../protocol/moves'
import type { Told } from '../protocol/wire'
import { type Reader, retold } from './retold'
import { type Known, plain } from './sentence'

/** How many commands it stays. */
const LATELY = 2

function said(fact: Told, words: string): string {
  switch (fact.type) {
    case 'TimeOutClaimed':
      return `${words}: the rules decided instead.`
    case 'DrawAnswered':
    case 'UndoAnswered':
    case 'CorrectionAnswered':
    case 'PauseAnswered':
      return bodyOf<DrawAnswered | UndoAnswered | PauseAnswered>(fact).agreed ? '' : `${words}.`
    case 'Undone':
    case 'CorrectionWithdrawn':
    case 'Resigned':
    case 'WinClaimed':
    case 'CalledOff':
    case 'HolidayBegan':
    case 'HolidayEnded':
    case 'SeatOffered':
    case 'SeatReplaced':
    case 'ClocksStarted':
      return `${words}.`
    default:
      return ''
  }
}

const factsOf = (moves: readonly Move[]): Told[] => moves.flatMap((move) => move.facts)

/** What the rules decided beside what was given with the last command, since one choice alone was left: `given` are the types of
 * the decisions, `tells` the fact that tells each type. */
export function forced({ facts }: Move, given: readonly string[], tells: Readonly<Record<string, string>>): string {
  const left = Object.entries(tells).flatMap(([decision, type]) => {
    const mine = given.filter((one) => one === decision).length
    return facts.filter((fact) => fact.type === type).slice(mine)
  })
  const [first, ...others] = left
  return first ? `Only one choice was left: ${first.words}${others.length ? `, and ${others.length} more` : ''}.` : ''
}

export function news(moves: readonly Move[], known: Known, reader: Reader): string {
  const wordsOf = (fact: Told): string => (fact.type === 'Undone' ? retold(fact, factsOf(moves), reader)!.words : fact.words)
  const told = factsOf(moves.slice(-LATELY))
    .map((fact) => said(fact, wordsOf(fact)))
    .filter(Boolean)
  return told.length ? plain(told.at(-1)!, known) : ''
}
