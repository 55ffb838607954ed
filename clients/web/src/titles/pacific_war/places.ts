/** Where the marks of the map lie, for one closeness: places where they are, fleets where they have water under them and
 * clear of the places, and names wherever there is room left. All boxes are in pixels of the window, about a point. */

import { PLACES } from './atlas'
import { anchor, centre, hexOf, type Point } from './map/hexes'
import { basedAt, byClass, type Fleet, fleets, inPort, moves, type SideId, SIDES, troopsAt } from './reading'
import { airRow, groundRow, type Item, itemsOf, type Row, shipRow, shipRows, type Units, unitsAt } from './rows'
import type { Location, Table } from './shown'

/** How much is shown: 0 from afar, 3 from close by. */
export type Level = 0 | 1 | 2 | 3

/** From so many pixels a hex, from edge to edge. */
const LEVELS = [34, 84, 160] as const

export function levelOf(pixels: number): Level {
  return LEVELS.filter((from) => pixels >= from).length as Level
}

/** How much larger marks are drawn from close by. */
export function swelling(pixels: number): number {
  return Math.max(1, Math.min(1.45, (pixels / 84) ** 0.5))
}

interface Size {
  w: number
  h: number
}

export interface Box extends Point, Size {}

export interface Chip extends Box {
  id: string
  fleet: Fleet
  /** Where it really is. */
  at: Point
  /** A line leads there, for it lies aside. */
  aside: boolean
  /** What is in it, in short. */
  summary: string
  rows: Row[]
}

export interface Plate extends Box {
  id: string
  place: Location
  at: Point
  units: Units[]
  items: Item[]
  rows: Row[]
  label: { x: number; y: number; anchor: 'start' | 'middle' | 'end' } | null
  important: boolean
  /** The more, the sooner it is named where there is room for few names. */
  weight: number
}

/** Troops where no place is. */
export interface Camp extends Point {
  hex: string
  sides: SideId[]
  rows: Row[]
}

/** A submarine patrol. */
export interface Boat extends Point {
  hex: string
}

export interface Laid {
  boats: Boat[]
  chips: Chip[]
  plates: Plate[]
  camps: Camp[]
  /** Names of waters and islands for which there is room. */
  names: { name: string; x: number; y: number; size: number }[]
}

const SPOTS = new Map(PLACES.map(([id, , hex, x, y, port, airbase]) => [id, { hex, x, y, port, airbase }]))

/** Where a place lies on the map. */
export function spotOf(id: string, hex: string): Point {
  const { x, y } = centre(hex)
  const by = SPOTS.get(id)
  return by ? { x: x + by.x, y: y + by.y } : { x, y }
}

export const ROW = 13
export const HEAD = 17

function chipSize(level: Level, rows: number): Size {
  if (level === 0) return { w: 25, h: 15 }
  if (level === 1) return { w: 33, h: 18 }
  if (level === 2) return { w: 104, h: 32 }
  return { w: 152, h: HEAD + Math.max(1, rows) * ROW + 4 }
}

const overlap = (one: Box, other: Box): number => {
  const across = (one.w + other.w) / 2 - Math.abs(one.x - other.x)
  const down = (one.h + other.h) / 2 - Math.abs(one.y - other.y)
  return across > 0 && down > 0 ? across * down : 0
}

/** Where what may lie elsewhere is tried: at its place, then round it, farther and farther. */
const ROUND = [0, 14, 24, 36, 50, 66].flatMap((far) =>
  far ? [-90, 90, 0, 180, -45, -135, 45, 135, -67, -113, 67, 113].map((turn) => [far, turn] as const) : [[0, 0] as const],
)

/** Those of the boxes taken that a box may cover which lies at one of these spots: of a war's hundreds a few. */
function within(taken: readonly Box[], spots: readonly Point[], { w, h }: Size): Box[] {
  const [xs, ys] = [spots.map(({ x }) => x), spots.map(({ y }) => y)]
  const [west, north] = [Math.min(...xs), Math.min(...ys)]
  const [across, down] = [Math.max(...xs) - west, Math.max(...ys) - north]
  const all = { x: west + across / 2, y: north + down / 2, w: across + w, h: down + h }
  return taken.filter((one) => overlap(one, all) > 0)
}

/** The place nearest to where something belongs that covers nothing, or least. */
function put(at: Point, size: Size, taken: readonly Box[], bias = { x: 0, y: 0 }): Box {
  const here = { x: at.x + bias.x, y: at.y + bias.y }
  if (!taken.some((one) => overlap(one, { ...here, ...size }))) return { ...here, ...size }
  const round = ROUND.map(([far, turn]) => {
    const angle = (turn * Math.PI) / 180
    return { x: here.x + far * 1.3 * Math.cos(angle), y: here.y + far * Math.sin(angle) }
  })
  const near = taken.filter((one) => overlap(one, { ...here, w: size.w * 2, h: size.h * 2 }))
  const along = near.flatMap((one) => {
    const [across, down] = [(one.w + size.w) / 2 + 2, (one.h + size.h) / 2 + 2]
    return [
      { x: here.x, y: one.y + down },
      { x: here.x, y: one.y - down },
      { x: one.x + across, y: here.y },
      { x: one.x - across, y: here.y },
    ]
  })
  let [best, least] = [{ ...here, ...size }, Infinity]
  const spots = [...round, ...along]
  const about = within(taken, spots, size)
  for (const spot of spots) {
    const box = { ...spot, ...size }
    const cost = about.reduce((sum, one) => sum + overlap(one, box), 0) * 6 + Math.hypot(spot.x - here.x, spot.y - here.y) * 4
    if (cost < least) [best, least] = [box, cost]
  }
  return best
}

