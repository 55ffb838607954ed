/** Command Links as a side was told them (P11.6.1): which place is Linked to which headquarters, and over which support bases. The
 * way round what blocks is not told, so lines are straight. */

import type { Names } from '../../title'
import { distance } from '../map/hexes'
import { ENTRIES } from '../printed/places'
import { hexOfAny, placeAt, whereIs } from '../reading'
import type { Table } from '../shown'

/** A link runs on from an Offensive Support Base that has one itself for so many hexes (P11.6). */
const BASE_RADIUS = 8
/** So much less a headquarters reaches from a box (P11.2.1.4). */
const FROM_A_BOX = 4

/** Colours of headquarters by their numbers: all stand out from the sea, and the number tells them apart, too. */
const COLOURS = ['#ffd166', '#7ff0c8', '#ff9ecb', '#a9c8ff', '#ffa872', '#c9b3ff', '#d3ec74', '#f4ead2', '#79e4f2'] as const

export function colourOf({ number }: Pick<Staff, 'number'>): string {
  return COLOURS[(number - 1) % COLOURS.length]!
}

/** A link: hexes from the headquarters, or its port of entry, over support bases to what is Linked. */
export type Route = readonly string[]

export interface Staff {
  id: string
  /** By which it is told from the others on the map. */
  number: number
  name: string
  /** Where its links begin: its site, or the ports by which one comes in from its box. */
  starts: string[]
  /** Hex of what is Linked to it, to the way; the starts are left out. */
  routes: ReadonlyMap<string, Route>
}

/** The ways from some hexes to all that are Linked, each over as few bases as it can, of these the shortest last leg. */
export function routesTo(
  ends: readonly string[],
  starts: readonly string[],
  radius: number,
  bases: ReadonlySet<string>,
): Map<string, Route> {
  const found = new Map<string, Route>(starts.map((start) => [start, [start]]))
  const left = new Set(ends.filter((end) => !found.has(end)))
  let edge = starts
  let reach = radius
  while (left.size) {
    const near = (end: string): string | undefined => {
      const able = edge.filter((from) => distance(from, end) <= reach)
      return able.sort((one, other) => distance(one, end) - distance(other, end))[0]
    }
    const legs = [...left].flatMap((end) => {
      const from = near(end)
      return from ? [[end, [...found.get(from)!, end]] as const] : []
    })
    for (const [end, way] of legs) {
      found.set(end, way)
      left.delete(end)
    }
    edge = legs.map(([end]) => end).filter((end) => bases.has(end))
    reach = BASE_RADIUS
    if (!edge.length) break
  }
  // As it is told: over which base, the page cannot say.
  for (const end of left) if (starts[0]) found.set(end, [starts[0], end])
  for (const start of starts) found.delete(start)
  return found
}

/** The headquarters of the reader's side that are on the map or in a box, with their links. */
export function staffs(table: Table, names: Names): Staff[] {
  const { own, war } = table
  const links = own?.means?.links
  if (!own || !war || !links) return []
  const mine = ([, { control }]: [string, Table['locations'][string]]): boolean => control === own.side
  const bases = new Set(
    Object.entries(table.locations)
      .filter(mine)
      .filter(([, { osb }]) => osb)
      .map(([, { hex }]) => hex),
  )
  const ends = endsOf(table)
  return Object.entries(war.headquarters)
    .filter(([, one]) => one.side === own.side && one.site)
    .map(([id, one], place) => {
      const entries = ENTRIES[one.site!]
      const ports = (entries ?? [one.site!]).flatMap((port) => {
        const location = table.locations[port]
        return location && (!entries || location.control === own.side) ? [location.hex] : []
      })
      const told = (links[id] ?? []).filter((hex) => ends.has(hex) || bases.has(hex))
      const routes = routesTo(told, ports, one.radius - (entries ? FROM_A_BOX : 0), bases)
      return { id, number: place + 1, name: names[id] ?? one.name, starts: ports, routes }
    })
}

