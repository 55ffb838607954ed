/** What the page reads of the table: whose a thing is, where it is, and how it stands, as far as whoever looks knows. */

import { counted } from '../../words/count'
import type { TableView } from '../../protocol/wire'
import { ALLOWANCE, REACH } from './atlas'
import { beside, hexOf } from './map/hexes'
import { type Air, EMPTY, type Ground, type Location, type Ship, type Table } from './shown'

export type SideId = 'JP' | 'AL'
export const SIDES: readonly SideId[] = ['JP', 'AL']
export const SIDE_NAMES: Record<SideId, string> = { JP: 'Japan', AL: 'the Allies' }
/** A shape beside the colour. */
export const SIGNS: Record<SideId, string> = { JP: '●', AL: '★' }

export function tableOf(view: TableView): Table {
  return { ...EMPTY, ...(view.table as Partial<Table>) }
}

export const foe = (side: SideId): SideId => (side === 'JP' ? 'AL' : 'JP')
export const sideNumber = (side: SideId): number => SIDES.indexOf(side)

/** The own state of a unit where it is known, else the public one. */
export function shipOf(table: Table, id: string): Ship | undefined {
  return table.own?.ships[id] ?? table.ships[id]
}
export function airOf(table: Table, id: string): Air | undefined {
  return table.own?.air[id] ?? table.air[id]
}
export function groundOf(table: Table, id: string): Ground | undefined {
  return table.own?.ground[id] ?? table.ground[id]
}

/** A task force as whoever looks knows it. */
export interface Fleet {
  id: string
  side: SideId
  node: string
  mine: boolean
  detected: boolean
  /** What is in it, if that is known. */
  ships: string[]
  screen: readonly string[]
  speed: string
  /** What was last seen in it, if nothing is known now, and in which cycle. */
  seen: readonly string[]
  seenCycle: number
  /** Hexes that it can still go in this phase; −1 where that is not known. */
  left: number
  stopped: boolean
}

export function fleets(table: Table): Fleet[] {
  return Object.entries(table.tfs).map(([id, tf]) => {
    const own = table.own?.fleets[id]
    const { core = [], screen = [] } = own ?? tf
    const speed = own?.speed ?? tf.speed ?? ''
    return {
      id,
      side: tf.side,
      node: tf.node,
      mine: own !== undefined,
      detected: tf.detected ?? false,
      ships: [...core, ...screen],
      screen,
      speed,
      seen: own || core.length + screen.length ? [] : (tf.seen ?? []),
      seenCycle: tf.seen_cycle ?? 0,
      left: own && table.phase && moves(table) === tf.side ? leftOf(table.phase, speed, own.used) : -1,
      stopped: own?.stopped ?? false,
    }
  })
}

/** Hexes of contact movement in a day (P23.4). */
const CONTACT = 3

/** The side whose movement phase it is. */
export function moves(table: Table): SideId | null {
  const leads = table.war?.operation?.player
  if (leads && table.phase === '5.1.R') return leads
  if (leads && table.phase === '5.1.T') return foe(leads)
  const advantage = table.advantage ?? null
  if (!advantage) return null
  return table.phase === '5.2.C' ? advantage : table.phase === '5.2.K' ? foe(advantage) : null
}

/** How far a task force may go in answer, only the prompt says (P23.5.1). */
function leftOf(phase: string, speed: string, used = 0): number {
  if (phase === '5.1.T') return -1
  return Math.max(0, (phase === '5.1.R' ? CONTACT : (ALLOWANCE[speed] ?? 0)) - used)
}

const KINDS = ['CV', 'CVL', 'CVE', 'CVS', 'BB', 'BC', 'CA', 'CL', 'DD', 'AA', 'AP']

/** "2 CV, 2 CA, 1 DD" */
export function byClass(table: Table, ships: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const id of ships) {
    const cls = table.roster.ships[id]?.cls ?? '?'
    counts.set(cls, (counts.get(cls) ?? 0) + 1)
  }
  const order = (cls: string): number => (KINDS.indexOf(cls) + 1 || KINDS.length + 1) - 1
  return [...counts]
    .sort(([one], [other]) => order(one) - order(other))
    .map(([cls, count]) => `${count} ${cls}`)
    .join(', ')
}

/** Units by where they are, as far as they are known, in order; of a table they are gone through once. */
function listed<Unit>(of: (table: Table) => Record<string, Unit>, where: (unit: Unit) => string | undefined) {
  const known = new WeakMap<Table, Map<string, string[]>>()
  return (table: Table, at: string): readonly string[] => {
    let found = known.get(table)
    if (!found) {
      found = new Map<string, string[]>()
      known.set(table, found)
      const units = of(table)
      for (const id of Object.keys(units).sort()) {
        const place = where(units[id]!) ?? ''
        const there = found.get(place)
        if (there) there.push(id)
        else found.set(place, [id])
      }
    }
    return found.get(at) ?? []
  }
}

/** Air units at an airbase or on a ship. */
export const basedAt = listed(
  ({ air, own }) => ({ ...air, ...own?.air }),
  ({ steps, home }) => (steps ? home : ''),
)

/** Ground units in a hex. */
export const troopsAt = listed(
  ({ ground, own }) => ({ ...ground, ...own?.ground }),
  ({ steps, hex }) => (steps ? hex : ''),
)

/** Ground units aboard one of these ships. */
export function aboard(table: Table, ships: readonly string[]): string[] {
  const known = { ...table.ground, ...table.own?.ground }
  return Object.keys(known)
    .filter((id) => ships.some((ship) => known[id]!.aboard?.[ship]))
    .sort()
}

