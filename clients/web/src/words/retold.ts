/** Sentences about a match that need more than their own fact: what was taken back, and who set the dice. They are made
 * here, of the facts that the reader has, so that they tell nothing else. */

import { bodyOf } from '../protocol/body'
import type { Created, Ended, NonceCommitted, NonceShown, Undone, UndoOffered } from '../protocol/facts'
import type { Told } from '../protocol/wire'
import { NOTICES, takenBack, UNTOLD } from './facts'

/** A line of the log, if it is not as the fact says it. */
export interface Retold {
  words: string
  /** The moment that it speaks of. */
  moment?: number
  /** Exact values, for whoever checks them: what each is, and the value. */
  exact?: [string, string][]
}

type Silent = (fact: Told) => boolean

/** Decisions in the log's own words: the first that facts tell, and how much more; '' if nothing of them is seen. */
export function gist(facts: readonly Told[], silent: Silent): string {
  const seen = facts.filter((fact) => told(fact) && fact.words && !silent(fact))
  const [first, ...others] = seen
  return first ? `“${first.words}”${others.length ? ` and ${others.length} more` : ''}` : ''
}

function told({ type }: Told): boolean {
  return !NOTICES.has(type) && !UNTOLD.has(type)
}

function undo(fact: Told, facts: readonly Told[], silent: Silent): Retold {
  const { seat, back_to: backTo } = bodyOf<UndoOffered | Undone>(fact)
  const before = facts.filter(({ seq }) => seq < fact.seq)
  const gone = takenBack(before)
  const since = before.filter((one) => one.seq > backTo && !gone.has(one.seq) && !NOTICES.has(one.type))
  const what = gist(since, silent) || 'a decision of which nothing is seen'
  const words = `[seat:${seat}] ${fact.type === 'Undone' ? 'took back' : 'asked to take back'}: ${what}`
  return since.length ? { words, moment: since.at(-1)!.seq } : { words }
}

function every<Body>(facts: readonly Told[], type: string): Body[] {
  return facts.filter((fact) => fact.type === type).map((fact) => bodyOf<Body>(fact))
}

/** The last nonce closes what all have put in; those before it are told with it. */
function dice(fact: Told, facts: readonly Told[]): Retold | null {
  const [created] = every<Created>(facts, 'Created')
  const shown = every<NonceShown>(
    facts.filter(({ seq }) => seq <= fact.seq),
    'NonceShown',
  )
  if (!created || shown.length < created.seats.length) return null
  const who = ['The server and the player', 'Both players'][shown.length - 1] ?? 'All players'
  const promises = every<NonceCommitted>(facts, 'NonceCommitted')
  return {
    words: `${who} have set the dice: nobody can choose them now`,
    exact: [
      ['What the server was bound to before anybody sat down', created.commitment],
      ...promises.map(({ seat, hash }): [string, string] => [`What [seat:${seat}] was bound to`, hash]),
      ...shown.map(({ seat, nonce }): [string, string] => [`What [seat:${seat}] put in`, nonce]),
    ],
  }
}

/** A fact as the log tells it where its own words are not enough: `undefined` for any other, null for what is told with
 * another. */
export function retold(fact: Told, facts: readonly Told[], silent: Silent): Retold | null | undefined {
  switch (fact.type) {
    case 'UndoOffered':
    case 'Undone':
      return undo(fact, facts, silent)
    case 'NonceCommitted':
      return null
    case 'NonceShown':
      return dice(fact, facts)
    case 'Ended':
      return {
        words: 'The key of the dice is open: every die can be checked',
        exact: [['The key that the server was bound to', bodyOf<Ended>(fact).key]],
      }
    default:
      return undefined
  }
}
