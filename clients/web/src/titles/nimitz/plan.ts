/** Where everything lies on the map. The Pacific is as empty in the east as it is crowded in the west: the map is drawn
 * with a scale that varies, and areas are pushed apart until each has room for its forces; the coast bends with them. */

import { carried, drawn, plans, type Point, spread, tenth } from '../chart'
import { AREAS, COAST, LINKS } from './atlas'

export type { Point }

export interface Rect extends Point {
  w: number
  h: number
}

export interface Plan {
  width: number
  height: number
  /** The centre of each area's plate. */
  areas: ReadonlyMap<string, Point>
  coast: string
  links: readonly { a: string; b: string; d: string }[]
  grid: string
  turns: Rect
  result: Rect
}

/** What an area needs for itself: its plate, a row of Japanese forces above it, a row of US forces below. */
export const CELL = { w: 156, h: 130 }
/** Counters on the map are so large. */
export const ON_MAP = 0.72

const AREA = 1_090_000
/** Width by height. */
const SHAPES = [0.85, 2.05] as const
export const STRIP = 56
/** The sheet after which those are laid that are as wide as a desk's window and a laptop's leave the map. */
const PATTERN = { width: 1392, height: 783 }
const LIKE_PATTERN = 1.42
/** Japan's boxes lie above this corner. */
const OWN_BOXES = { w: 352, h: STRIP + 104 }

/** The width that the stops across are written for. */
const WRITTEN = 1130
// From the canvas of the data to the map: the seas between Hawaii and California are narrowed.
const ACROSS: readonly [number, number][] = [
  [-240, -150],
  [154, 90],
  [480, 350],
  [760, 620],
  [1127, 850],
  [1518, 1040],
  [2060, 1270],
]
const DOWN: readonly [number, number][] = [
  [-160, -0.22],
  [111, 0.02],
  [290, 0.17],
  [402, 0.3],
  [500, 0.43],
  [580, 0.55],
  [708, 0.71],
  [800, 0.83],
  [920, 1],
  [1400, 1.5],
]

function along(stops: readonly [number, number][], value: number): number {
  const last = stops.length - 2
  const place = Math.max(0, Math.min(last, stops.findIndex(([from]) => from > value) - 1))
  const at = value > stops[last]![0] ? last : place
  const [[from, start], [to, end]] = [stops[at]!, stops[at + 1]!]
  return start + ((value - from) / (to - from)) * (end - start)
}

/** Areas pushed apart on a sheet. On wide ones neighbours lie the same way to each other: they begin from where they come to
 * lie on one such sheet, or the map would be another one each time that the tray below it changes its height. */
function apart(width: number, height: number, from: readonly Point[]): Point[] {
  const pattern = width > LIKE_PATTERN * height && width !== PATTERN.width ? patterned() : null
  const begin = pattern?.map(({ x, y }) => ({ x: (x * width) / PATTERN.width, y: (y * height) / PATTERN.height })) ?? from
  return spread(begin, {
    cell: CELL,
    hold: 0.02,
    held: 380,
    rounds: 1400,
    upright: width > 1.2 * height ? 0.6 : 1,
    within: (one) => {
      one.x = Math.max(CELL.w / 2 + 4, Math.min(width - CELL.w / 2 - 4, one.x))
      // Below the track, and in the north-west below Japan's boxes.
      const roof = one.x - CELL.w / 2 < OWN_BOXES.w ? OWN_BOXES.h : STRIP + 2
      one.y = Math.max(roof + CELL.h / 2 + 4, Math.min(height - CELL.h / 2 - 6, one.y))
    },
  })
}

/** Where the areas lie on the pattern; it is made once. */
let laid: readonly Point[] | null = null
function patterned(): readonly Point[] {
  laid ??= [...make(PATTERN.width, PATTERN.height).areas.values()]
  return laid
}

function make(width: number, height: number): Plan {
  const [top, bottom] = [STRIP + CELL.h / 2 + 8, height - CELL.h / 2 - 8]
  const across = (x: number): number => (along(ACROSS, x) * width) / WRITTEN
  const down = (y: number): number => top + along(DOWN, y) * (bottom - top)
  const first = AREAS.map(({ x, y }) => ({ x: across(x), y: down(y) }))
  const last = apart(width, height, first)
  const at = (x: number, y: number): Point => carried({ x: across(x), y: down(y) }, first, last, 130, 8)
  const areas = new Map(AREAS.map(({ id }, place) => [id, { x: tenth(last[place]!.x), y: tenth(last[place]!.y) }]))
  const links = LINKS.map(([a, b]) => {
    const [from, to] = [areas.get(a)!, areas.get(b)!]
    return { a, b, d: `M${from.x} ${from.y}L${to.x} ${to.y}` }
  })
  const grid: string[] = []
  for (let lon = 110; lon <= 240; lon += 10) grid.push(`M${tenth(across(11 * lon - 1098))} 0V${height}`)
  for (let lat = 60; lat >= -40; lat -= 10) grid.push(`M0 ${tenth(down(650 - 10 * lat))}H${width}`)
  return {
    width,
    height,
    areas,
    coast: COAST.map((ring) => drawn(ring, at)).join(''),
    links,
    grid: grid.join(''),
    turns: { x: 10, y: 8, w: 500, h: STRIP - 12 },
    result: { x: 526, y: 8, w: width - 536, h: STRIP - 12 },
  }
}

/** The plan for a window of this shape; the same window gets the same plan. */
export const plan = plans(AREA, SHAPES, make)

const LAST_PORT: Record<number, number> = { 1942: 1, 1943: 2 }
const BOX = { w: 186, h: 58, gap: 6 }
const BELOW = 6

/** The boxes beside the map: in the empty east what the US keep there, in the north-west, over Asia, Japan's. */
export function boxes(chart: Plan, year: number): ReadonlyMap<string, Rect> {
  const ports = ['P1', 'P2', 'P3'].slice(0, LAST_PORT[year] ?? 3)
  const east = ['US_RE', ...ports, 'RAID', ...(year >= 1944 ? ['SB'] : []), ...(year >= 1945 ? ['INV'] : [])]
  const found = new Map<string, Rect>()
  east.forEach((id, place) => {
    const y = chart.height - BELOW - (east.length - place) * (BOX.h + BOX.gap)
    found.set(id, { x: chart.width - 12 - BOX.w, y, w: BOX.w, h: BOX.h })
  })
  ;['JA_RE_SHIP', 'JA_RE_INF', 'JA_RE_LBA', 'JA_BN'].forEach((id, place) => {
    found.set(id, { x: 12 + place * 84, y: STRIP + 12, w: 80, h: 92 })
  })
  return found
}
