/** The Operations of a month, day by day, as the log tells them. */

import { bodyOf } from '../../../protocol/body'
import type { Told } from '../../../protocol/wire'
import { type SideId, SIDES } from '../reading'
import type { DayIs, MonthsSetUp, OperationIs } from '../facts'
import type { Table } from '../shown'

/** P4.1: days of a month, after Month Begin. */
export const DAYS = 30

export interface Span {
  /** As it is counted in the campaign; 0 if the log that is here does not say. */
  number: number
  side: SideId
  hq: string
  /** Days; 0 is Month Begin. */
  from: number
  to: number
  /** It is under way. */
  now: boolean
  /** The day on which it would have lasted as long as was planned; 0 for one that is over. */
  until: number
}

/** The facts of the present month, and the day on which it began; one that the log does not reach back to begins where the log does. */
function ofMonth(facts: readonly Told[]): { told: readonly Told[]; first: number } {
  for (let place = facts.length - 1; place >= 0; place--) {
    const fact = facts[place]!
    if (fact.type === 'MonthIs') return { told: facts.slice(place + 1), first: 0 }
    // The war begins within a month (S1.1).
    if (fact.type === 'MonthsSetUp') return { told: facts.slice(place + 1), first: bodyOf<MonthsSetUp>(fact).war.day ?? 0 }
  }
  return { told: facts, first: 0 }
}

/** The Operations of the present month in their order. One that activated nothing, or goes on from the last month, is one too. */
export function spans(table: Table, facts: readonly Told[]): Span[] {
  const { war } = table
  if (!war) return []
  const found: Span[] = []
  const { told, first } = ofMonth(facts)
  let [day, open] = [first, null as Span | null]
  for (const fact of told) {
    if (fact.type === 'DayIs') ({ day } = bodyOf<DayIs>(fact))
    if (open) open.to = day
    if (fact.type !== 'OperationIs') continue
    const { operation, begun = false } = bodyOf<OperationIs>(fact)
    if (!operation) {
      if (open) open.now = false
      open = null
      continue
    }
    if (begun || !open) {
      if (open) open.now = false
      open = { number: 0, side: SIDES[operation.player]!, hq: '', from: day, to: day, now: true, until: 0 }
      found.push(open)
    }
    open.hq = operation.hq
  }
  // What the log that is here does not tell, the table does.
  const { operation } = war
  if (operation && !open) {
    open = { number: 0, side: operation.player, hq: operation.hq ?? '', from: war.day, to: war.day, now: true, until: 0 }
    found.push(open)
  }
  if (operation && open) {
    open.to = war.day
    open.hq = operation.hq ?? open.hq
    open.until = Math.min(DAYS, Math.max(open.to, war.day + operation.planned - (operation.days ?? 0)))
  }
  return found.map((one, place) => ({ ...one, number: Math.max(0, war.operations - (found.length - 1 - place)) }))
}