/** What is laid out, how closely, and what is taken already. */
interface Ground {
  table: Table
  level: Level
  /** Pixels to a unit, as marks are drawn at size 1: the board swells them. */
  per: number
  taken: Box[]
}

const onSheet = ({ per }: Ground, { x, y }: Point): Point => ({ x: x * per, y: y * per })

/** Lays out all marks. `pixels` are those of a hex, so that a unit is a hundredth of them. */
export function layOut(table: Table, names: readonly { name: string; x: number; y: number; near: number }[], pixels: number): Laid {
  const ground: Ground = { table, level: levelOf(pixels), per: pixels / 100 / swelling(pixels), taken: [] }
  const plates = Object.entries(table.locations).map(([id, place]) => plateOf(ground, id, place))
  const boats = Object.keys(table.patrols)
    .sort()
    .map((hex) => boatAt(ground, hex))
  const all = fleets(table)
  const chips = [...new Set(all.map(({ node }) => node))].sort().flatMap((node) =>
    chipsAt(
      ground,
      node,
      all.filter((one) => one.node === node),
    ),
  )
  const camps = campsOf(ground)
  // Names come last, the weightier first, and only where they cover nothing.
  for (const plate of [...plates].sort((one, other) => other.weight - one.weight)) {
    plate.label = labelOf(ground, plate)
  }
  return { boats, chips, plates, camps, names: namesOf(ground, names) }
}

/** Lays out as `layOut` does; where nothing that lies on the map has changed, that of before holds. */
export function layingOut(): typeof layOut {
  let before: unknown[] = []
  let laid: Laid
  return (table, names, pixels) => {
    const { locations, patrols, tfs, ships, air, ground, troops, roster, own, phase, war } = table
    const posts = war?.headquarters
    const now = [locations, patrols, tfs, ships, air, ground, troops, roster, own, phase, posts, moves(table), names, pixels]
    if (!before.length || now.some((one, place) => one !== before[place])) laid = layOut(table, names, pixels)
    before = now
    return laid
  }
}

function plateOf(ground: Ground, id: string, place: Location): Plate {
  const { table, level, taken } = ground
  const at = spotOf(id, place.hex)
  const units = unitsAt(table, id, place)
  const items = itemsOf(place)
  const printed = SPOTS.get(id)
  const rows =
    level === 3
      ? [
          ...inPort(table, id).map((one) => shipRow(table, one)),
          ...basedAt(table, id).map((one) => airRow(table, one)),
          ...troopsAt(table, place.hex).map((one) => groundRow(table, one)),
        ]
      : []
  const wide = level === 0 ? 12 : Math.max(16, items.length * 20 + 4)
  const size = { w: wide, h: (level ? 15 : 11) + (units.length && level ? 9 : 0) }
  taken.push({ ...onSheet(ground, at), ...size })
  const bases = (printed?.port ?? 0) + (printed?.airbase ?? 0)
  const important = units.length > 0 || bases >= 4
  const led = Object.values(table.war?.headquarters ?? {}).some(({ site }) => site === id)
  const weight = (important ? 10 : 0) + bases + (led ? LED : 0)
  return { id, place, at, ...at, ...size, units, items, rows, label: null, important, weight }
}

/** A patrol lies in the south-east of its hex, clear of what is there. */
function boatAt(ground: Ground, hex: string): Boat {
  const { per, taken } = ground
  const { x, y } = centre(hex)
  const box = put(onSheet(ground, { x: x + 22, y: y + 24 }), { w: 26, h: 13 }, taken)
  taken.push(box)
  return { hex, x: box.x / per, y: box.y / per }
}

/** The fleets on a node; where both sides are, Japan's lie to the west. */
function chipsAt(ground: Ground, node: string, here: readonly Fleet[]): Chip[] {
  const { table, level, per, taken } = ground
  const at = anchor(node)
  const both = new Set(here.map(({ side }) => side)).size > 1
  const order = (one: Fleet): string => `${SIDES.indexOf(one.side)} ${one.id}`
  const chips = [...here]
    .sort((one, other) => (order(one) < order(other) ? -1 : 1))
    .map((fleet): Chip => {
      const rows = level === 3 ? shipRows(table, fleet) : []
      const size = chipSize(level, rows.length)
      const aim = { x: both ? (fleet.side === 'JP' ? -0.54 : 0.54) * size.w : 0, y: 0 }
      const box = put(onSheet(ground, at), size, taken, aim)
      taken.push({ ...box, w: box.w + 3, h: box.h + 3 })
      const summary = byClass(table, fleet.ships.length ? fleet.ships : fleet.seen)
      return { ...box, x: box.x / per, y: box.y / per, id: fleet.id, fleet, at, aside: false, summary, rows }
    })
  // A line leads to where they are if none of them lies there.
  const there = (one: Chip): boolean => Math.abs(one.x - at.x) * per < one.w / 2 + 4 && Math.abs(one.y - at.y) * per < one.h / 2 + 4
  if (chips[0] && !chips.some(there)) chips[0].aside = true
  return chips
}

