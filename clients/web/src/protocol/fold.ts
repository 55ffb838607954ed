/** Folding frames into the view at their end. Holes are noticed here and nowhere else. */

import { joinedMoves, type Move, moveOf, movesOf } from './moves'
import { patched } from './patch'
import { whole } from './view'
import type { Asked, Frame, TableView, Told, View } from './wire'

export interface Folded {
  upto: number
  h: string
  raw: Partial<TableView>
  view: TableView
  prompts: Asked[]
  facts: Told[]
  /** The commands so far; those before a view at the head are fetched later. */
  moves: readonly Move[]
}

export const NOTHING: Folded = { upto: 0, h: '', raw: {}, view: whole({}), prompts: [], facts: [], moves: [] }

/** `hole`: frames are missing; `old`: nothing new in it. */
export type Outcome = Folded | 'hole' | 'old'

export function foldFrame(before: Folded, frame: Frame): Outcome {
  if (frame.upto <= before.upto) return 'old'
  if (frame.after !== before.upto) return 'hole'
  const raw = patched(before.raw, frame.patch)
  return {
    upto: frame.upto,
    h: frame.h,
    raw,
    view: whole(raw),
    prompts: frame.prompts,
    facts: frame.facts.length ? [...before.facts, ...frame.facts] : before.facts,
    moves: [...before.moves, moveOf(frame, before.view.asked)],
  }
}

/** All there is to see, in place of what was known; the facts known so far stay. A view behind them is old. */
export function foldView(before: Folded, message: View): Folded | 'old' {
  if (message.upto < before.upto) return 'old'
  const raw = message.view as Partial<TableView>
  return { ...before, upto: message.upto, h: message.h, raw, view: whole(raw), prompts: message.prompts, moves: [] }
}

/** The commands up to a view at the head, which were fetched separately, all or a passage; those beyond it come as frames. */
export function filledIn(before: Folded, lines: readonly (View | Frame)[]): Folded {
  const known = lines.filter((line): line is Frame => 'facts' in line && line.upto <= before.upto)
  const facts = joined(
    known.flatMap((line) => line.facts),
    before.facts,
  )
  const start = lines[0] as { view?: { asked?: number[] } } | undefined
  return { ...before, facts, moves: joinedMoves(movesOf(known, start?.view?.asked), before.moves) }
}

/** Facts fetched separately joined with those already here, in the order of the log. */
export function joined(some: readonly Told[], others: readonly Told[]): Told[] {
  const bySeq = new Map<number, Told>()
  for (const fact of [...some, ...others]) bySeq.set(fact.seq, fact)
  return [...bySeq.values()].sort((one, two) => one.seq - two.seq)
}
