/** Where each counter lies: counters in a box are laid out in rows as large as they fit, in CAP on the rings. */

import type { Circle, Plan, Rect } from './plan'
import { contents, SIDES, type Table } from './table'

export const COUNTER = { w: 72, h: 62 }
const GAP = 5
const SMALLEST = 0.5
const LARGEST = 1.25

export interface Spot {
  /** The centre of the counter. */
  x: number
  y: number
  scale: number
}

/** Rows of `count` counters in a rectangle; when even the smallest do not fit they overlap evenly. */
export function rows(rect: Rect, count: number, most = 1): Spot[] {
  if (!count) return []
  for (let scale = most; scale >= SMALLEST; scale -= 0.04) {
    const across = Math.floor((rect.w + GAP) / (COUNTER.w * scale + GAP))
    const down = Math.floor((rect.h + GAP) / (COUNTER.h * scale + GAP))
    if (across * down >= count) return grid(rect, count, across, scale)
  }
  const down = Math.max(1, Math.floor((rect.h + GAP) / (COUNTER.h * SMALLEST + GAP)))
  return grid(rect, count, Math.ceil(count / down), SMALLEST)
}

function grid(rect: Rect, count: number, across: number, scale: number): Spot[] {
  const lines = Math.ceil(count / across)
  const perLine = Math.ceil(count / lines)
  const [w, h] = [COUNTER.w * scale, COUNTER.h * scale]
  const stepX = Math.min(w + GAP, perLine > 1 ? (rect.w - w) / (perLine - 1) : w)
  const stepY = h + GAP
  const top = rect.y + rect.h / 2 - ((lines - 1) * stepY) / 2
  return Array.from({ length: count }, (_, place) => {
    const line = Math.floor(place / perLine)
    const inLine = Math.min(perLine, count - line * perLine)
    const left = rect.x + rect.w / 2 - ((inLine - 1) * stepX) / 2
    return { x: left + (place % perLine) * stepX, y: top + line * stepY, scale }
  })
}

/** Counters on one CAP position: in the centre as a block, on a ring spread along it. */
export function onRing(circle: Circle, ring: number, count: number): Spot[] {
  const outer = circle.radii[ring]!
  if (ring === 0) {
    const half = outer * 0.72
    return rows({ x: circle.x - half, y: circle.y - half + 6, w: 2 * half, h: 2 * half }, count, 0.8)
  }
  const middle = (outer + circle.radii[ring - 1]!) / 2
  const step = Math.min((2 * Math.PI) / count, 40 / middle)
  return Array.from({ length: count }, (_, place) => {
    // To the left, where no label is.
    const angle = Math.PI + (place - (count - 1) / 2) * step
    return { x: circle.x + middle * Math.cos(angle), y: circle.y + middle * Math.sin(angle), scale: 0.5 }
  })
}

export function inner(rect: Rect): Rect {
  return { x: rect.x + 12, y: rect.y + 32, w: rect.w - 26, h: rect.h - 44 }
}

/** A hangar without the line at its foot that says what is in it. */
function hangarRoom(rect: Rect): Rect {
  return { x: rect.x + 4, y: rect.y + 3, w: rect.w - 8, h: rect.h - 22 }
}

/** The spot of every group that is not lost. */
export function spots(table: Table, chart: Plan): Map<string, Spot> {
  const found = new Map<string, Spot>()
  const put = (ids: string[], at: Spot[]): void => ids.forEach((id, order) => found.set(id, at[order]!))
  const inside = contents(table)
  for (const [id, rect] of chart.boxes) {
    const ids = inside.get(id) ?? []
    put(ids, rows(inner(rect), ids.length, LARGEST))
  }
  for (const [name, ship] of chart.ships) {
    const deck = inside.get(`DECK:${name}`) ?? []
    put(deck, rows(ship.deck, deck.length))
    const hangar = inside.get(`HANGAR:${name}`) ?? []
    put(hangar, rows(hangarRoom(ship.hangar), hangar.length))
  }
  for (const side of [0, 1] as const) {
    const circle = chart.caps[side]
    circle.radii.forEach((_, ring) => {
      const ids = inside.get(`${SIDES[side]}:CAP:${ring + 1}`) ?? []
      put(ids, onRing(circle, ring, ids.length))
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