/** The hexes of what a side has: its places, task forces and ground units; links to others are told too, and not drawn. */
function endsOf({ own, locations, tfs }: Table): Set<string> {
  const places = Object.values(locations).filter(({ control }) => control === own?.side)
  return new Set([
    ...places.map(({ hex }) => hex),
    ...Object.keys(own?.fleets ?? {}).flatMap((tf) => tfs[tf]?.node.slice(0, 4) ?? []),
    ...Object.values(own?.ground ?? {}).flatMap(({ hex, steps }) => (hex && steps && /^\d/.test(hex) ? [hex.slice(0, 4)] : [])),
  ])
}

/** What is drawn of some headquarters: of one all links, of several the best of each hex, the fewest legs and then the shortest. */
export function drawn(all: readonly Staff[], only: string): { staff: Staff; way: Route }[] {
  const best = new Map<string, { staff: Staff; way: Route }>()
  const worse = (one: Route, other: Route): boolean =>
    one.length !== other.length ? one.length > other.length : lastLeg(one) > lastLeg(other)
  for (const staff of all) {
    if (only && staff.id !== only) continue
    for (const [hex, way] of staff.routes) {
      const before = best.get(hex)
      if (!before || worse(before.way, way)) best.set(hex, { staff, way })
    }
  }
  return [...best.values()]
}

function lastLeg(way: Route): number {
  return distance(way.at(-2) ?? way[0]!, way.at(-1)!)
}

/** The legs of some ways, each once, with the headquarters that it belongs to. */
export function legsOf(
  ways: readonly { staff: Staff; way: Route }[],
): { key: string; staff: Staff; from: string; to: string; base: boolean }[] {
  const found = new Map<string, { key: string; staff: Staff; from: string; to: string; base: boolean }>()
  for (const { staff, way } of ways) {
    for (let leg = 1; leg < way.length; leg++) {
      const [from, to] = [way[leg - 1]!, way[leg]!]
      const key = `${staff.id} ${from} ${to}`
      const base = leg < way.length - 1
      found.set(key, { key, staff, from, to, base: base || (found.get(key)?.base ?? false) })
    }
  }
  return [...found.values()]
}

/** Own places that no headquarters has a link to, by what was told last. */
export function cutOff(table: Table): string[] {
  const { own } = table
  if (!own?.means || !Object.keys(own.means.links).length) return []
  const linked = new Set(Object.values(own.means.links).flat())
  return Object.entries(table.locations)
    .filter(([, { control, hex }]) => control === own.side && !linked.has(hex))
    .map(([id]) => id)
}

/** Hexes with own units that are Isolated, to the units (P12). */
export function isolated(table: Table): Map<string, string[]> {
  const { own } = table
  const found = new Map<string, string[]>()
  if (!own) return found
  const all: readonly Record<string, { isolated?: boolean }>[] = [own.ships, own.air, own.ground]
  for (const units of all) {
    for (const [id, one] of Object.entries(units)) {
      const hex = one.isolated && !(id in table.lost) ? hexOfAny(table, id) : ''
      if (hex) found.set(hex, [...(found.get(hex) ?? []), id])
    }
  }
  return found
}

export interface Linked {
  /** A place by its id, or a hex. */
  id: string
  name: string
  /** "Southeast Area; Combined Fleet-4th Fleet through Truk" */
  words: string
}

/** Each thing that is Linked, in words. */
export function linkedWords(table: Table, all: readonly Staff[]): Linked[] {
  const hexes = new Set(all.flatMap(({ starts, routes }) => [...starts, ...routes.keys()]))
  return [...hexes]
    .map((hex) => ({ id: placeAt(table, hex) || hex, name: whereIs(table, hex), words: wordsOf(table, all, hex) }))
    .sort((one, other) => one.name.localeCompare(other.name))
}

/** To which headquarters a hex is Linked, and through which bases; '' if to none. */
export function wordsOf(table: Table, all: readonly Staff[], hex: string): string {
  return all
    .flatMap(({ name, starts, routes }) => {
      if (starts.includes(hex)) return [`${name}, which is here`]
      const way = routes.get(hex)
      if (!way) return []
      const through = way.slice(1, -1).map((base) => whereIs(table, base))
      return [through.length ? `${name} through ${through.join(', ')}` : name]
    })
    .join('; ')
}
