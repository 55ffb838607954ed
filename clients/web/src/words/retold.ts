/** Sentences about a match that need more than their own fact: what was taken back, and who set the dice. They are made
 * here, of the facts that the reader has, so that they tell nothing else. */

import { bodyOf } from '../protocol/body'
import type { CorrectionOffered, Created, Ended, NonceCommitted, NonceCommittedAnew, NonceShown, Undone } from '../protocol/facts'
import type { Told } from '../protocol/wire'
import type { DeedAfter } from './deeds'
import { NOTICES, takenBack, UNTOLD } from './facts'

/** A line of the log, if it is not as the fact says it. */
export interface Retold {
  words: string
  /** The moment that it speaks of. */
  moment?: number
  /** Exact values, for whoever checks them: what each is, and the value. */
  exact?: [string, string][]
}

/** What a reader of a match is told of it. */
export interface Reader {
  /** Whether a fact says nothing to him. */
  silent: (fact: Told) => boolean
  /** What he decided himself. */
  deed: DeedAfter
}

/** Decisions in the log's own words: the first that facts tell, and how much more; '' if nothing of them is seen. */
export function gist(facts: readonly Told[], silent: Reader['silent']): string {
  const seen = facts.filter((fact) => told(fact) && fact.words && !silent(fact))
  const [first, ...others] = seen
  return first ? `“${first.words}”${others.length ? ` and ${others.length} more` : ''}` : ''
}

function told({ type }: Told): boolean {
  return !NOTICES.has(type) && !UNTOLD.has(type)
}

/** What an undo of a seat covers, of the facts `since` that to which it goes back: its own last command, and what the reader
 * saw others decide after it. */
export function covers(seat: number, backTo: number, since: readonly Told[], { silent, deed }: Reader, before = Infinity): string {
  const [own, others] = [since.filter((one) => begun(one) === backTo), since.filter((one) => begun(one) > backTo)]
  const said = deed(seat, backTo, before)
  const what = said ? `“${said}”` : gist(own, silent) || 'a decision of which nothing is to be seen'
  return gist(others, silent) ? `${what}, and with it what was decided since` : what
}

/** The last fact before the command of a fact. */
function begun({ seq, index }: Told): number {
  return seq - index - 1
}

/** The facts after one that an undo covers: those about the table that were not taken back before. */
export function coveredSince(backTo: number, facts: readonly Told[]): Told[] {
  const since = facts.filter(({ seq }) => seq > backTo)
  const gone = takenBack(since)
  return since.filter(({ seq, type }) => !gone.has(seq) && !NOTICES.has(type))
}

function undo(fact: Told, facts: readonly Told[], reader: Reader): Retold {
  const { seat, back_to: backTo, consent } = bodyOf<Undone>(fact)
  if (consent) return correction(fact)
  const since = coveredSince(
    backTo,
    facts.filter(({ seq }) => seq < fact.seq),
  )
  const verb = fact.type === 'Undone' ? 'took back' : 'asked to take back'
  const words = `[seat:${seat}] ${verb} ${covers(seat, backTo, since, reader, fact.seq)}`
  return since.length ? { words, moment: since.at(-1)!.seq } : { words }
}

/** It leads to the moment that is gone back to. */
function correction(fact: Told): Retold {
  return { words: fact.words, moment: bodyOf<CorrectionOffered | Undone>(fact).back_to }
}

function every<Body>(facts: readonly Told[], type: string): Body[] {
  return facts.filter((fact) => fact.type === type).map((fact) => bodyOf<Body>(fact))
}

/** The last nonce closes what all have put in; those before it are told with it. What was shown before a seat committed anew
 * counts no more. */
function dice(fact: Told, facts: readonly Told[]): Retold | null {
  const [created] = every<Created>(facts, 'Created')
  const counts = facts.findLast(({ type, seq }) => type === 'NonceCommittedAnew' && seq < fact.seq)?.seq ?? 0
  const shown = every<NonceShown>(
    facts.filter(({ seq }) => seq > counts && seq <= fact.seq),
    'NonceShown',
  )
  if (!created || shown.length < created.seats.length) return null
  const who = ['The server and the player', 'Both players'][shown.length - 1] ?? 'All players'
  const promises = new Map(
    [...every<NonceCommitted>(facts, 'NonceCommitted'), ...every<NonceCommittedAnew>(facts, 'NonceCommittedAnew')].map(({ seat, hash }) => [
      seat,
      hash,
    ]),
  )
  return {
    words: `${who} have set the dice: nobody can choose them now`,
    exact: [
      ['What the server was bound to before anybody sat down', created.commitment],
      ...[...promises].map(([seat, hash]): [string, string] => [`What [seat:${seat}] was bound to`, hash]),
      ...shown.map(({ seat, nonce }): [string, string] => [`What [seat:${seat}] put in`, nonce]),
    ],
  }
}

/** A fact as the log tells it where its own words are not enough: `undefined` for any other, null for what is told with
 * another. */
export function retold(fact: Told, facts: readonly Told[], reader: Reader): Retold | null | undefined {
  switch (fact.type) {
    case 'UndoOffered':
    case 'Undone':
      return undo(fact, facts, reader)
    case 'CorrectionOffered':
      return correction(fact)
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
