/** The air missions that are drawn over the map: those that fly, and the one that the reader plans. */

import type { Names } from '../../title'
import { strikeLabel } from '../labels'
import { type Laid, pointOf } from '../places'
import { hexOfAny, type SideId } from '../reading'
import type { Table } from '../shown'
import { centre, type Point } from './hexes'

export interface Mission {
  key: string
  side: SideId
  /** null where its base is not known. */
  from: Point | null
  to: Point
  /** Steps of aircraft. */
  strike: number
  escort: number
  planned: boolean
  label: string
}

/** The middle of the hex that anything on the map is in; null if it is nowhere. */
export function centreOf(table: Table, id: string): Point | null {
  const hex = hexOfAny(table, id)
  return hex ? centre(hex) : null
}

const sum = (steps: Record<string, number> = {}): number => Object.values(steps).reduce((all, one) => all + one, 0)

export function missionsOf(table: Table, laid: Laid, names: Names): Mission[] {
  const { own } = table
  const raids = (table.raids ?? []).map((raid) => ({
    ...raid,
    origin: raid.origin || (own?.side === raid.side ? (own.origin ?? '') : ''),
    planned: false,
  }))
  const plans = own?.plan?.target ? [{ ...own.plan, target: own.plan.target, side: own.side, planned: true }] : []
  return [...raids, ...plans].flatMap((one, place) => {
    const to = pointOf(laid, table, one.target) ?? centreOf(table, one.target)
    if (!to) return []
    const start = one.origin ? (pointOf(laid, table, one.origin) ?? centreOf(table, one.origin)) : null
    return [
      {
        key: `${place} ${one.kind} ${one.target}`,
        side: one.side,
        from: start,
        to,
        strike: sum(one.strike),
        escort: sum(one.escort),
        planned: one.planned,
        label: strikeLabel(table, one, names),
      },
    ]
  })
}
