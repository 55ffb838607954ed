/** Whether undoing can be worth asking for, read from the facts alone: the server decides, this only keeps
 * the button from promising what it will refuse. */

import type { TableView } from '../protocol/view'
import type { Told } from '../protocol/wire'

const BARS = new Set(['Rolled', 'Drew', 'Started'])
const NOTICES = new Set(['DrawOffered', 'DrawAnswered', 'UndoOffered', 'UndoAnswered', 'TimeOutClaimed'])

function sinceBar(facts: readonly Told[]): Told[] {
  let from = facts.length
  while (from > 0 && !BARS.has(facts[from - 1]!.type) && facts[from - 1]!.type !== 'Undone') from--
  return facts.slice(from).filter((fact) => !NOTICES.has(fact.type))
}

export const SeatMoves = {
  /** Something stands that no roll has sealed. */
  any: (facts: readonly Told[]): boolean => sinceBar(facts).length > 0,
  /** A seat of ours plays and something stands that no roll has sealed. */
  own: (facts: readonly Told[], seats: readonly number[], view: TableView): boolean =>
    seats.length > 0 && !view.match.over && sinceBar(facts).length > 0,
}
