/** The bids for an Operation once both are opened (P18.2). */

import { bodyOf } from '../../../protocol/body'
import type { Told } from '../../../protocol/wire'
import type { SideId } from '../reading'
import type { BidsOpened, OperationIs } from '../facts'
import type { Table } from '../shown'

export interface Opened {
  /** The fact that opened them. */
  seq: number
  bids: Record<SideId, { hq: string; amount: number }>
  leads: SideId
  /** What decided it, in words. */
  why: string
}

/** What comes before units are activated: the end of an Operation, and what its leader does with his units, as he is told it. */
const OVER: ReadonlySet<string> = new Set(['MonthIs', 'OwnUnits', 'OwnFleets', 'FleetsAre'])

/** The bids that were opened last, until the Operation that they were for begins to move; else null. */
export function openedBids({ phase, war }: Pick<Table, 'phase' | 'war'>, facts: readonly Told[]): Opened | null {
  const operation = war?.operation
  if (!operation || operation.level || operation.ap || !/^5\.1\.[OP]$/.test(phase)) return null
  const place = facts.findLastIndex(({ type }) => type === 'BidsOpened')
  const fact = facts[place]
  const after = facts.slice(place + 1)
  const over = after.some((one) => OVER.has(one.type) || (one.type === 'OperationIs' && !bodyOf<OperationIs>(one).operation))
  if (!fact || over) return null
  const { hqs, amounts } = bodyOf<BidsOpened>(fact)
  const even = amounts[0] === amounts[1]
  return {
    seq: fact.seq,
    bids: { JP: { hq: hqs[0], amount: amounts[0] }, AL: { hq: hqs[1], amount: amounts[1] } },
    leads: operation.player,
    why: even ? `by ${war.initiative ? 'the Initiative' : 'dice'}, as both bid as much` : 'by the higher bid',
  }
}
