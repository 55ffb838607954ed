/** Where each counter lies on the map, and how counters share a room; what would be too small to read lies in stacks. */

import type { Spot, StackSpot } from '../../parts/stacks'
import { boxes, ON_MAP, type Plan, type Rect } from './plan'
import { byPlace, KINDS, SIDES } from './reading'
import type { Table } from './shown'

export const COUNTER = { w: 66, h: 60 }
/** Between neighbours: as much as the frame of one that can be picked needs. */
export const GAP = 7
const LARGEST = 1.45
export const FINGER_PIXELS = 40

export interface Layout {
  singles: Map<string, Spot>
  stacks: StackSpot[]
}

/** The scale of counters that are fanned out: large enough to be read and to be tapped. */
export function fanScale(unit: number): number {
  return Math.max(1.15, Math.min(2.2, (FINGER_PIXELS + 6) / (COUNTER.h * unit)))
}

export function put(layout: Layout, id: string, ids: string[], spot: Spot): void {
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
        const spot = {
          x: x + (place - (piles.length - 1) / 2) * (w + GAP),
          y: side === 'JA' ? y - 17 - h / 2 : y + 19 + h / 2,
          scale: ON_MAP,
        }
        put(layout, `${area} ${side} ${place}`, pile, spot)
      })
    }
  }
  for (const [box, rect] of boxes(chart, table.year)) {
    const kind = /^JA_RE_(\w+)$/.exec(box)?.[1]
    const ids = (found.get(kind ? 'JA_RE' : box) ?? []).filter((id) => !kind || table.counters[id]?.kind === kind)
    const own = box.startsWith('JA')
    const spot = own
      ? { x: rect.x + rect.w / 2, y: rect.y + 60, scale: ON_MAP }
      : { x: rect.x + rect.w - 40, y: rect.y + 31, scale: ON_MAP }
    put(layout, box, ids, spot)
  }
  return layout
}

export function fit(rect: Rect, count: number, smallest: number, extra: number): Spot[] | null {
  for (let scale = LARGEST; scale >= smallest - 0.001; scale -= 0.04) {
    const [w, h] = [COUNTER.w * scale, COUNTER.h * scale + extra]
    const across = Math.floor((rect.w + GAP) / (w + GAP))
    const down = Math.floor((rect.h + GAP) / (h + GAP))
    if (across * down >= count) return grid(rect, count, across, scale, extra)
  }
  return null
}

export function grid(rect: Rect, count: number, across: number, scale: number, extra: number): Spot[] {
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
