/** Where everything lies on the chart, in the chart's own units. Two plans: wide for a screen, tall for a
 * telephone; the wide one takes the shape of its window. Japan's strikes go out along its own lane and come back beside it; the other side's mirror it. */

import type { AIR } from './reading'
import { carriersOf, SIDES, type Table } from './reading'

export interface Rect {
  x: number
  y: number
  w: number
  h: number
}

export interface Circle {
  x: number
  y: number
  /** Outer radius of each position, centre first. */
  radii: number[]
}

export interface ShipPlan {
  whole: Rect
  hull: Rect
  deck: Rect
  hangar: Rect
  circles: Rect
  /** Its guns and its load have a line of their own below its name: the damage circles then have all of theirs. */
  tall: boolean
  /** The bow points to the right. */
  right: boolean
}

export interface Plan {
  width: number
  height: number
  /** Air boxes by id, `JP:MOVING` and so on. */
  boxes: Map<string, Rect>
  caps: [Circle, Circle]
  ships: Map<string, ShipPlan>
  fleets: [Rect, Rect]
}

const HEAD = 34
const TALL_HEAD = 58
const STRIP_BELOW = 300

function ship(whole: Rect, right: boolean): ShipPlan {
  const { x, y, w, h } = whole
  const room = h - TALL_HEAD - 34
  const hullHeight = Math.min(Math.round(0.72 * w), Math.round(room * 0.5))
  const hull = { x: x + 6, y: y + TALL_HEAD, w: w - 12, h: hullHeight }
  return {
    whole,
    hull,
    deck: { x: hull.x + 14, y: hull.y + 8, w: hull.w - 36, h: hull.h - 16 },
    hangar: { x: x + 10, y: y + TALL_HEAD + hullHeight + 6, w: w - 20, h: room - hullHeight - 4 },
    circles: { x: x + 10, y: y + h - 28, w: w - 20, h: 22 },
    tall: true,
    right,
  }
}

/** Where there is little height, a carrier is a strip: deck on the left, hangar on the right. */
function stripShip(whole: Rect, right: boolean): ShipPlan {
  const { x, y, w, h } = whole
  const hull = { x: x + 6, y: y + HEAD, w: w * 0.56, h: h - HEAD - 34 }
  return {
    whole,
    hull,
    deck: { x: hull.x + 12, y: hull.y + 6, w: hull.w - 40, h: hull.h - 12 },
    hangar: { x: hull.x + hull.w + 8, y: hull.y, w: w - hull.w - 22, h: hull.h },
    circles: { x: x + 10, y: y + h - 28, w: w - 20, h: 22 },
    tall: false,
    right,
  }
}

function column(names: string[], { x, y, w, h }: Rect, right: boolean): [string, ShipPlan][] {
  const gap = 12
  const each = (h - gap * (names.length - 1)) / Math.max(1, names.length)
  const made = each < STRIP_BELOW ? stripShip : ship
  return names.map((name, order) => [name, made({ x, y: y + order * (each + gap), w, h: each }, right)])
}

function radii(rings: number, outer: number): number[] {
  const centre = rings === 1 ? outer : outer * 0.56
  return Array.from({ length: rings }, (_, ring) => (rings === 1 ? outer : centre + ((outer - centre) * ring) / (rings - 1)))
}

/** Every wide plan is as large as the others, so that what is drawn on it is as large as its window allows. */
const AREA = 1_080_000
const WIDEST = 1.9

