/** Where what lies over the map has room: beside its area, off what can be chosen, and off names and stacks if that can be. */

import { beside, type Box, type Kept } from '../../parts/placing'
import { HEAP, type Node, type Plan, type Point } from './plan'
import type { Stack } from './reading'
import type { Unit } from './shown'
import { rpOf, topOf } from './words'

/** A closed stack, as large as half of it is from its middle. */
const HALF = 22 * HEAP.scale + 3

export function pile({ x, y }: Point): Box {
  return { left: x - HALF, top: y - HALF, width: 2 * HALF, height: 2 * HALF }
}

/** The plate or ring of an area, and its name below. */
export function sign({ x, y, kind, lines }: Node): Box {
  const width = Math.max(46, ...lines.map((line) => 8.2 * line.length))
  return { left: x - width / 2, top: y - 13, width, height: kind === 'land' ? 47 : 36 + 15 * (lines.length - 1) }
}

function whole(node: Node): Box {
  const [{ left, width, top, height }, above] = [sign(node), HEAP.up[node.kind] + HALF]
  return { left, width, top: node.y - above, height: top + height - node.y + above }
}

/** What is to stay in sight: areas that can be chosen with what lies in them, other names, and stacks. */
export function kept(chart: Plan, glowing: ReadonlySet<string>, piles: readonly Point[]): Kept {
  const nodes = [...chart.nodes.values()]
  return [nodes.filter(({ id }) => glowing.has(id)).map(whole), [...nodes.map(sign), ...piles.map(pile)]]
}

export function besideArea(node: Node, card: Pick<Box, 'width' | 'height'>, { width, height }: Plan, kept: Kept): Box {
  return beside([whole(node)], card, { left: 0, top: 0, width, height }, kept)
}

const HEAD = 32

/** A stack laid out: its counters in rows, below a line that says where. */
export interface Sheet {
  scale: number
  cell: number
  head: number
  /** What is on top of a hidden stack, or a resource point. */
  top: string
  rp: boolean
  setsTop: boolean
  across: number
  width: number
  height: number
}

/** `wide`: there is room for four in a row. Pixels to a unit of the map are `unit`. */
export function sheet(
  stack: Stack,
  units: Record<string, Unit>,
  { mine, wide, unit }: { mine: boolean; wide: boolean; unit: number },
  glowing: ReadonlySet<string>,
): Sheet {
  // About 52 pixels to a counter, whatever the size of the window: so its name can be read.
  const scale = Math.max(1.5, Math.min(3, 52 / (44 * unit)))
  const cell = 48.5 * scale
  // Of a hidden stack the top counter is seen; a resource point may lie there, or be put there.
  const rp = glowing.has(rpOf(stack.area)) && mine
  const top = rp ? 'rp' : stack.top && !units[stack.top] ? stack.top : ''
  const shown = stack.units.length + (top ? 1 : 0)
  const setsTop = mine && glowing.has(topOf(stack.area))
  const across = Math.min(wide ? 4 : 3, Math.max(1, shown))
  const down = Math.ceil(shown / across)
  return {
    scale,
    cell,
    head: HEAD,
    top,
    rp,
    setsTop,
    across,
    width: Math.max(across * cell + 16, setsTop ? 330 : 250),
    height: down * cell + HEAD + 12,
  }
}
