/** The view of Midway's table as the server sends it (`domain/midway/table.py`), and readings of it. */

import type { TableView } from '../../protocol/wire'

export type SideId = 'JP' | 'US'

export interface Carrier {
  name: string
  side: number
  aa: number
  repair: number
  capacity: number
  seat: number
  damage: number
}

export type PlaneType = 'F' | 'D' | 'T'

export interface Group {
  name: string
  side: number
  home: string
  type: PlaneType
  aircraft: string
  full: number
  strength: number
  place: string
  target?: string
  committed?: string
  search_group?: number
  proposed?: number
  moved?: boolean
}

export interface StepOfPlay {
  step: number
  side: SideId
  name: string
  rule: string
}

type Sent<One> = Omit<One, 'side'> & { side: SideId }

/** As it is sent: sides by their ids. Empty before the set-up. */
interface SentTable {
  scenario: string
  turn: number
  turn_limit: number
  time: string
  steps: number[]
  cap_rings: number
  carriers: Record<string, Sent<Carrier>>
  groups: Record<string, Sent<Group>>
  found: Record<SideId, boolean>
  points: Record<SideId, number>
  losses: Record<SideId, number>
  sequence: StepOfPlay[]
  grade?: string
}

export interface Table extends Omit<SentTable, 'carriers' | 'groups'> {
  carriers: Record<string, Carrier>
  groups: Record<string, Group>
}

const EMPTY: Table = {
  scenario: '',
  turn: 0,
  turn_limit: 0,
  time: '',
  steps: [],
  cap_rings: 3,
  carriers: {},
  groups: {},
  found: { JP: true, US: true },
  points: { JP: 0, US: 0 },
  losses: { JP: 0, US: 0 },
  sequence: [],
}

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

function numbered<One extends { side: number }>(sent: Record<string, Sent<One>>): Record<string, One> {
  const entries = Object.entries(sent).map(([id, one]) => [id, { ...one, side: sideNumber(one.side) }])
  return Object.fromEntries(entries) as Record<string, One>
}

const read = new WeakMap<object, Table>()

/** The table of a view; views do not change, so each is read once. */
export function tableOf(view: TableView): Table {
  const sent = view.table as Partial<SentTable>
  const known = read.get(sent)
  if (known) return known
  const table = {
    ...EMPTY,
    ...sent,
    carriers: numbered<Carrier>(sent.carriers ?? {}),
    groups: numbered<Group>(sent.groups ?? {}),
  }
  read.set(sent, table)
  return table
}

export type Condition = 'operational' | 'crippled' | 'sunk'

export function condition(damage: number): Condition {
  if (damage >= CIRCLES) return 'sunk'
  return damage >= CRIPPLED_AT ? 'crippled' : 'operational'
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
