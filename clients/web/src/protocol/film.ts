/** A match, or a passage of one, as a row of views. Views share what did not change, so all of them fit in memory and a step to any
 * moment is one look-up. */

import { NOTICES } from '../words/facts'
import { type Move, movesOf } from './moves'
import { patched } from './patch'
import { whole } from './view'
import type { Frame, TableView, Told, View } from './wire'

/** The facts up to one of them. */
export function begun(facts: readonly Told[], upto: number): Told[] {
  return facts.slice(0, facts.findLastIndex((fact) => fact.seq <= upto) + 1)
}

export class Film {
  readonly length: number
  readonly facts: Told[]
  private readonly views: TableView[]

  /** `start` is what was seen before the first step of a passage. */
  constructor(
    private readonly lines: readonly Frame[],
    private readonly start?: View,
  ) {
    let raw = (start?.view ?? {}) as Partial<TableView>
    this.views = [whole(raw)]
    for (const line of lines) {
      raw = patched(raw, line.patch)
      this.views.push(whole(raw))
    }
    this.length = lines.length
    this.facts = lines.flatMap((line) => line.facts)
  }

  /** Its steps with who was asked before each. */
  get moves(): Move[] {
    return movesOf(this.lines, this.views[0]!.asked)
  }

  /** The facts from its first moment to its last. */
  get span(): number {
    return this.seq(this.length) - this.seq(0)
  }

  /** The view after step `at`; 0 is before the first of these. */
  view(at: number): TableView {
    return this.views[at] ?? this.views[0]!
  }

  step(at: number): Frame | null {
    return this.lines[at - 1] ?? null
  }

  /** The last fact of step `at`. */
  seq(at: number): number {
    return this.lines[at - 1]?.upto ?? this.start?.upto ?? 0
  }

  /** All facts up to the end of step `at`. */
  past(at: number): Told[] {
    return begun(this.facts, this.seq(at))
  }

  /** The last fact of step `at` that rules decided, hidden or not; 0 if it has none but notices. */
  decided(at: number): number {
    const line = this.lines[at - 1]
    if (line?.facts.some(({ type }) => type === 'Undone')) return 0
    const open = line?.facts.findLast((fact) => fact.type === 'Started' || !NOTICES.has(fact.type))?.seq ?? 0
    return Math.max(open, line?.sealed.at(-1)?.[0] ?? 0)
  }

  /** The step that shows fact `seq`: the first whose facts reach it. */
  place(seq: number): number {
    if (seq <= this.seq(0)) return 0
    const found = this.lines.findIndex((line) => line.upto >= seq)
    return found < 0 ? this.length : found + 1
  }
}
