/** The view of Coral Sea's table as the server sends it (`domain/coral_sea/view.py`), and readings of it. */

import type { TableView } from '../../protocol/wire'

export type SideId = 'japan' | 'allied'
export type UnitType = 'infantry' | 'LS' | 'HS' | 'CV'

export interface Airfield {
  printed: boolean
  works: boolean
  counter?: SideId
  damaged?: boolean
  suppressed?: boolean
}

export interface Area {
  name: string
  kind: 'land' | 'sea' | 'box'
  urban?: boolean
  port?: boolean
  mountain?: boolean
  island?: string
  control?: SideId
  airfield?: Airfield
  rp?: Partial<Record<SideId, number>>
  fortress?: { side: SideId; factor: number; besieger?: SideId }
}

export interface Unit {
  name: string
  side: SideId
  nationality: string
  domain: 'ground' | 'naval'
  type: UnitType
  status: string
  points: number
  truk?: boolean
  area?: string
  cohesion?: number
  move?: number
  tactical?: number
  depleted?: boolean
  disorganised?: boolean
  acted?: boolean
  inside?: boolean
}

export interface Card {
  name: string
  colour: 'green' | 'red' | 'blue' | 'yellow'
  when: string[]
  text: string
  effects: string[]
  sp?: number
  permanent?: boolean
}

export interface Track {
  hand: number
  deck: number
  discards: number
  played: Record<string, string>
  airfields: number
  sites: number
  destroyed: number
  bonus: number
  fallen: number
  islands: string[]
}

export interface Site {
  area: string
  value: number
  areas: string[]
  held: SideId | ''
}

export interface Operation {
  side: SideId
  area: string
  sp: number
  rebuilt: boolean
}

/** The move under way, as those see it who may. */
export interface Move {
  how: 'march' | 'sail'
  /** Who moves together: ground units, or ships. */
  units: string[]
  cargo?: string[]
  rp?: number
  from: string
  at: string
  /** Movement or Range left. */
  left: number
}

/** A row of the sequence of play. */
export interface PlayStep {
  step: string
  rule: string
  name: string
  within?: string
}

/** A reaction window (C6.5). */
export interface Reacting {
  id: string
  rule: string
  name: string
}

export interface Battle {
  area: string
  origin: string
  domain: 'ground' | 'naval'
  attacker: SideId
  units: Record<SideId, string[]>
  isolated: string[]
  bunkers: string[]
  modifiers: Record<SideId, number>
  chits: Record<SideId, number>
  shown: string[]
  plays: number
  revealed?: { chit: string; side: SideId }
  check?: { unit: string; modifier: number; cohesion: number; passed: boolean }
}

export interface Own {
  /** Whose screen it is. */
  side?: SideId
  hand: Record<string, Card>
  chits: { id: string; name: string }[]
  mode?: string
  /** The kinds of window in which the side passes until the operation ends, and what they are. */
  passing?: Record<string, string>
  units?: Record<string, Unit>
  rp?: Record<string, number>
  order?: Record<string, string[]>
  move?: Move
}

interface HiddenStack {
  units?: string[]
  top?: string
  height?: number
}

export interface SentTable {
  scenario: string
  sequence: number
  step: string
  sequence_of_play: PlayStep[]
  initiative: { side: SideId; until?: number; for_good?: boolean }
  areas: Record<string, Area>
  units: Record<string, Unit>
  stacks: Record<string, Partial<Record<SideId, HiddenStack>>>
  sites: Record<string, Site>
  points: Record<SideId, number>
  tracks: Record<SideId, Track>
  permanent: Record<string, Card>
  committed: SideId[]
  modes?: Record<SideId, string>
  operation?: Operation
  window?: Reacting
  move?: Move
  battle?: Battle
  leaders?: Record<string, { name: string; unit: string }>
  count?: Record<SideId, number>
  own?: Own
}

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

export interface Leader {
  id: string
  name: string
}

