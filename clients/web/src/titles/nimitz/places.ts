/** Where each counter lies, on the map and on the battle board; what would be too small to read lies in stacks. */

import { gathered, type Spot, type StackSpot } from '../../parts/stacks'
import { battleAreas, boxes, ON_MAP, type Plan, type Rect } from './plan'
import { BATTLE_AREAS, byPlace, CARRIERS, isDamaged, KINDS, order, SIDES, type Battle, type BattleArea, type SideId, type Table } from './table'

export const COUNTER = { w: 66, h: 60 }
const GAP = 5
/** A stack's mark hangs over its lower edge. */
const MARK = 6
const LARGEST = 1.45
const READABLE_PIXELS = 29
const FINGER_PIXELS = 40

export interface Layout {
  singles: Map<string, Spot>
  stacks: StackSpot[]
}

/** The scale of counters that are fanned out: large enough to be read and to be tapped. */
export function fanScale(unit: number): number {
  return Math.max(1.15, Math.min(2.2, (FINGER_PIXELS + 6) / (COUNTER.h * unit)))
}

function put(layout: Layout, id: string, ids: string[], spot: Spot): void {
  if (ids.length === 1) layout.singles.set(ids[0]!, spot)
  else if (ids.length) layout.stacks.push({ ...spot, id, ids: [...ids].reverse() })
}

/** The map: a stack for each kind of force of a side in an area, Japan's above the plate, the other's below. */
export function onMap(table: Table, chart: Plan): Layout {
  const layout: Layout = { singles: new Map(), stacks: [] }
  const found = byPlace(table)
  const [w, h] = [COUNTER.w * ON_MAP, COUNTER.h * ON_MAP]
  for (const [area, { x, y }] of chart.areas) {
    for (const side of SIDES) {
      const here = (found.get(area) ?? []).filter((id) => table.counters[id]?.side === side)
      const piles = KINDS.map((kind) => here.filter((id) => table.counters[id]?.kind === kind)).filter((pile) => pile.length)
      piles.forEach((pile, place) => {
        const spot = { x: x + (place - (piles.length - 1) / 2) * (w + 5), y: side === 'JA' ? y - 20 - h / 2 : y + 17 + h / 2, scale: ON_MAP }
        put(layout, `${area} ${side} ${place}`, pile, spot)
      })
    }
  }
  for (const [box, rect] of boxes(chart, table.year)) {
    const kind = /^JA_RE_(\w+)$/.exec(box)?.[1]
    const ids = (found.get(kind ? 'JA_RE' : box) ?? []).filter((id) => !kind || table.counters[id]?.kind === kind)
    const own = box.startsWith('JA')
    const spot = own ? { x: rect.x + rect.w / 2, y: rect.y + 60, scale: ON_MAP } : { x: rect.x + rect.w - 40, y: rect.y + 31, scale: ON_MAP }
    put(layout, box, ids, spot)
  }
  return layout
}

function fit(rect: Rect, count: number, smallest: number, extra: number): Spot[] | null {
  for (let scale = LARGEST; scale >= smallest - 0.001; scale -= 0.04) {
    const [w, h] = [COUNTER.w * scale, COUNTER.h * scale + extra]
    const across = Math.floor((rect.w + GAP) / (w + GAP))
    const down = Math.floor((rect.h + GAP) / (h + GAP))
    if (across * down >= count) return grid(rect, count, across, scale, extra)
  }
  return null
}

function grid(rect: Rect, count: number, across: number, scale: number, extra: number): Spot[] {
  const lines = Math.max(1, Math.ceil(count / across))
  const each = Math.ceil(count / lines)
  const [w, h] = [COUNTER.w * scale + GAP, COUNTER.h * scale + extra + GAP]
  return Array.from({ length: count }, (_, place) => {
    const line = Math.floor(place / each)
    const inLine = Math.min(each, count - line * each)
    return {
      x: rect.x + rect.w / 2 + ((place % each) - (inLine - 1) / 2) * w,
      y: rect.y + rect.h / 2 + (line - (lines - 1) / 2) * h - extra / 2,
      scale,
    }
  })
}

/** A part of a battle area with what it is for: "at sea", "in the air". */
export interface Zone extends Rect {
  id: string
  area: BattleArea
  side: SideId
  label: string
  ids: string[]
}

function sorted(table: Table, ids: string[]): string[] {
  return ids.sort((a, b) => order(table, a) - order(table, b) || (a < b ? -1 : 1))
}

/** A carrier, then what stands on her deck, then the next; then the others. */
function atSea(table: Table, battle: Battle, area: BattleArea, side: SideId): string[] {
  const ships = sorted(table, Object.keys(battle.ships).filter((id) => battle.ships[id] === area && table.counters[id]?.side === side))
  const carrier = (id: string): boolean => CARRIERS.includes(table.counters[id]?.type ?? '')
  const deck = (ship: string): string[] => Object.keys(battle.planes).filter((id) => battle.planes[id]!.home === ship && !battle.planes[id]!.at).sort()
  return [...ships.filter(carrier).flatMap((ship) => [ship, ...deck(ship)]), ...ships.filter((id) => !carrier(id))]
}

function inTheAir(table: Table, battle: Battle, area: BattleArea, side: SideId): string[] {
  return Object.keys(battle.planes).filter((id) => battle.planes[id]!.at === area && table.counters[id]?.side === side).sort()
}

