/** The battle board: its four areas, the parts of each, and where counters lie in them. In a wide window the areas
 * stand as on the printed board; on a telephone they are stacked, each as high as what lies in it needs. */

import { gathered, type Spot } from '../../parts/stacks'
import { type Plan, type Rect, STRIP } from './plan'
import { COUNTER, FINGER_PIXELS, fit, GAP, grid, type Layout, put } from './places'
import { BATTLE_AREAS, CARRIERS, isDamaged, order, type Place, type SideId } from './reading'
import type { Battle, Table } from './shown'

/** A part of a battle area with what it is for: "at sea", "in the air". */
export interface Zone extends Rect {
  id: string
  area: Place
  side: SideId
  label: string
  ids: string[]
}

export interface BattlePlan {
  width: number
  height: number
  narrow: boolean
  areas: Record<Place, Rect>
  zones: Zone[]
}

interface Part {
  name: string
  label: string
  ids: string[]
}

type Sides = Record<SideId, Part[]>

/** What is picked where an airfield or the transports of a side take a hit. */
export function targetId(target: string, victim: SideId | undefined): string {
  return `${target}:${victim ?? ''}`
}

/** A stack's mark hangs over its lower edge. */
const MARK = 6
const READABLE_PIXELS = 29
const HEAD = 30
/** From so many times as wide as high on, the parts of an area stand in a row. */
const SEA = 3
const ORDER: readonly SideId[] = ['JA', 'US']

const NARROW = { width: 440, head: 112, across: 3, lines: 3, cell: 60, label: 22, gap: 8 }

// What lies where

function sorted(table: Table, ids: string[]): string[] {
  return ids.sort((a, b) => order(table, a) - order(table, b) || (a < b ? -1 : 1))
}

/** A carrier, then what stands on her deck, then the next; then the others. */
function atSea(table: Table, battle: Battle, area: Place, side: SideId): string[] {
  const ships = sorted(
    table,
    Object.keys(battle.ships).filter((id) => battle.ships[id] === area && table.counters[id]?.side === side),
  )
  const carrier = (id: string): boolean => CARRIERS.includes(table.counters[id]?.type ?? '')
  const deck = (ship: string): string[] =>
    Object.keys(battle.planes)
      .filter((id) => battle.planes[id]!.home === ship && !battle.planes[id]!.at)
      .sort()
  return [...ships.filter(carrier).flatMap((ship) => [ship, ...deck(ship)]), ...ships.filter((id) => !carrier(id))]
}

function inTheAir(table: Table, battle: Battle, area: Place, side: SideId): string[] {
  return Object.keys(battle.planes)
    .filter((id) => battle.planes[id]!.at === area && table.counters[id]?.side === side)
    .sort()
}

/** The parts of an area, a side each. An island shows all its spots, a sea only what is there. */
function partsOf(table: Table, battle: Battle, area: Place, side: SideId): Part[] {
  const air = { name: 'air', label: 'In the air', ids: inTheAir(table, battle, area, side) }
  if (area !== 'IS') {
    const cargo = area === 'CO' ? battle.transports[side] : []
    const parts = [{ name: 'sea', label: 'At sea', ids: atSea(table, battle, area, side) }]
    if (cargo.length) parts.push({ name: 'cargo', label: 'Transports', ids: cargo })
    return air.ids.length ? [...parts, air] : parts
  }
  const own = (ids: string[]): string[] =>
    sorted(
      table,
      ids.filter((id) => table.counters[id]?.side === side),
    )
  const base = Object.keys(battle.planes).filter((id) => !battle.planes[id]!.home && !battle.planes[id]!.at)
  return [
    air,
    { name: 'field', label: `Airfields: ${battle.airfields[side] ?? 0}`, ids: own(base) },
    { name: 'foxhole', label: 'Foxholes', ids: own([...battle.foxhole]) },
    { name: 'beach', label: 'Beach', ids: own([...battle.beach]) },
  ]
}

function contents(table: Table, battle: Battle): Record<Place, Sides> {
  const of = (area: Place): Sides => ({ JA: partsOf(table, battle, area, 'JA'), US: partsOf(table, battle, area, 'US') })
  return { JO: of('JO'), IS: of('IS'), CO: of('CO'), UO: of('UO') }
}

const count = (parts: Part[]): number => parts.reduce((sum, { ids }) => sum + ids.length, 0)

// The wide board

/** The four areas, from the Japanese fleet to the US fleet; a fleet gets the room it needs, an empty sea a
 * strip where a counter still shows its name. */
function wideAreas(chart: Plan, battle: Battle, found: Record<Place, Sides>): Record<Place, Rect> {
  const [top, bottom, gap] = [STRIP + 8, chart.height - 8, 10]
  const all = bottom - top - 2 * gap
  const fleet = (area: Place): number =>
    Object.keys(battle.ships).reduce((sum, id) => sum + (battle.ships[id] === area ? 1 + (battle.rooms[id] ?? 0) : 0), 0)
  const share = (area: Place): number => all * Math.min(0.32, 0.17 + 0.012 * fleet(area))
  const [ocean, own] = [share('JO'), share('UO')]
  const middle = all - ocean - own
  const both = chart.width - 20 - gap
  // The island has a column for each side, whatever lies there.
  const weight = (area: Place): number => 6 + count(found[area].JA) + count(found[area].US)
  const island = both * Math.max(0.38, Math.min(0.55, weight('IS') / (weight('IS') + weight('CO'))))
  return {
    JO: { x: 10, y: top, w: chart.width - 20, h: ocean },
    IS: { x: 10, y: top + ocean + gap, w: island, h: middle },
    CO: { x: 10 + island + gap, y: top + ocean + gap, w: both - island, h: middle },
    UO: { x: 10, y: top + ocean + middle + 2 * gap, w: chart.width - 20, h: own },
  }
}

