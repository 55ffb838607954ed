/** The hexes of the Pacific: where they lie, who is beside whom by sea, and the way that a task force takes. The same as
 * domain/pacific_war/board/atlas.py computes, so that a way can be seen before it is chosen; the rules stay on the server. */

import type { Point } from '../../chart'
import { ANCHORS, CLOSED, COASTS, DRY, GRID, KINDS, LINKS, TERRAIN, TERRAINS } from '../atlas'

export type { Point }

/** A hex of the map is so high, and from corner to corner so wide; units. */
export const HEIGHT = GRID.down
export const RADIUS = GRID.down / Math.sqrt(3)
/** Steps between the points of which the build looks for water. */
const STEP = 5
/** U stands for no step. */
const ZERO = 85

const EVEN = [
  [0, -1],
  [1, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
  [-1, -1],
] as const
const ODD = [
  [0, -1],
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
] as const

const two = (value: number): string => String(value).padStart(2, '0')
export const columnOf = (hex: string): number => Number(hex.slice(0, 2))
export const rowOf = (hex: string): number => Number(hex.slice(2, 4))
export const nameOf = (column: number, row: number): string => two(column) + two(row)
export const hexOf = (node: string): string => node.slice(0, 4)

export function centre(hex: string): Point {
  const column = columnOf(hex)
  return { x: GRID.across * column, y: GRID.down * (rowOf(hex) + (column % 2) / 2) }
}

export function kind(hex: string): 's' | 'h' | 'l' {
  return (KINDS[rowOf(hex)]?.[columnOf(hex)] ?? 's') as 's' | 'h' | 'l'
}

/** The terrain of a hex with land in it. */
export function terrain(hex: string): string {
  return TERRAINS[TERRAIN[rowOf(hex)]?.[columnOf(hex)] ?? ''] ?? 'clear'
}

/** The neighbours on the map, from the north clockwise. */
export function beside(hex: string): string[] {
  const [column, row] = [columnOf(hex), rowOf(hex)]
  return (column % 2 ? ODD : EVEN)
    .map(([x, y]) => [column + x, row + y] as const)
    .filter(([x, y]) => x >= 0 && x < GRID.columns && y >= 0 && y < GRID.rows)
    .map(([x, y]) => nameOf(x, y))
}

export function distance(one: string, other: string): number {
  const cube = (hex: string): [number, number] => {
    const column = columnOf(hex)
    return [column, rowOf(hex) - (column - (column & 1)) / 2]
  }
  const [[q, r], [p, s]] = [cube(one), cube(other)]
  return Math.max(Math.abs(q - p), Math.abs(r - s), Math.abs(q - p + r - s))
}

/** The hexes at most so far from one, itself included. */
export function within(hex: string, radius: number): Set<string> {
  const found = new Set([hex])
  let edge = [hex]
  for (let far = 0; far < radius; far++) {
    edge = edge.flatMap(beside).filter((one) => !found.has(one) && found.add(one))
  }
  return found
}

// the sea

const dry = new Set(DRY)
const closed = new Set(CLOSED)

/** The waters of a hex: none on land, several where it has coasts. */
export function nodes(hex: string): readonly string[] {
  return COASTS[hex] ?? (kind(hex) === 'l' || dry.has(hex) ? [] : [hex])
}

const known = new Map<string, readonly string[]>()

/** The nodes beside a node, from the north clockwise, coasts in their order. */
export function seaward(node: string): readonly string[] {
  const found = known.get(node) ?? edges(node)
  known.set(node, found)
  return found
}

function edges(node: string): string[] {
  const listed = LINKS[node]?.split(' ')
  const open = (other: string): boolean => {
    if (listed) return listed.includes(other)
    const back = LINKS[other]
    if (back !== undefined) return back.split(' ').includes(node)
    return !closed.has(node < other ? `${node} ${other}` : `${other} ${node}`)
  }
  return beside(hexOf(node)).flatMap(nodes).filter(open)
}

/** The nodes within so many steps by sea, with how far they are; only hexes of the area are entered. */
export function flood(start: string, most: number, area: ReadonlySet<string>): Map<string, number> {
  const found = new Map([[start, 0]])
  let edge = [start]
  for (let far = 1; far <= most && edge.length; far++) {
    edge = edge.flatMap(seaward).filter((one) => {
      if (found.has(one) || !area.has(hexOf(one))) return false
      found.set(one, far)
      return true
    })
  }
  return found
}

interface Way {
  cost: number
  from: string
}

/** The ways from a node to all that can be reached: shortest ones, with the fewest nodes in shunned hexes, and of these the
 * first (P23.4.1). A way is what comes after its start. */
export function courses(start: string, most: number, area: ReadonlySet<string>, shunned: ReadonlySet<string>): Map<string, string[]> {
  const best = new Map<string, Way>([[start, { cost: 0, from: '' }]])
  let edge = [start]
  for (let far = 0; far < most && edge.length; far++) {
    const reached = new Map<string, Way>()
    for (const from of edge) {
      for (const end of seaward(from)) {
        if (best.has(end) || !area.has(hexOf(end))) continue
        const cost = best.get(from)!.cost + Number(shunned.has(hexOf(end)))
        if (cost < (reached.get(end)?.cost ?? Infinity)) reached.set(end, { cost, from })
      }
    }
    const rank = new Map(edge.map((one, place) => [one, place]))
    for (const [end, way] of reached) best.set(end, way)
    const order = (end: string): number => {
      const { from } = reached.get(end)!
      return 100 * rank.get(from)! + seaward(from).indexOf(end)
    }
    edge = [...reached.keys()].sort((one, other) => order(one) - order(other))
  }
  const ways = new Map<string, string[]>()
  for (const [end, { from }] of best) if (end !== start) ways.set(end, [...(ways.get(from) ?? []), end])
  return ways
}

// where things are drawn

const anchors = new Map(
  ANCHORS.split(' ').map((one) => [
    one.slice(0, -2),
    { x: STEP * (one.charCodeAt(one.length - 2) - ZERO), y: STEP * (one.charCodeAt(one.length - 1) - ZERO) },
  ]),
)

/** Where a fleet lies on a node: where it has water under it. */
export function anchor(node: string): Point {
  const { x, y } = centre(hexOf(node))
  const by = anchors.get(node)
  return by ? { x: x + by.x, y: y + by.y } : { x, y }
}

/** The corners of a hex, from the east; `grown` makes it larger or smaller. */
export function corners(hex: string, grown = 1): Point[] {
  const { x, y } = centre(hex)
  return [0, 60, 120, 180, 240, 300].map((angle) => {
    const turn = (angle * Math.PI) / 180
    return { x: x + RADIUS * grown * Math.cos(turn), y: y + RADIUS * grown * Math.sin(turn) }
  })
}

/** The part of its hex that is nearer to a node than to the other coasts there: what is clicked, and what glows. */
export function cell(node: string): Point[] {
  const hex = hexOf(node)
  const here = anchor(node)
  return nodes(hex).reduce((shape, other) => (other === node ? shape : nearer(shape, here, anchor(other))), corners(hex, 0.97))
}

/** What of a shape is nearer to one point than to another. */
function nearer(shape: readonly Point[], here: Point, there: Point): Point[] {
  const gap = 1.5
  const off = ({ x, y }: Point): number => {
    const length = Math.hypot(there.x - here.x, there.y - here.y) || 1
    return ((x - (here.x + there.x) / 2) * (there.x - here.x) + (y - (here.y + there.y) / 2) * (there.y - here.y)) / length + gap
  }
  return shape.flatMap((point, place) => {
    const before = shape.at(place - 1)!
    const [now, was] = [off(point), off(before)]
    const part = was / (was - now)
    const cut = { x: before.x + part * (point.x - before.x), y: before.y + part * (point.y - before.y) }
    if (now <= 0) return was <= 0 ? [point] : [cut, point]
    return was <= 0 ? [cut] : []
  })
}

const tenth = (value: number): number => Math.round(value * 10) / 10

export function outline(points: readonly Point[], close = true): string {
  if (!points.length) return ''
  return `M${points.map(({ x, y }) => `${tenth(x)} ${tenth(y)}`).join('L')}${close ? 'Z' : ''}`
}

/** The sides of hexes as one path, each once. */
export function gridOf(hexes: Iterable<string>): string {
  const all = new Set(hexes)
  let d = ''
  for (const hex of all) {
    const [e, se, sw, w, nw, ne] = corners(hex) as [Point, Point, Point, Point, Point, Point]
    const [north, , , , , northWest] = sides(hex)
    d += outline([ne, e, se, sw], false)
    if (!all.has(northWest!)) d += outline([w, nw], false)
    if (!all.has(north!)) d += outline([nw, ne], false)
    const southWest = sides(hex)[4]!
    if (!all.has(southWest)) d += outline([sw, w], false)
  }
  return d
}

/** The neighbours by their side, '' beyond the map. */
function sides(hex: string): string[] {
  const [column, row] = [columnOf(hex), rowOf(hex)]
  return (column % 2 ? ODD : EVEN).map(([x, y]) => {
    const [i, j] = [column + x, row + y]
    return i >= 0 && i < GRID.columns && j >= 0 && j < GRID.rows ? nameOf(i, j) : ''
  })
}

/** The rim of some hexes together. */
export function rimOf(hexes: ReadonlySet<string>, grown = 1): string {
  let d = ''
  for (const hex of hexes) {
    const at = corners(hex, grown)
    // From corner 4, north-west, to corner 5, north-east, is the north side, and so on clockwise.
    sides(hex).forEach((other, side) => {
      if (!hexes.has(other)) d += outline([at[(side + 4) % 6]!, at[(side + 5) % 6]!], false)
    })
  }
  return d
}
