/** Where everything lies on the map. The waters round the islands are as crowded as the open sea is empty, so
 * the map is drawn with a scale that varies: first along each axis by how much lies there, then by pushing
 * areas apart until each has room for its counter and its name. The coastlines are bent the same way. */

import { carried, drawn, plans, type Point, spread, tenth } from '../chart'
import { AREAS, COAST, EDGES } from './atlas'

export type { Point }

export interface Node extends Point {
  id: string
  kind: 'land' | 'sea' | 'box'
  name: string
  /** As it is written on the map: one line, or two. */
  lines: string[]
}

export interface Way {
  kind: 'l' | 's' | 'c' | 'b'
  a: string
  b: string
  d: string
}

export interface Plan {
  width: number
  height: number
  nodes: ReadonlyMap<string, Node>
  ways: readonly Way[]
  neighbours: ReadonlyMap<string, readonly string[]>
  coast: string
  /** Meridians and parallels, every five degrees. */
  grid: string
  /** The strip at the foot for the victory track. */
  track: { x: number; y: number; w: number; h: number }
}

/** What an area needs for itself: a counter, a plate and a name. */
export const CELL = { w: 97, h: 98 }
/** A closed stack: its size over that of a counter, how far above its area it lies, and how far beside it where another
 * side's lies there, too. */
export const HEAP = {
  scale: 1.14,
  up: { sea: 33, land: 35, box: 35 },
  aside: 26,
  /** Its number and its resource points, from its centre: on the right, for names and plates are above and below. Where
   * two lie beside each other, the number is on the paper itself. */
  count: { x: 20, within: 11, y: -12, r: 11 },
  points: { x: 29, y: 10, w: 26, h: 24 },
}

const AREA = 1_380_000
/** Width by height. */
const SHAPES = [0.92, 2] as const
const PAD = { left: 60, right: 60, top: 78, bottom: 98 }
const CANVAS = { left: 90, right: 1500, top: 50, bottom: 1040 }

const OWN_LABELS: Record<string, string> = {
  guadalcanal_west: 'Esperance',
  guadalcanal_lunga: 'Lunga',
  goodenough: 'Goodenough',
  woodlark: 'Woodlark',
  yule: 'Yule',
  tufi: 'C. Nelson',
  morobe: 'Morobe',
  cape_gloucester: 'Gloucester',
  espiritu_santo: 'Espiritu Santo',
  st_georges_channel: 'St George’s Ch.',
  solomon_sea_west: 'Solomon Sea W',
  solomon_sea_east: 'Solomon Sea E',
  coral_sea_north: 'Coral Sea N',
  coral_sea_west: 'Coral Sea W',
  coral_sea_east: 'Coral Sea E',
  coral_sea_south: 'Coral Sea S',
  coral_sea_central: 'Coral Sea, centre',
  indispensable_strait: 'Indispensable Str.',
}

export function label(id: string, name: string): string {
  return OWN_LABELS[id] ?? name.split(/[–(]/)[0]!.trim()
}

const LONG = 11

/** A label of a sea area in two lines if it is long; names on land stay on one. */
function lines(text: string, kind: string): string[] {
  if (text.length <= LONG || kind === 'land') return [text]
  const words = text.split(' ')
  if (words.length < 2) return [text]
  const at = words.length > 2 && words[0]!.length < 4 ? 2 : Math.ceil(words.length / 2)
  return [words.slice(0, at).join(' '), words.slice(at).join(' ')]
}

/** A map from the canvas to the plan along one axis: where more lies, the scale is larger. */
function stretched(
  values: readonly number[],
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
  width: number,
): (value: number) => number {
  const bins = 240
  const evenly = 0.28
  const weight = Array.from({ length: bins }, (_, bin) => {
    const middle = from + ((to - from) * (bin + 0.5)) / bins
    return values.reduce((sum, value) => sum + Math.exp(-0.5 * ((middle - value) / width) ** 2), 0)
  })
  const all = weight.reduce((sum, one) => sum + one, 0)
  const reached = [0]
  for (const one of weight) reached.push(reached.at(-1)! + (1 - evenly) * (one / all) + evenly / bins)
  return (value) => {
    const at = ((value - from) / (to - from)) * bins
    const bin = Math.max(0, Math.min(bins - 1, Math.floor(at)))
    return start + (end - start) * (reached[bin]! + (reached[bin + 1]! - reached[bin]!) * (at - bin))
  }
}

function make(width: number, height: number): Plan {
  const across = stretched(
    AREAS.map((area) => area.x),
    [CANVAS.left, CANVAS.right],
    [PAD.left, width - PAD.right],
    58,
  )
  const down = stretched(
    AREAS.map((area) => area.y),
    [CANVAS.top, CANVAS.bottom],
    [PAD.top, height - PAD.bottom],
    42,
  )
  const first = AREAS.map(({ x, y }) => ({ x: across(x), y: down(y) }))
  const last = spread(first, {
    cell: CELL,
    hold: 0.006,
    held: 300,
    rounds: 1000,
    // A sheet that is this wide has room left beside the islands and none above and below them.
    upright: width > 1.55 * height ? 1.4 : 1,
    within: (one) => {
      one.x = Math.max(PAD.left, Math.min(width - PAD.right, one.x))
      one.y = Math.max(PAD.top, Math.min(height - PAD.bottom, one.y))
    },
  })
  const at = (x: number, y: number): Point => carried({ x: across(x), y: down(y) }, first, last, 90, 5)
  const nodes = new Map<string, Node>(
    AREAS.map(({ id, name, kind }, place) => {
      const { x, y } = last[place]!
      return [id, { id, kind, name, lines: lines(label(id, name), kind), x: tenth(x), y: tenth(y) }]
    }),
  )
  const neighbours = new Map<string, string[]>(AREAS.map(({ id }) => [id, []]))
  const ways = EDGES.map(([one, other, kind]) => {
    const [a, b] = [AREAS[one]!.id, AREAS[other]!.id]
    neighbours.get(a)!.push(b)
    neighbours.get(b)!.push(a)
    const [from, to] = [nodes.get(a)!, nodes.get(b)!]
    return { kind, a, b, d: `M${from.x} ${from.y}L${to.x} ${to.y}` }
  })
  const grid: string[] = []
  for (let lon = 145; lon <= 170; lon += 5) {
    const x = tenth(across(50 + ((lon - 144.3) * 1500) / 25.2))
    if (x > 0 && x < width) grid.push(`M${x} 0V${height}`)
  }
  for (let lat = -5; lat >= -20; lat -= 5) grid.push(`M0 ${tenth(down(45 + ((-lat - 1.4) * 1010) / 22.4))}H${width}`)
  return {
    width,
    height,
    nodes,
    ways,
    neighbours,
    coast: COAST.map((ring) => drawn(ring, at)).join(''),
    grid: grid.join(''),
    track: { x: 24, y: height - 52, w: width - 48, h: 34 },
  }
}

/** The plan for a window of this shape; the same window gets the same plan. */
export const plan = plans(AREA, SHAPES, make)
