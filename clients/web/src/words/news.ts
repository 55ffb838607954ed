/** What happened about the match just now that a player would otherwise have to look for in the log. */

import { bodyOf } from '../protocol/body'
import type { DrawAnswered, PauseAnswered, UndoAnswered } from '../protocol/facts'
import type { Move } from '../protocol/moves'
import type { Told } from '../protocol/wire'
import { type Known, plain } from './sentence'

/** How many commands it stays. */
const LATELY = 2

function said(fact: Told): string {
  switch (fact.type) {
    case 'TimeOutClaimed':
      return `${fact.words}: the rules decided instead.`
    case 'DrawAnswered':
    case 'UndoAnswered':
    case 'PauseAnswered':
      return bodyOf<DrawAnswered | UndoAnswered | PauseAnswered>(fact).agreed ? '' : `${fact.words}.`
    case 'Undone':
    case 'Resigned':
    case 'ClocksStarted':
      return `${fact.words}.`
    default:
      return ''
  }
}

export function news(moves: readonly Move[], known: Known): string {
  const facts = moves.slice(-LATELY).flatMap((move) => move.facts)
  const told = facts.map(said).filter(Boolean)
  return told.length ? plain(told.at(-1)!, known) : ''
}