function wide(table: Table, aspect: number): Plan {
  const shape = Math.min(WIDEST, aspect)
  const [width, height] = [Math.round(Math.sqrt(AREA * shape)), Math.round(Math.sqrt(AREA / shape))]
  const most = Math.max(carriersOf(table, 0).length, carriersOf(table, 1).length)
  // A duel's carriers leave more room to the planes.
  const fleet = Math.round(width * (most > 1 ? 0.25 : 0.215))
  const outer = height * (most > 1 ? 0.17 : 0.155)
  const gap = 8
  const lane = height / 2 - outer - 2 * gap - 14
  const [out, back] = [lane * 0.62 - gap / 2, lane * 0.38 - gap / 2]
  const left = fleet + 16
  const inside = width - 2 * left
  const third = (inside - 2 * gap) / 3
  const half = (inside - gap) / 2
  const boxes = new Map<string, Rect>()
  const rects: Record<(typeof AIR)[number], Rect> = {
    MOVING: { x: left, y: 12, w: third, h: out },
    READY: { x: left + third + gap, y: 12, w: third, h: out },
    ATTACKING: { x: left + 2 * (third + gap), y: 12, w: third, h: out },
    HOME: { x: left + half + gap, y: 12 + out + gap, w: half, h: back },
    WAITING: { x: left, y: 12 + out + gap, w: half, h: back },
  }
  for (const [name, rect] of Object.entries(rects)) {
    boxes.set(`${SIDES[0]}:${name}`, rect)
    boxes.set(`${SIDES[1]}:${name}`, { ...rect, x: width - rect.x - rect.w, y: height - rect.y - rect.h })
  }
  const rings = radii(table.cap_rings, outer)
  const apart = inside / 4 + 4
  return {
    width,
    height,
    boxes,
    caps: [
      { x: width / 2 - apart, y: height / 2, radii: rings },
      { x: width / 2 + apart, y: height / 2, radii: rings },
    ],
    ships: new Map([
      ...column(carriersOf(table, 0), { x: 12, y: 12, w: fleet - 8, h: height - 24 }, true),
      ...column(carriersOf(table, 1), { x: width - fleet - 4, y: 12, w: fleet - 8, h: height - 24 }, false),
    ]),
    fleets: [
      { x: 5, y: 5, w: fleet + 6, h: height - 10 },
      { x: width - fleet - 11, y: 5, w: fleet + 6, h: height - 10 },
    ],
  }
}

function tall(table: Table): Plan {
  const width = 640
  const strip = 160
  const boxes = new Map<string, Rect>()
  const ships = new Map<string, ShipPlan>()
  const names = [carriersOf(table, 0), carriersOf(table, 1)] as const
  let y = 8
  const strips = (side: 0 | 1): Rect => {
    const from = y
    for (const name of names[side]) {
      ships.set(name, stripShip({ x: 12, y: y + 4, w: width - 24, h: strip }, side === 0))
      y += strip + 8
    }
    y += 8
    return { x: 6, y: from, w: width - 12, h: y - from - 4 }
  }
  const lane = (side: 0 | 1, outFirst: boolean): void => {
    const out = ['MOVING', 'READY', 'ATTACKING']
    const back = ['WAITING', 'HOME']
    for (const row of outFirst ? [back, out] : [out, back]) {
      const w = (width - 12 - 8 * (row.length - 1)) / row.length
      const h = row === out ? 152 : 108
      row.forEach((name, place) => {
        const from = side === 0 ? place : row.length - 1 - place
        boxes.set(`${SIDES[side]}:${name}`, { x: 6 + from * (w + 8), y, w, h })
      })
      y += h + 8
    }
  }
  const first = strips(0)
  lane(0, true)
  const rings = radii(table.cap_rings, 150)
  const caps: [Circle, Circle] = [
    { x: 160, y: y + 160, radii: rings },
    { x: 480, y: y + 160, radii: rings },
  ]
  y += 328
  lane(1, false)
  const second = strips(1)
  return { width, height: y, boxes, caps, ships, fleets: [first, second] }
}

const TALL_BELOW = 0.95

/** A window for the tall plan: a telephone's. */
export function isTall(aspect: number): boolean {
  return aspect < TALL_BELOW
}

export function plan(table: Table, aspect: number): Plan {
  return isTall(aspect) ? tall(table) : wide(table, aspect)
}
