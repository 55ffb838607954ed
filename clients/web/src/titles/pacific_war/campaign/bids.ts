/** The bids for an Operation once both are opened (P18.2). */

import { bodyOf } from '../../../protocol/body'
import type { Told } from '../../../protocol/wire'
import type { SideId } from '../reading'
import type { BidsOpened, MeansAre, OperationIs } from '../facts'
import type { Table } from '../shown'

export interface Opened {
  /** The fact that opened them. */
  seq: number
  bids: Record<SideId, { hq: string; amount: number }>
  /** '' where neither side has bid. */
  leads: SideId | ''
  /** What decided it, or what comes of it, in words. */
  why: string
}

/** What comes before units are activated: the end of an Operation, and what its leader does with his units, as he is told it. */
const OVER: ReadonlySet<string> = new Set(['MonthIs', 'OwnUnits', 'OwnFleets', 'FleetsAre'])

const beganOver = (one: Told): boolean => OVER.has(one.type) || (one.type === 'OperationIs' && !bodyOf<OperationIs>(one).operation)
const allotted = (one: Told): boolean => one.type === 'MeansAre' && bodyOf<MeansAre>(one).why === 'allocated'

/** The bids that were opened last, until the Operation that they were for begins to move; where neither side has bid until the
 * points of the next month are allotted, as far as the reader is told of it, and in any case until its Operations; else null. */
export function openedBids({ phase, war, points }: Pick<Table, 'phase' | 'war' | 'points'>, facts: readonly Told[]): Opened | null {
  const place = facts.findLastIndex(({ type }) => type === 'BidsOpened')
  const fact = facts[place]
  if (!fact || !war || points) return null
  const after = facts.slice(place + 1)
  const { hqs, amounts } = bodyOf<BidsOpened>(fact)
  const bids = { JP: { hq: hqs[0], amount: amounts[0] }, AL: { hq: hqs[1], amount: amounts[1] } }
  if (!amounts[0] && !amounts[1]) {
    const next = after.some(({ type }) => type === 'MonthIs')
    const shown = (next ? /^5\.1\.[A-G]$/ : /^5\.1\.O$/).test(phase) && !war.operation && !after.some(allotted)
    return shown ? { seq: fact.seq, bids, leads: '', why: 'and the month ends' } : null
  }
  const { operation } = war
  if (!operation || operation.level || operation.ap || !/^5\.1\.[OP]$/.test(phase) || after.some(beganOver)) return null
  const even = amounts[0] === amounts[1]
  return {
    seq: fact.seq,
    bids,
    leads: operation.player,
    why: even ? `by ${war.initiative ? 'the Initiative' : 'dice'}, as both bid as much` : 'by the higher bid',
  }
}