export interface Table extends SentTable {
  laid: boolean
  stacks: SentTable['stacks']
  /** Stacks by id, in the order of the map. */
  heaps: Stack[]
  /** The side whose screen this is, or ''. */
  mine: SideId | ''
  /** Unit to the leader who is with it. */
  led: ReadonlyMap<string, Leader>
}

export const SIDES: readonly SideId[] = ['japan', 'allied']
export const SIDE_NAMES: Record<SideId, string> = { japan: 'Japan', allied: 'Allies' }
export const TYPE_NAMES: Record<UnitType, string> = {
  infantry: 'infantry',
  LS: 'light ships',
  HS: 'heavy ships',
  CV: 'carrier',
}
export const HAND_LIMIT = 5
export const SP_PER_RP = 6

const NO_TRACK: Track = {
  hand: 0,
  deck: 0,
  discards: 0,
  played: {},
  airfields: 0,
  sites: 0,
  destroyed: 0,
  bonus: 0,
  fallen: 0,
  islands: [],
}

const EMPTY: SentTable = {
  scenario: '',
  sequence: 0,
  step: '',
  sequence_of_play: [],
  initiative: { side: 'japan' },
  areas: {},
  units: {},
  stacks: {},
  sites: {},
  points: { japan: 0, allied: 0 },
  tracks: { japan: NO_TRACK, allied: NO_TRACK },
  permanent: {},
  committed: [],
}

export function sideNumber(side: SideId): number {
  return SIDES.indexOf(side)
}

const ORDER: Record<UnitType, number> = { CV: 0, HS: 1, LS: 2, infantry: 3 }

function heapsOf(sent: SentTable): Stack[] {
  const found = new Map<string, Stack>()
  const heap = (area: string, side: SideId): Stack => {
    const id = stackId(area, side)
    let stack = found.get(id)
    if (!stack) found.set(id, (stack = { id, area, side, units: [], count: 0, top: '', rp: 0, hidden: 0 }))
    return stack
  }
  for (const [id, unit] of Object.entries(sent.units)) if (unit.area) heap(unit.area, unit.side).units.push(id)
  for (const [area, { rp }] of Object.entries(sent.areas)) {
    for (const side of SIDES) if (rp?.[side]) heap(area, side).rp = rp[side]
  }
  const mine = sent.own?.side
  if (mine) for (const [area, count] of Object.entries(sent.own?.rp ?? {})) heap(area, mine).rp = count
  for (const [area, sides] of Object.entries(sent.stacks)) {
    for (const side of SIDES) {
      const hidden = sides[side]
      if (hidden?.height) Object.assign(heap(area, side), { top: hidden.top ?? '', count: hidden.height })
    }
  }
  for (const stack of found.values()) {
    const rank = (id: string): number => ORDER[sent.units[id]!.type] * 2 + (sent.units[id]!.depleted ? 1 : 0)
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
  const given = view.table as Partial<SentTable>
  const known = read.get(given)
  if (known) return known
  const sent: SentTable = { ...EMPTY, ...given }
  sent.units = { ...sent.units, ...sent.own?.units }
  sent.move ??= sent.own?.move
  const led = new Map(Object.entries(sent.leaders ?? {}).map(([id, { name, unit }]) => [unit, { id, name }]))
  const table: Table = { ...sent, laid: given.sequence !== undefined, heaps: heapsOf(sent), mine: sent.own?.side ?? '', led }
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
  return name
    .replace(/ \(.*\)$/, '')
    .replace(/ Inf Rgt$/, ' Rgt')
    .replace(/^Destroyer Sqn/, 'Des Sqn')
    .replace(/^Cruiser Div/, 'Cru Div')
    .replace(/^Battleship Div/, 'BB Div')
    .replace(/ Cruisers$/, ' CA')
    .replace(/ Battleships$/, ' BB')
    .replace(/ Marines$/, ' Mar')
    .replace(/ SNLF$/, '')
    .replace(/ Base Force$/, ' Base')
}
