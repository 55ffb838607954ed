/** A match as a row of commands: who was asked when each was given, and what can be seen of what came of it. */

import type { Frame, Told } from './wire'

export interface Move {
  after: number
  upto: number
  /** The seats that were asked; null where a frame holds several commands, so that nobody can tell. */
  asked: readonly number[] | null
  /** Those of them who are not asked any more. */
  gone: readonly number[]
  facts: readonly Told[]
  /** Some of its facts may not be seen. */
  sealed: boolean
}

export function moveOf(frame: Frame, asked: readonly number[]): Move {
  const { after, upto, facts, sealed } = frame
  const [first] = facts
  const several = new Set(facts.map((fact) => fact.command)).size > 1 || (first && first.seq - first.index > after + 1) === true
  const next = askedAfter(frame, asked)
  const gone = several ? [] : asked.filter((seat) => !next.includes(seat))
  return { after, upto, asked: several ? null : asked, gone, facts, sealed: sealed.length > 0 }
}

function askedAfter({ patch }: Frame, before: readonly number[]): readonly number[] {
  const { asked } = patch as { asked?: number[] | null }
  return asked === undefined ? before : (asked ?? [])
}

/** The moves of steps of a match, from its first or from where these seats were asked. */
export function movesOf(lines: readonly Frame[], first: readonly number[] = []): Move[] {
  let asked = first
  return lines.map((line) => {
    const move = moveOf(line, asked)
    asked = askedAfter(line, asked)
    return move
  })
}

/** Moves that were fetched, and after them those that have come in the meantime. */
export function joinedMoves(fetched: readonly Move[], come: readonly Move[]): Move[] {
  const upto = fetched.at(-1)?.upto ?? 0
  return [...fetched, ...come.filter((move) => move.upto > upto)]
}
