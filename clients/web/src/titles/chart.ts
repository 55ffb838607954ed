/** Maps on which some waters are as crowded as others are empty: areas are pushed apart until each has room for
 * itself, and the coast bends with them. Deliberately absent: any title's areas, sizes and scales. */

export interface Point {
  x: number
  y: number
}

export interface Crowd {
  /** What an area needs for itself. */
  cell: { w: number; h: number }
  /** How strongly an area is drawn back to where it belongs, 0 to 1 a round, for so many of the rounds. */
  hold: number
  held: number
  rounds: number
  /** The lower, the sooner two areas go apart sideways and not up and down: for sheets that are wide. */
  upright?: number
  /** Keeps an area on the sheet. */
  within: (one: Point) => void
}

export const tenth = (value: number): number => Math.round(value * 10) / 10

/** Pushes areas apart until no cell covers another's, and holds them near where they belong. */
export function spread(places: readonly Point[], { cell, hold, held, rounds, upright = 1, within }: Crowd): Point[] {
  const now = places.map(({ x, y }) => ({ x, y }))
  for (let round = 0; round < rounds; round++) {
    const back = round < held ? hold : 0
    now.forEach((one, place) => {
      one.x += (places[place]!.x - one.x) * back
      one.y += (places[place]!.y - one.y) * back
    })
    for (let i = 0; i < now.length; i++) for (let j = 0; j < i; j++) part(now[i]!, now[j]!, cell, upright)
    now.forEach(within)
  }
  return now
}

/** Two that overlap go apart by the shorter way, a little at a time. */
function part(a: Point, b: Point, cell: Crowd['cell'], upright: number): void {
  const [dx, dy] = [a.x - b.x, a.y - b.y]
  const [overX, overY] = [cell.w - Math.abs(dx), cell.h - Math.abs(dy)]
  if (overX <= 0 || overY <= 0) return
  if ((overX / cell.w) * upright < overY / cell.h) {
    const push = overX * 0.25 * (dx < 0 ? -1 : 1)
    a.x += push
    b.x -= push
  } else {
    const push = overY * 0.25 * (dy < 0 ? -1 : 1)
    a.y += push
    b.y -= push
  }
}

/** How far a point is carried along by the areas round it that were pushed; beyond `reach` hardly at all, and
 * within `soft` of an area as far as the area itself. */
export function carried(point: Point, from: readonly Point[], to: readonly Point[], reach: number, soft: number): Point {
  let [x, y, all] = [0, 0, 1 / reach ** 4]
  from.forEach((one, place) => {
    const near = 1 / ((point.x - one.x) ** 2 + (point.y - one.y) ** 2 + soft ** 2) ** 2
    all += near
    x += near * (to[place]!.x - one.x)
    y += near * (to[place]!.y - one.y)
  })
  return { x: point.x + x / all, y: point.y + y / all }
}

/** The path of a ring of the coast: its steps in half pixels of the data's canvas, each point put where `at` says. */
export function drawn(ring: string, at: (x: number, y: number) => Point): string {
  const steps = ring.split(' ').map(Number)
  let [x, y] = [0, 0]
  const points: string[] = []
  for (let place = 0; place < steps.length; place += 2) {
    x += steps[place]! / 2
    y += steps[place + 1]! / 2
    const point = at(x, y)
    points.push(`${tenth(point.x)} ${tenth(point.y)}`)
  }
  return `M${points.join('L')}Z`
}

/** Plans for windows of any shape, between the most upright and the widest: each is as large as the others, so that what
 * is drawn on it is as large in a window as its room allows. The same shape gets the same plan. */
export function plans<Plan>(
  area: number,
  [upright, widest]: readonly [number, number],
  make: (width: number, height: number) => Plan,
): (aspect: number) => Plan {
  const made = new Map<number, Plan>()
  return (aspect) => {
    const shape = Math.max(upright, Math.min(widest, aspect))
    const known = made.get(shape) ?? make(Math.round(Math.sqrt(area * shape)), Math.round(Math.sqrt(area / shape)))
    made.set(shape, known)
    return known
  }
}