function campsOf(ground: Ground): Camp[] {
  const { table, taken } = ground
  const settled = new Set(Object.values(table.locations).map(({ hex }) => hex))
  const camps = [...new Set(SIDES.flatMap((side) => table.troops[side]))]
    .filter((hex) => !settled.has(hex))
    .map((hex) => ({
      hex,
      ...centre(hex),
      sides: SIDES.filter((side) => table.troops[side].includes(hex)),
      rows: troopsAt(table, hex).map((one) => groundRow(table, one)),
    }))
  for (const camp of camps) taken.push({ ...onSheet(ground, camp), w: 20, h: 16 })
  return camps
}

/** So few places are named from afar, too, all of them. */
const FEW = 12
/** What a headquarters adds to the weight of its place; from so much on a name may cover a little of what is around it. */
const LED = 20
/** The part of a name that may. */
const RIM = 0.15

/** Where the name of a place is written, from the middle of its plate; null where there is no room for it. Close by it is
 * written all the same, and from afar that of what matters on a small map, and covers as little as it can. */
function labelOf(ground: Ground, plate: Plate): Plate['label'] {
  const { level, table, taken } = ground
  const crowded = Object.keys(table.locations).length > FEW
  if (level === 0 && !plate.important && crowded) return null
  const size = { w: plate.place.name.length * 5.9 + 4, h: 12 }
  const here = onSheet(ground, plate.at)
  const about = taken.filter((one) => overlap(one, { ...here, w: plate.w + 2 * size.w + 6, h: plate.h + 2 * size.h + 16 }))
  const [under, over, side, corner] = [plate.h / 2 + 8, -plate.h / 2 - 7, plate.w / 2 + 3, plate.w / 2 - 8]
  const spots = [
    { dy: under, edge: 0, anchor: 'middle' as const },
    { dy: 0, edge: side, anchor: 'start' as const },
    { dy: over, edge: 0, anchor: 'middle' as const },
    { dy: 0, edge: -side, anchor: 'end' as const },
    { dy: under, edge: -corner, anchor: 'start' as const },
    { dy: under, edge: corner, anchor: 'end' as const },
    { dy: over, edge: -corner, anchor: 'start' as const },
    { dy: over, edge: corner, anchor: 'end' as const },
  ].map((spot) => {
    const dx = spot.edge + { start: size.w / 2, middle: 0, end: -size.w / 2 }[spot.anchor]
    const box = { x: here.x + dx, y: here.y + spot.dy, ...size }
    return { ...spot, box, covers: about.reduce((sum, one) => sum + overlap(one, box), 0) }
  })
  const best = spots.reduce((one, other) => (other.covers < one.covers ? other : one))
  const most = plate.weight < LED ? 0 : RIM * size.w * size.h
  if (best.covers && level < 2 && (!plate.important || (crowded && level === 0 && best.covers > most))) return null
  taken.push(best.box)
  return { x: best.edge, y: best.dy + 4, anchor: best.anchor }
}

function namesOf(ground: Ground, names: readonly { name: string; x: number; y: number; near: number }[]): Laid['names'] {
  const { level, per, taken } = ground
  const found: Laid['names'] = []
  for (const one of [...names].sort((first, second) => first.near - second.near)) {
    if (one.near > level + (level ? 1 : 0)) continue
    const size = one.near ? 11.5 : 14.5
    const width = one.name.length * size * (one.near ? 0.6 : 0.72)
    const at = onSheet(ground, one)
    // It is written upward from where it stands.
    const box = { x: at.x, y: at.y - 0.34 * size, w: width, h: size + 3 }
    const free = [0, 18, -18, 34, -34].find((dy) => !taken.some((other) => overlap(other, { ...box, y: box.y + dy })))
    if (free === undefined) continue
    taken.push({ ...box, y: box.y + free })
    found.push({ name: one.name, x: one.x, y: one.y + free / per, size })
  }
  return found
}

/** The point of the map that an id is at: a fleet's mark, a place, a node or a hex. */
export function pointOf(laid: Laid, table: Table, id: string): Point | null {
  const chip = laid.chips.find((one) => one.id === id)
  if (chip) return chip
  const place = table.locations[id]
  if (place) return spotOf(id, place.hex)
  return /^\d{4}/.test(id) ? (id.length > 4 ? anchor(id) : centre(hexOf(id))) : null
}