/** Parts one below the other in a column, each as high as its share of what lies there. */
function column(area: Place, side: SideId, parts: Part[], rect: Rect, weigh: (ids: string[]) => number): Zone[] {
  const all = parts.reduce((sum, { ids }) => sum + weigh(ids), 0)
  let { y } = rect
  return parts.map(({ name, label, ids }) => {
    const h = (rect.h * weigh(ids)) / all
    const zone = { id: `${area} ${side} ${name}`, area, side, label, ids, x: rect.x, y, w: rect.w, h: h - 5 }
    y += h
    return zone
  })
}

/** Parts beside each other in a sea that is far wider than high: one below the other, counters would be small in empty water. */
function row(area: Place, side: SideId, parts: Part[], rect: Rect): Zone[] {
  const all = parts.reduce((sum, { ids }) => sum + 1 + ids.length, 0)
  let { x } = rect
  return parts.map(({ name, label, ids }) => {
    const w = (rect.w * (1 + ids.length)) / all
    const zone = { id: `${area} ${side} ${name}`, area, side, label, ids, x, y: rect.y, w: w - 5, h: rect.h - 5 }
    x += w
    return zone
  })
}

function wide(chart: Plan, battle: Battle, found: Record<Place, Sides>): BattlePlan {
  const areas = wideAreas(chart, battle, found)
  const zones = BATTLE_AREAS.flatMap((area) => {
    const { x, y, w, h } = areas[area]
    const sides = found[area]
    const island = area === 'IS'
    const japan = island ? 0.5 : Math.max(0.3, Math.min(0.7, (count(sides.JA) + 1) / (count(sides.JA) + count(sides.US) + 2)))
    const weigh = (ids: string[]): number => (island ? 0.55 + Math.min(2, Math.ceil(ids.length / 4)) : 0.6 + Math.min(3, ids.length / 5))
    const whole = w - 18
    return ORDER.flatMap((side) => {
      const own = side === 'JA' ? whole * japan : whole * (1 - japan)
      const left = side === 'JA' ? x + 6 : x + 12 + whole * japan
      const rect = { x: left, y: y + HEAD, w: own, h: h - HEAD - 6 }
      return w > SEA * h ? row(area, side, sides[side], rect) : column(area, side, sides[side], rect, weigh)
    })
  })
  return { width: chart.width, height: chart.height, narrow: false, areas, zones }
}

// The narrow board

function narrowHeight(parts: Part[]): number {
  const { lines, across, cell, label } = NARROW
  return parts.reduce((sum, { ids }) => sum + label + 8 + cell * Math.min(lines, Math.ceil(ids.length / across)), 0)
}

function narrow(found: Record<Place, Sides>): BattlePlan {
  const { width, head, gap, across, lines, cell, label } = NARROW
  const areas = {} as Record<Place, Rect>
  const zones: Zone[] = []
  const weigh = (ids: string[]): number => label + 8 + cell * Math.min(lines, Math.ceil(ids.length / across))
  let y = head
  for (const area of BATTLE_AREAS) {
    const sides = found[area]
    const inside = Math.max(...ORDER.map((side) => narrowHeight(sides[side])))
    areas[area] = { x: gap, y, w: width - 2 * gap, h: HEAD + inside + 8 }
    const half = (width - 2 * gap - 18) / 2
    ORDER.forEach((side, place) => {
      const rect = { x: gap + 6 + place * (half + 6), y: y + HEAD, w: half, h: inside + 2 }
      zones.push(...column(area, side, sides[side], rect, weigh))
    })
    y += HEAD + inside + 8 + gap
  }
  return { width, height: y + 44, narrow: true, areas, zones }
}

/** How the battle of a table is laid out; null where none is fought. */
export function battlePlan(table: Table, chart: Plan, small: boolean): BattlePlan | null {
  const { battle } = table
  if (!battle) return null
  const found = contents(table, battle)
  return small ? narrow(found) : wide(chart, battle, found)
}

/** Counters as large as they fit, alike ones in a stack where they would be too small. */
export function inBattle(table: Table, { zones, narrow: small }: BattlePlan, unit: number): Layout {
  const layout: Layout = { singles: new Map(), stacks: [] }
  const smallest = Math.max(0.5, Math.min(1, (small ? FINGER_PIXELS : READABLE_PIXELS) / (COUNTER.h * unit)))
  for (const zone of zones) {
    const room = { x: zone.x + 4, y: zone.y + 19, w: zone.w - 8, h: zone.h - 22 }
    const home = (id: string): string => table.battle?.planes[id]?.home ?? ''
    const type = (id: string): string => table.counters[id]?.type ?? ''
    const alike = (id: string): string => `${home(id)} ${type(id)} ${isDamaged(table, id)}`
    const kind = (id: string): string => table.counters[id]?.kind ?? ''
    const spotsFor = (piles: number): Spot[] | null => fit(room, piles, smallest, piles === zone.ids.length ? 0 : MARK)
    const piles = gathered(zone.ids, [alike, type, kind], (most) => spotsFor(most) !== null)
    const across = Math.max(1, Math.floor(room.w / (COUNTER.w * smallest + GAP)))
    const spots = spotsFor(piles.length) ?? grid(room, piles.length, across, smallest, MARK)
    piles.forEach((pile, place) => put(layout, `${zone.id} ${place}`, pile, spots[place]!))
  }
  return layout
}
