/** Where each counter lies: counters in a box are laid out in rows as large as they fit, in CAP on the rings; where
 * they would be too small to read they lie in stacks. */

import { gathered, type Spot, type StackSpot } from '../../parts/stacks'
import type { Circle, Plan, Rect } from './plan'
import { contents, SIDES, type Table } from './reading'

export type { Spot }

export const COUNTER = { w: 72, h: 62 }
/** Between neighbours: as much as the frame of one that can be picked needs. */
const GAP = 7
/** A stack's mark stands out over its upper right corner: so far upwards, and a part of it to the side. */
const MARK = 11
const ASIDE = 0.8
const SMALLEST = 0.5
const LARGEST = 1.5

/** How small a counter may be, as a scale: one that is chosen where it lies, and a stack, which is fanned out first. */
export interface Least {
  single: number
  stack: number
}

const READABLE_PIXELS = 31
const FINGER_PIXELS = 40
/** A telephone is held nearer, and a stack on it is only opened where it lies. */
const NEAR_PIXELS = 27

/** `unit` is pixels to a unit of the chart; on a telephone what is tapped has the size of a fingertip. */
export function least(unit: number, telephone: boolean): Least {
  const scale = (pixels: number): number => Math.max(0.55, Math.min(1.1, pixels / (COUNTER.h * unit)))
  return telephone
    ? { single: scale(FINGER_PIXELS), stack: scale(NEAR_PIXELS) }
    : { single: scale(READABLE_PIXELS), stack: scale(READABLE_PIXELS) }
}

/** From this on a counter names its carrier; pixels to a unit of it. */
export const NAMED = 0.74

/** The scale of counters that are fanned out: large enough to name their carriers. */
export function fanScale(unit: number): number {
  return Math.max(0.95, Math.min(2.4, (NAMED + 0.01) / unit))
}

function fit(rect: Rect, count: number, most: number, smallest: number, extra = 0): Spot[] | null {
  for (let scale = most; scale >= smallest - 0.001; scale -= 0.03) {
    const across = Math.floor((rect.w + GAP) / (COUNTER.w * scale + ASIDE * extra + GAP))
    const down = Math.floor((rect.h + GAP) / (COUNTER.h * scale + extra + GAP))
    if (across * down >= count) return grid(rect, count, across, scale, extra)
  }
  return null
}

/** Rows of `count` counters in a rectangle; when even the smallest do not fit they overlap evenly. */
export function rows(rect: Rect, count: number, most = 1, smallest = SMALLEST): Spot[] {
  if (!count) return []
  const down = Math.max(1, Math.floor((rect.h + GAP) / (COUNTER.h * smallest + GAP)))
  return fit(rect, count, most, smallest) ?? grid(rect, count, Math.ceil(count / down), smallest)
}

function grid(rect: Rect, count: number, across: number, scale: number, extra = 0): Spot[] {
  const lines = Math.ceil(count / across)
  const perLine = Math.ceil(count / lines)
  const [w, h] = [COUNTER.w * scale + ASIDE * extra, COUNTER.h * scale + extra]
  const stepX = Math.min(w + GAP, perLine > 1 ? (rect.w - w) / (perLine - 1) : w)
  const stepY = h + GAP
  const top = rect.y + rect.h / 2 - ((lines - 1) * stepY) / 2
  return Array.from({ length: count }, (_, place) => {
    const line = Math.floor(place / perLine)
    const inLine = Math.min(perLine, count - line * perLine)
    const left = rect.x + rect.w / 2 - ((inLine - 1) * stepX) / 2
    return { x: left + (place % perLine) * stepX - (ASIDE * extra) / 2, y: top + line * stepY + extra / 2, scale }
  })
}

