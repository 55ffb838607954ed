/** What is written of fleets and places: a row for each ship and unit, and how many of each kind are there. */

import { basedAt, type Fleet, inPort, type SideId, SIDES, troopsAt } from './reading'
import type { Location, Table } from './shown'

/** A row of a chip that is seen from close by. */
export interface Row {
  id: string
  words: string
  /** Hits taken, and how many it stands. */
  damage: number
  hits: number
  /** Steps of an air unit: ready, on CAP, used. */
  pips?: { ready: number; cap: number; used: number }
  dim?: boolean
}

export interface Units {
  side: SideId
  /** Ground units, aircraft, ships in port: how many are known, or −1 if only that there are some. */
  ground: number
  air: number
  ships: number
}

/** What a place has. */
export type Item = 'port' | 'airbase' | 'fort'

export function shipRows(table: Table, fleet: Fleet): Row[] {
  const seen = fleet.ships.length ? fleet.ships : fleet.seen
  return seen.flatMap((id) => {
    const printed = table.roster.ships[id]
    const ship = fleet.mine ? table.own?.ships[id] : table.ships[id]
    const row: Row = {
      id,
      words: `${printed?.cls ?? ''} ${printed?.name ?? id}`,
      damage: ship?.damage ?? 0,
      hits: printed?.hits ?? 0,
      dim: !fleet.ships.length || Boolean(ship?.inactive),
    }
    return [row, ...basedAt(table, id).map((unit) => airRow(table, unit))]
  })
}

export function airRow(table: Table, unit: string): Row {
  const printed = table.roster.air[unit]
  const own = table.own?.air[unit]
  const air = own ?? table.air[unit]
  const [ready, cap] = [own?.ready ?? 0, own?.cap ?? 0]
  const steps = air?.steps ?? 0
  return {
    id: unit,
    words: `${printed?.kind ?? ''} ${printed?.name ?? unit}`,
    damage: 0,
    hits: 0,
    pips: own ? { ready, cap, used: Math.max(0, steps - ready - cap) } : { ready: steps, cap: 0, used: 0 },
    dim: Boolean(air?.inactive),
  }
}

export function groundRow(table: Table, unit: string): Row {
  const printed = table.roster.ground[unit]
  const ground = table.own?.ground[unit] ?? table.ground[unit]
  return {
    id: unit,
    words: `${printed?.name ?? unit}${ground?.broken ? ', Broken' : ''}${ground?.landing ? ', landing' : ''}`,
    damage: Math.max(0, (printed?.most ?? 0) - (ground?.steps ?? 0)),
    hits: printed?.most ?? 0,
    dim: Boolean(ground?.inactive),
  }
}

export function shipRow(table: Table, id: string): Row {
  const printed = table.roster.ships[id]
  const ship = table.own?.ships[id] ?? table.ships[id]
  return { id, words: `${printed?.cls ?? ''} ${printed?.name ?? id}`, damage: ship?.damage ?? 0, hits: printed?.hits ?? 0, dim: true }
}

export function unitsAt(table: Table, id: string, place: Location): Units[] {
  return SIDES.flatMap((side) => {
    const mine = (list: readonly string[], roster: Record<string, { side: SideId }>): number =>
      list.filter((one) => roster[one]?.side === side).length
    const count = (known: number, there: boolean): number => known || (there ? -1 : 0)
    const one = {
      side,
      ground: count(mine(troopsAt(table, place.hex), table.roster.ground), table.troops[side].includes(place.hex)),
      air: count(mine(basedAt(table, id), table.roster.air), place.aircraft?.includes(side) ?? false),
      ships: count(mine(inPort(table, id), table.roster.ships), place.ships?.includes(side) ?? false),
    }
    return one.ground || one.air || one.ships ? [one] : []
  })
}

export function itemsOf(place: Location): Item[] {
  return [
    ...(place.port ? ['port' as const] : []),
    ...(place.airbase ? ['airbase' as const] : []),
    ...(place.fort ? ['fort' as const] : []),
  ]
}