function islandZones(table: Table, battle: Battle, rect: Rect): Zone[] {
  const zones: Zone[] = []
  const ground = (ids: string[], side: SideId): string[] => sorted(table, ids.filter((id) => table.counters[id]?.side === side))
  const half = (rect.w - 18) / 2
  ;(['JA', 'US'] as const).forEach((side, column) => {
    const base = Object.keys(battle.planes).filter((id) => !battle.planes[id]!.home && !battle.planes[id]!.at && table.counters[id]?.side === side)
    const parts: [string, string, string[]][] = [
      ['air', 'In the air', inTheAir(table, battle, 'IS', side)],
      ['field', `Airfields: ${battle.airfields[side] ?? 0}`, sorted(table, base)],
      ['foxhole', 'Foxholes', ground([...battle.foxhole], side)],
      ['beach', 'Beach', ground([...battle.beach], side)],
    ]
    // What holds more gets more room; an empty part keeps a line.
    const weight = parts.map(([, , ids]) => 0.55 + Math.min(2, Math.ceil(ids.length / 4)))
    const all = weight.reduce((sum, one) => sum + one, 0)
    let y = rect.y + 30
    parts.forEach(([name, label, ids], place) => {
      const h = ((rect.h - 36) * weight[place]!) / all
      zones.push({ id: `IS ${side} ${name}`, area: 'IS', side, label, ids, x: rect.x + 6 + column * (half + 6), y, w: half, h: h - 5 })
      y += h
    })
  })
  return zones
}

/** The areas of the battle board; ships and the aircraft aboard need room in the two oceans. */
export function areasOf(table: Table, chart: Plan): ReturnType<typeof battleAreas> {
  const { battle } = table
  const count = (area: BattleArea): number => Object.keys(battle?.ships ?? {}).reduce((sum, id) => sum + (battle?.ships[id] === area ? 1 + (battle.rooms[id] ?? 0) : 0), 0)
  return battleAreas(chart, { JO: count('JO'), UO: count('UO') })
}

/** The parts of the battle board with what lies in them. */
export function zonesOf(table: Table, chart: Plan): Zone[] {
  const { battle } = table
  if (!battle) return []
  const areas = areasOf(table, chart)
  const zones = islandZones(table, battle, areas.IS)
  for (const area of BATTLE_AREAS) {
    if (area === 'IS') continue
    const rect = areas[area]
    const content = (side: SideId): { sea: string[]; cargo: string[]; air: string[] } => ({
      sea: atSea(table, battle, area, side),
      cargo: area === 'CO' ? battle.transports[side] : [],
      air: inTheAir(table, battle, area, side),
    })
    const of = { JA: content('JA'), US: content('US') }
    const count = (side: SideId): number => of[side].sea.length + of[side].cargo.length + of[side].air.length
    const whole = rect.w - 18
    const share = Math.max(0.3, Math.min(0.7, (count('JA') + 1) / (count('JA') + count('US') + 2)))
    let x = rect.x + 6
    for (const side of ['JA', 'US'] as const) {
      const w = side === 'JA' ? whole * share : whole * (1 - share)
      const { sea, cargo, air } = of[side]
      const parts: [string, string, string[]][] = [['sea', 'At sea', sea]]
      if (cargo.length) parts.push(['cargo', 'Transports', cargo])
      if (air.length) parts.push(['air', 'In the air', air])
      const weight = parts.map(([, , ids]) => 0.6 + Math.min(3, ids.length / 5))
      const all = weight.reduce((sum, one) => sum + one, 0)
      let y = rect.y + 30
      parts.forEach(([name, label, ids], place) => {
        const h = ((rect.h - 36) * weight[place]!) / all
        zones.push({ id: `${area} ${side} ${name}`, area, side, label, ids, x, y, w, h: h - 5 })
        y += h
      })
      x += w + 6
    }
  }
  return zones
}

/** The battle board: as large as they fit, alike ones in a stack where they would be too small. */
export function inBattle(table: Table, chart: Plan, unit: number, telephone: boolean): Layout {
  const layout: Layout = { singles: new Map(), stacks: [] }
  const smallest = Math.max(0.5, Math.min(1, (telephone ? FINGER_PIXELS : READABLE_PIXELS) / (COUNTER.h * unit)))
  for (const zone of zonesOf(table, chart)) {
    const room = { x: zone.x + 4, y: zone.y + 17, w: zone.w - 8, h: zone.h - 20 }
    const home = (id: string): string => table.battle?.planes[id]?.home ?? ''
    const type = (id: string): string => table.counters[id]?.type ?? ''
    const alike = (id: string): string => `${home(id)} ${type(id)} ${isDamaged(table, id)}`
    const kind = (id: string): string => table.counters[id]?.kind ?? ''
    const spotsFor = (count: number): Spot[] | null => fit(room, count, smallest, count === zone.ids.length ? 0 : MARK)
    const piles = gathered(zone.ids, [alike, type, kind], (count) => spotsFor(count) !== null)
    const spots = spotsFor(piles.length) ?? grid(room, piles.length, Math.max(1, piles.length), 0.5, MARK)
    piles.forEach((pile, place) => put(layout, `${zone.id} ${place}`, pile, spots[place]!))
  }
  return layout
}
