/** Midway's table as the page reads it, and questions about what lies where. */

import type { TableView } from '../../protocol/wire'
import { EMPTY, type Carrier as ShownCarrier, type Group as ShownGroup, type Table as ShownTable } from './shown'

export type SideId = ShownCarrier['side']
export type PlaneType = ShownGroup['type']

/** Sides are told by their number, as everywhere in the page. */
type Numbered<One extends { side: SideId }> = Omit<One, 'side'> & { side: number }

export type Carrier = Numbered<ShownCarrier>
export type Group = Numbered<ShownGroup>

export interface Table extends Omit<ShownTable, 'carriers' | 'groups'> {
  carriers: Record<string, Carrier>
  groups: Record<string, Group>
}

/** Before the set-up the board is drawn with all its rings, and nobody searches. */
const BEFORE: ShownTable = { ...EMPTY, cap_rings: 3, found: { JP: true, US: true } }

export const SIDES: readonly SideId[] = ['JP', 'US']
export const SIDE_NAMES = ['Japan', 'United States'] as const
export const TYPE_NAMES: Record<PlaneType, string> = { F: 'fighters', D: 'dive bombers', T: 'torpedo bombers' }
export const CIRCLES = 10
export const CRIPPLED_AT = 7
export const DECK_LIMIT = 20
export const AIR = ['MOVING', 'READY', 'ATTACKING', 'HOME', 'WAITING'] as const

export function sideNumber(side: SideId): number {
  return SIDES.indexOf(side)
}

function numbered<One extends { side: SideId }>(shown: Record<string, One>): Record<string, Numbered<One>> {
  return Object.fromEntries(Object.entries(shown).map(([id, one]) => [id, { ...one, side: sideNumber(one.side) }]))
}

const read = new WeakMap<object, Table>()

/** The table of a view; views do not change, so each is read once. */
export function tableOf(view: TableView): Table {
  const given = view.table as Partial<ShownTable>
  const known = read.get(given)
  if (known) return known
  const shown = { ...BEFORE, ...given }
  const table = { ...shown, carriers: numbered(shown.carriers), groups: numbered(shown.groups) }
  read.set(given, table)
  return table
}

/** The id of a place as the words of facts write it: boxes of a side carry its name. */
export function boxId(side: number, place: string): string {
  return /^(HANGAR|DECK):/.test(place) ? place : `${SIDES[side]}:${place}`
}

export function strength(groups: readonly Group[]): number {
  return groups.reduce((sum, group) => sum + group.strength, 0)
}

export function carriersOf(table: Table, side: number): string[] {
  return Object.keys(table.carriers).filter((name) => table.carriers[name]!.side === side)
}

/** Group ids by the id of the box they are in, in data order. */
export function contents(table: Table): Map<string, string[]> {
  const boxes = new Map<string, string[]>()
  for (const [id, group] of Object.entries(table.groups)) {
    const box = boxId(group.side, group.place)
    const inside = boxes.get(box)
    if (inside) inside.push(id)
    else boxes.set(box, [id])
  }
  return boxes
}
