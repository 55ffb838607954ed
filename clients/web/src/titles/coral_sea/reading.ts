/** Coral Sea's table as the page reads it, and questions about what lies where. */

import type { TableView } from '../../protocol/wire'
import { EMPTY, type Move, type Leader as ShownLeader, type Table as ShownTable, type Unit } from './shown'

export type SideId = Unit['side']
export type UnitType = Unit['type']

/** The counters of one side in one area, as this reader sees them. */
export interface Stack {
  id: string
  area: string
  side: SideId
  /** Known units, the most telling first. */
  units: string[]
  /** Counters there are: units, and with hidden stacks resource points, too. */
  count: number
  /** Of a hidden stack, what lies on top: a unit, or `rp`. */
  top: string
  /** Known resource points. */
  rp: number
  /** Counters this reader does not know. */
  hidden: number
}

/** A leader, by the unit he is with. */
export type Leader = Pick<ShownLeader, 'name'> & { id: string }

export interface Table extends ShownTable {
  laid: boolean
  /** Stacks by id, in the order of the map. */
  heaps: Stack[]
  /** The side whose screen this is, or ''. */
  mine: SideId | ''
  /** Unit to the leader who is with it. */
  led: ReadonlyMap<string, Leader>
}

const BEFORE: ShownTable = { ...EMPTY, initiative: { side: 'japan' } }

export const SIDES: readonly SideId[] = ['japan', 'allied']
export const SIDE_NAMES: Record<SideId, string> = { japan: 'Japan', allied: 'Allies' }
/** A side with what it does: "Japan sails", "Allies sail". */
export const does = (side: SideId, one: string, many: string): string => `${SIDE_NAMES[side]} ${side === 'japan' ? one : many}`
export const TYPE_NAMES: Record<UnitType, string> = {
  infantry: 'infantry',
  LS: 'light ships',
  HS: 'heavy ships',
  CV: 'carrier',
}
export const HAND_LIMIT = 5
export const SP_PER_RP = 6

export function sideNumber(side: SideId): number {
  return SIDES.indexOf(side)
}

const ORDER: Record<UnitType, number> = { CV: 0, HS: 1, LS: 2, infantry: 3 }

function heapsOf(shown: ShownTable): Stack[] {
  const found = new Map<string, Stack>()
  const heap = (area: string, side: SideId): Stack => {
    const id = stackId(area, side)
    let stack = found.get(id)
    if (!stack) found.set(id, (stack = { id, area, side, units: [], count: 0, top: '', rp: 0, hidden: 0 }))
    return stack
  }
  for (const [id, unit] of Object.entries(shown.units)) if (unit.area) heap(unit.area, unit.side).units.push(id)
  for (const [area, { rp }] of Object.entries(shown.areas)) {
    for (const side of SIDES) if (rp?.[side]) heap(area, side).rp = rp[side]
  }
  const mine = shown.own?.side
  if (mine) for (const [area, count] of Object.entries(shown.own?.rp ?? {})) heap(area, mine).rp = count
  for (const [area, sides] of Object.entries(shown.stacks)) {
    for (const side of SIDES) {
      const hidden = sides[side]
      if (hidden?.height) Object.assign(heap(area, side), { top: hidden.top ?? '', count: hidden.height })
    }
  }
  for (const stack of found.values()) {
    const rank = (id: string): number => ORDER[shown.units[id]!.type] * 2 + (shown.units[id]!.depleted ? 1 : 0)
    stack.units.sort((a, b) => rank(a) - rank(b))
    stack.hidden = stack.top ? Math.max(0, stack.count - stack.units.length - stack.rp) : 0
    stack.count = Math.max(stack.count, stack.units.length)
  }
  return [...found.values()]
}

export function stackId(area: string, side: SideId): string {
  return `stack:${area}:${side}`
}

const read = new WeakMap<object, Table>()

/** The table of a view; views do not change, so each is read once. */
export function tableOf(view: TableView): Table {
  const given = view.table as Partial<ShownTable>
  const known = read.get(given)
  if (known) return known
  const shown: ShownTable = { ...BEFORE, ...given }
  shown.units = { ...shown.units, ...shown.own?.units }
  shown.move ??= shown.own?.move
  const led = new Map(Object.entries(shown.leaders ?? {}).map(([id, { name, unit }]) => [unit, { id, name }]))
  const table: Table = { ...shown, laid: given.sequence !== undefined, heaps: heapsOf(shown), mine: shown.own?.side ?? '', led }
  read.set(given, table)
  return table
}

/** The side whose operation or card it is, or that battles. */
export function actor(table: Table): SideId | null {
  return table.operation?.side ?? null
}

export function values(unit: Unit): string {
  return `${unit.cohesion ?? '–'}·${unit.move ?? '–'}·${unit.tactical ?? '–'}`
}

export function conditionOf(unit: Unit): string {
  const parts = [
    unit.depleted ? 'depleted' : 'full',
    unit.disorganised ? 'disorganised' : '',
    unit.acted ? 'has acted' : '',
    unit.inside ? 'inside the fortress' : '',
  ]
  return parts.filter(Boolean).join(', ')
}

/** "Range 4" or "Movement 2": how far a move may still go. */
export function reach(move: Move): string {
  return `${move.how === 'sail' ? 'Range' : 'Movement'} ${move.left}`
}

/** A leader's last name. */
export function surname(name: string): string {
  return name.split(' ').at(-1)!
}

/** A name as short as a counter needs it. */
export function short(name: string): string {
  return (
    name
      .replace(/ \(.*\)$/, '')
      .replace(/ Inf Rgt$/, ' Rgt')
      // Its paper tells the side, which the name tells where both have one so called.
      .replace(/^(?:Allied|Japanese) /, '')
      .replace(/^Destroyer Sqn/, 'Des Sqn')
      .replace(/^Cruiser Div/, 'Cru Div')
      .replace(/^Battleship Div/, 'BB Div')
      .replace(/ Cruisers$/, ' CA')
      .replace(/ Battleships$/, ' BB')
      .replace(/ Marines$/, ' Mar')
      .replace(/ SNLF$/, '')
      .replace(/ Base Force$/, ' Base')
  )
}
