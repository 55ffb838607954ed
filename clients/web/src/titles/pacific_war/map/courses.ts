/** The ways that a task force may take now, each with what may happen on it: made once for a table and a question. */

import type { TableView } from '../../../protocol/wire'
import { moves, type Risk, risksOn, shunned, type SideId } from '../reading'
import type { Table } from '../shown'
import { ALLOWANCE } from '../atlas'
import { courses } from './hexes'

export interface Course {
  way: readonly string[]
  risks: readonly Risk[]
}

/** The first id that a question names: "Choose where [J1] sails". */
export function subjectOf(question: string): string {
  return /\[([^\]]+)\]/.exec(question)?.[1] ?? ''
}

/** The task force that a question is about, where nothing on the map answers it; or ''. */
export function unpicked(table: Pick<Table, 'tfs'>, question: string, glowing: ReadonlySet<string>): string {
  const subject = subjectOf(question)
  return glowing.size || !table.tfs[subject] ? '' : subject
}

const made = new WeakMap<object, Map<string, ReadonlyMap<string, Course>>>()

/** Nodes to the ways of a task force there. */
export function coursesOf(view: TableView, table: Table, tf: string): ReadonlyMap<string, Course> {
  const key = view.table as object
  const known = made.get(key) ?? new Map<string, ReadonlyMap<string, Course>>()
  made.set(key, known)
  const found = known.get(tf) ?? make(table, tf)
  known.set(tf, found)
  return found
}

/** Hexes that a task force may go in answer to an Operation, at most (P23.5.1): where it may go the list says. */
const ANSWER = 18

function make(table: Table, tf: string): ReadonlyMap<string, Course> {
  const force = table.tfs[tf]
  const own = table.own?.fleets[tf]
  if (!force || !own) return new Map()
  const side: SideId = force.side
  const most = table.phase === '5.1.T' ? ANSWER : (ALLOWANCE[own.speed ?? ''] ?? 0)
  const ways = courses(force.node, Math.max(0, most - (own.used ?? 0)), new Set(table.area), shunned(table, side))
  return new Map([...ways].map(([node, way]) => [node, { way, risks: moves(table) ? risksOn(table, side, way) : [] }]))
}
