/** Counters that would be too small to read lie in stacks; a stack fans out to be read and chosen from. Knows ids,
 * sizes and places only, so it serves every title. */

export interface Size {
  w: number
  h: number
}

export interface Spot {
  /** The centre of the counter. */
  x: number
  y: number
  scale: number
  /** Turned by so many degrees, as one of a stack lies. */
  turn?: number
}

export interface StackSpot extends Spot {
  id: string
  /** What lies in it, the lowest first. */
  ids: string[]
}

/** The finest gathering that `fits`: nothing gathered, else by the first key, by the second, …, else all in one. */
export function gathered<Id extends string>(
  ids: readonly Id[],
  keys: readonly ((id: Id) => string)[],
  fits: (count: number) => boolean,
): Id[][] {
  const ways = [(id: Id) => id, ...keys]
  for (const key of ways) {
    const piles = new Map<string, Id[]>()
    for (const id of ids) piles.set(key(id), [...(piles.get(key(id)) ?? []), id])
    if (fits(piles.size)) return [...piles.values()]
  }
  return ids.length ? [[...ids]] : []
}

const LEAN = 3

/** How far the lowest of so many lies beside the uppermost. */
export function lean(count: number, scale: number): number {
  return Math.min(LEAN * (count - 1), 9) * scale
}

/** How counters lie in a closed stack: each a little beside the one below, never far from the place. */
export function leaning(stack: StackSpot): Spot[] {
  const { x, y, scale, ids } = stack
  const step = lean(ids.length, scale) / Math.max(1, ids.length - 1)
  return ids.map((_, place) => {
    const above = ids.length - 1 - place
    return { x: x + above * step, y: y - above * step, scale }
  })
}

export interface Fan {
  /** The panel under the counters. */
  x: number
  y: number
  w: number
  h: number
  /** One place for each counter, in the order of its ids. */
  spots: Spot[]
}

const GAP = 8
const RIM = 10
const HEAD = 26
/** The width of a letter of the title, on the average. */
const LETTER = 8.2

/** A stack fanned out in rows that stay on the board. The uppermost counter keeps its place as nearly as can be, so
 * that a click that was meant for it still finds it. */
export function fanned(stack: StackSpot, size: Size, scale: number, board: { width: number; height: number }, title = ''): Fan {
  const count = stack.ids.length
  const [w, h] = [size.w * scale + GAP, size.h * scale + GAP]
  const most = Math.max(1, Math.floor((board.width - 2 * RIM) / w))
  const across = Math.min(most, Math.max(Math.min(count, 3), Math.ceil(Math.sqrt(count * 1.4))))
  const down = Math.ceil(count / across)
  const whole = { w: Math.max(across * w - GAP + 2 * RIM, title.length * LETTER + 24), h: down * h - GAP + 2 * RIM + HEAD }
  const within = (at: number, length: number, room: number): number => Math.max(4, Math.min(room - length - 4, at))
  const x = within(stack.x - whole.w / 2, whole.w, board.width)
  const y = within(stack.y - HEAD - RIM - (size.h * scale) / 2, whole.h, board.height)
  const left = x + (whole.w - (across * w - GAP)) / 2
  const cells: Spot[] = Array.from({ length: count }, (_, place) => ({
    x: left + (size.w * scale) / 2 + (place % across) * w,
    y: y + HEAD + RIM + (size.h * scale) / 2 + Math.floor(place / across) * h,
    scale,
  }))
  const far = (cell: Spot): number => Math.hypot(cell.x - stack.x, cell.y - stack.y)
  const nearest = cells.reduce((best, cell, place) => (far(cell) < far(cells[best]!) ? place : best), 0)
  const [own] = cells.splice(nearest, 1)
  return { x, y, ...whole, spots: own ? [...cells, own] : [] }
}
