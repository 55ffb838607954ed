/** Which facts are about the match and not about the table, and which were taken back. */

import { bodyOf } from '../protocol/body'
import type { Fact, Undone } from '../protocol/facts'
import type { Told } from '../protocol/wire'

/** The reason of an end without a result. */
export const CALLED_OFF = 'called off'

/** Facts about the match and not about the table: an undo does not touch them. */
export const NOTICES: ReadonlySet<string> = new Set<Fact['type']>([
  'Created',
  'SeatTaken',
  'HoursFixed',
  'NonceCommitted',
  'NonceCommittedAnew',
  'NonceShown',
  'Started',
  'Resigned',
  'DrawOffered',
  'DrawAnswered',
  'UndoOffered',
  'UndoAnswered',
  'Undone',
  'CorrectionOffered',
  'CorrectionAnswered',
  'CorrectionWithdrawn',
  'DiceCounted',
  'PauseOffered',
  'PauseAnswered',
  'ClocksStopped',
  'ClocksStarted',
  'TimeOutClaimed',
  'WinClaimed',
  'CalledOff',
  'HolidayBegan',
  'HolidayEnded',
  'SeatOffered',
  'SeatReplaced',
  'GameEnded',
  'Ended',
])

/** What no log tells, since other facts say it: decisions, and the umpire's own notes, which are shown after the end. */
export const UNTOLD: ReadonlySet<string> = new Set<Fact['type']>(['Decided', 'Paused', 'Drew', 'RolledUnseen', 'Padding', 'DiceCounted'])

export function takenBack(facts: readonly Told[]): Set<number> {
  const gone = new Set<number>()
  for (const fact of facts) {
    if (fact.type !== 'Undone') continue
    const { back_to } = bodyOf<Undone>(fact)
    for (const other of facts) {
      if (other.seq > back_to && other.seq < fact.seq && !NOTICES.has(other.type)) gone.add(other.seq)
    }
  }
  return gone
}

/** Without those that were taken back. */
export function inForce(facts: Told[]): Told[] {
  const gone = takenBack(facts)
  return gone.size ? facts.filter(({ seq }) => !gone.has(seq)) : facts
}