/** Where counters and stacks of them lie on a CAP position: in the centre as a block, on a ring spread along it. */
function onRing(circle: Circle, ring: number, count: number, smallest: number, extra: number): Spot[] | null {
  const outer = circle.radii[ring]!
  if (ring === 0) {
    const half = outer * 0.7
    return fit({ x: circle.x - half, y: circle.y - half + 14, w: 2 * half, h: 2 * half - 8 }, count, 1, smallest, extra)
  }
  const scale = Math.min(smallest, 0.8)
  const middle = Math.min((outer + circle.radii[ring - 1]!) / 2, outer - (COUNTER.w * scale + extra) / 2)
  const step = (COUNTER.h * scale + extra + GAP) / middle
  if (count > 1 && count * step > 1.3) return null
  // The second position to the left and the third to the right: their bands are narrower than a counter.
  const towards = ring % 2 ? Math.PI : 0
  return Array.from({ length: count }, (_, place) => {
    const angle = towards + (place - (count - 1) / 2) * step
    return { x: circle.x + middle * Math.cos(angle), y: circle.y + middle * Math.sin(angle), scale }
  })
}

export function inner(rect: Rect): Rect {
  return { x: rect.x + 12, y: rect.y + 32, w: rect.w - 26, h: rect.h - 44 }
}

/** A hangar without the line at its foot that says what is in it. */
function hangarRoom(rect: Rect): Rect {
  return { x: rect.x + 4, y: rect.y + 3, w: rect.w - 8, h: rect.h - 22 }
}

export interface Layout {
  /** The spot of every group that is not lost, unless it lies in a stack. */
  singles: Map<string, Spot>
  stacks: StackSpot[]
}

/** Lays out what is on the board; `smallest` decides what is gathered in stacks. */
export function layout(table: Table, chart: Plan, smallest: Least): Layout {
  const found: Layout = { singles: new Map(), stacks: [] }
  const inside = contents(table)
  const carrierAndType = (id: string): string => `${table.groups[id]?.home} ${table.groups[id]?.type}`
  const type = (id: string): string => table.groups[id]?.type ?? ''
  // Who searches together lies together.
  const search = (id: string): string => String(table.groups[id]?.search_group || type(id))
  const put = (box: string, room: (count: number, smallest: number, extra: number) => Spot[] | null, crowded: Rect): void => {
    const ids = inside.get(box) ?? []
    const spotsFor = (count: number): Spot[] | null =>
      count === ids.length ? room(count, smallest.single, 0) : room(count, smallest.stack, MARK)
    const keys = ids.some((id) => table.groups[id]?.search_group) ? [search, type] : [carrierAndType, type]
    const piles = gathered(ids, keys, (count) => spotsFor(count) !== null)
    const spots = spotsFor(piles.length) ?? rows(crowded, piles.length, 1, Math.min(smallest.single, smallest.stack))
    piles.forEach((pile, order) => {
      const spot = spots[order]!
      if (pile.length === 1) found.singles.set(pile[0]!, spot)
      else found.stacks.push({ ...spot, id: `${box} ${pile[0]}`, ids: pile })
    })
  }
  const inRect = (box: string, rect: Rect, most: number): void =>
    put(box, (count, scale, extra) => fit(rect, count, most, scale, extra), rect)
  for (const [id, rect] of chart.boxes) inRect(id, inner(rect), LARGEST)
  for (const [name, ship] of chart.ships) {
    inRect(`DECK:${name}`, ship.deck, LARGEST)
    inRect(`HANGAR:${name}`, hangarRoom(ship.hangar), LARGEST)
  }
  for (const side of [0, 1] as const) {
    const circle = chart.caps[side]
    circle.radii.forEach((radius, ring) => {
      const centre = { x: circle.x - radius / 2, y: circle.y - radius / 2, w: radius, h: radius }
      put(`${SIDES[side]}:CAP:${ring + 1}`, (count, scale, extra) => onRing(circle, ring, count, scale, extra), centre)
    })
  }
  return found
}

/** The rectangle or circle of a place, for arrows and for glowing. */
export function middleOf(id: string, chart: Plan): { x: number; y: number } | null {
  const box = chart.boxes.get(id)
  if (box) return { x: box.x + box.w / 2, y: box.y + box.h / 2 }
  const ship = chart.ships.get(id.replace(/^(DECK|HANGAR):/, ''))
  if (ship) return { x: ship.hull.x + ship.hull.w / 2, y: ship.hull.y + ship.hull.h / 2 }
  for (const side of [0, 1] as const) if (id.startsWith(`${SIDES[side]}:CAP`)) return chart.caps[side]
  return null
}