/** Ships in a port. */
export const inPort = listed(
  ({ ships, own }) => ({ ...ships, ...own?.ships }),
  ({ port }) => port,
)

export function placeAt(table: Table, hex: string): string {
  return Object.entries(table.locations).find(([, one]) => one.hex === hex)?.[0] ?? ''
}

/** The name of a place, or the number of a hex or a coast: "Rabaul", "hex 4939". */
export function whereIs(table: Table, node: string): string {
  const place = placeAt(table, hexOf(node))
  const coast = node.length > 4 ? `, coast ${node.slice(4)}` : ''
  return `${table.locations[place]?.name ?? `hex ${hexOf(node)}`}${coast}`
}

/** The hex of a task force, a place, a unit, a node or a hex; '' of what is nowhere. */
export function hexOfAny(table: Table, id: string): string {
  if (/^\d{4}/.test(id)) return hexOf(id)
  const place = table.locations[id]
  if (place) return place.hex
  const tf = table.tfs[id] ?? table.war?.special?.[id]
  if (tf) return hexOf(tf.node)
  const ship = shipOf(table, id)
  if (ship) return ship.tf ? hexOfAny(table, ship.tf) : ship.port ? hexOfAny(table, ship.port) : ''
  const air = airOf(table, id)
  if (air) return air.home ? hexOfAny(table, air.home) : ''
  const ground = groundOf(table, id)
  if (ground?.hex) return ground.hex
  const carrier = ground?.aboard && Object.keys(ground.aboard)[0]
  return carrier ? hexOfAny(table, carrier) : ''
}

/** What is left of an installation, and of how much: "2 of 3". */
export function standing(size = 0, damage = 0): string {
  return damage ? `${Math.max(0, size - damage)} of ${size}` : `${size}`
}

export function closed(place: Location): boolean {
  return (place.airbase ?? 0) > 0 && (place.airbase_damage ?? 0) >= (place.airbase ?? 0)
}

/** How far what is known at a place or in a task force flies and searches, the farthest first, one of each distance. */
export interface Range {
  what: 'fly' | 'search'
  hexes: number
  words: string
}

export function rangesOf(table: Table, id: string): Range[] {
  const homes = table.tfs[id] ? (fleets(table).find((one) => one.id === id)?.ships ?? []) : [id]
  const units = homes.flatMap((home) => basedAt(table, home))
  const found = new Map<string, Range>()
  const put = (what: Range['what'], hexes: number, kind: string): void => {
    const before = found.get(`${what} ${hexes}`)
    if (!hexes || before?.words.includes(kind)) return
    found.set(`${what} ${hexes}`, { what, hexes, words: before ? `${before.words}, ${kind}` : kind })
  }
  for (const unit of units) {
    const printed = table.roster.air[unit]
    if (!printed) continue
    if (printed.kind !== 'LRA' && printed.kind !== 'TR') put('fly', printed.range, printed.kind)
    // A carrier group searches only where a step of it is told to.
    if (printed.kind !== 'CVG' || airOf(table, unit)?.searching) put('search', REACH[printed.kind] ?? 0, printed.kind)
  }
  for (const ship of homes) if (table.roster.ships[ship]?.float_planes) put('search', REACH.FP ?? 0, 'float planes')
  return [...found.values()].sort((one, other) => other.hexes - one.hexes)
}

/** Hexes in the zones of a side's submarine patrols, to the hex of the patrol. */
export function zonesOf(table: Table, side: SideId): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [at, patrol] of Object.entries(table.patrols)) {
    if (patrol.side !== side) continue
    for (const hex of [at, ...beside(at)]) found.set(hex, [...(found.get(hex) ?? []), at])
  }
  return found
}

/** Hexes that a path avoids where it can (P23.4.1). */
export function shunned(table: Table, side: SideId): Set<string> {
  const found = new Set(zonesOf(table, foe(side)).keys())
  for (const tf of Object.values(table.tfs)) {
    const ships = [...(tf.core ?? []), ...(tf.screen ?? [])]
    if (tf.side !== side && ships.some((ship) => fights(table, ship))) found.add(hexOf(tf.node))
  }
  return found
}

const TRANSPORTS = new Set(['AA', 'AP', 'CVE', 'CVS'])
const fights = (table: Table, ship: string): boolean => !TRANSPORTS.has(table.roster.ships[ship]?.cls ?? '')

/** What may happen on a way: patrols that may find the task force, and fleets that may stop it. */
export interface Risk {
  node: string
  words: string
}

export function risksOn(table: Table, side: SideId, way: readonly string[]): Risk[] {
  const zones = zonesOf(table, foe(side))
  const met = new Set<string>()
  const found: Risk[] = []
  for (const node of way) {
    for (const at of zones.get(hexOf(node)) ?? []) {
      if (met.has(at)) continue
      met.add(at)
      const points = table.patrols[at]?.points
      found.push({ node, words: `submarine patrol${points ? ` (${counted(points, 'point')})` : ''} at ${whereIs(table, at)}` })
    }
    for (const [id, tf] of Object.entries(table.tfs)) {
      if (tf.side === side || tf.node !== node) continue
      const ships = [...(tf.core ?? []), ...(tf.screen ?? [])]
      const what = ships.length ? byClass(table, ships) : tf.seen?.length ? `seen: ${byClass(table, tf.seen)}` : 'not seen yet'
      found.push({ node, words: `${id} may stop it (${what})` })
    }
  }
  return found
}
