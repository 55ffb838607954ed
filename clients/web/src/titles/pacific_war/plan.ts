/** The part of the Pacific that a scenario is fought in, as a sheet of the shape of its window: its hexes with a margin. A unit is
 * a nautical mile. */

import { GRID, NAMES } from './atlas'
import { centre, gridOf, HEIGHT, nameOf, RADIUS, rimOf } from './map/hexes'

export interface Plan {
  /** Where the sheet's corner lies on the map. */
  left: number
  top: number
  width: number
  height: number
  /** The hexes that are open, and those drawn beside them. */
  area: ReadonlySet<string>
  margin: readonly string[]
  grid: string
  /** The sides of hexes that are not open. */
  beyond: string
  /** The edge of the area. */
  rim: string
  /** All of the sheet with the area cut out of it. */
  outside: string
  names: readonly { name: string; x: number; y: number; near: number }[]
}

/** Units that are drawn beyond the area on each side. */
const MARGIN = 45
/** A sheet is at least this wide and high: a battle of a few hexes has its surroundings too. */
const LEAST = 620
const SHAPES = [0.62, 2.4] as const

/** The whole map, before it is known what is played. */
const WHOLE = Array.from({ length: GRID.columns }, (_, column) => [0, GRID.rows - 1].map((row) => nameOf(column, row))).flat()

const made = new Map<string, Plan>()

/** The sheet of an area; the same one for the same area and shape. */
export function plan(hexes: readonly string[], aspect: number): Plan {
  const shape = Math.max(SHAPES[0], Math.min(SHAPES[1], aspect))
  const key = `${hexes.length} ${hexes[0] ?? ''} ${hexes.at(-1) ?? ''} ${shape}`
  const found = made.get(key) ?? make(hexes, shape)
  made.set(key, found)
  return found
}

function make(hexes: readonly string[], shape: number): Plan {
  const points = (hexes.length ? hexes : WHOLE).map(centre)
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const [west, east] = [Math.min(...xs) - RADIUS - MARGIN, Math.max(...xs) + RADIUS + MARGIN]
  const [north, south] = [Math.min(...ys) - HEIGHT / 2 - MARGIN, Math.max(...ys) + HEIGHT / 2 + MARGIN]
  // As large as the area needs in both directions, and filled up to the shape of the window.
  const tall = Math.max(south - north, (east - west) / shape, LEAST / Math.max(1, shape))
  const [width, height] = [tall * shape, tall]
  const [left, top] = [(west + east - width) / 2, (north + south - height) / 2]
  const inFrame = (x: number, y: number, by: number): boolean =>
    x > left - by && x < left + width + by && y > top - by && y < top + height + by
  const area = new Set(hexes)
  const margin: string[] = []
  for (let column = 0; column < GRID.columns; column++) {
    for (let row = 0; row < GRID.rows; row++) {
      const hex = nameOf(column, row)
      const { x, y } = centre(hex)
      if (!area.has(hex) && inFrame(x, y, RADIUS)) margin.push(hex)
    }
  }
  const beyond = gridOf(margin)
  return {
    left,
    top,
    width,
    height,
    area,
    margin,
    grid: gridOf(hexes),
    beyond,
    rim: rimOf(area),
    outside: `M${left} ${top}h${width}v${height}h${-width}Z${hexes.map(hexShape).join('')}`,
    names: NAMES.flatMap(([name, x, y, near]) => (inFrame(x, y, 0) ? [{ name, x, y, near }] : [])),
  }
}

function hexShape(hex: string): string {
  const { x, y } = centre(hex)
  const [half, down] = [RADIUS / 2, HEIGHT / 2]
  const at = (dx: number, dy: number): string => `${Math.round(x + dx)} ${Math.round(y + dy)}`
  return `M${at(RADIUS, 0)}L${at(half, down)}L${at(-half, down)}L${at(-RADIUS, 0)}L${at(-half, -down)}L${at(half, -down)}Z`
}
