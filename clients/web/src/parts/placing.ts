/** Where a card lies beside what it is about: never over it, never over the edge of its room, and over as little as can be
 * of what is to stay in sight. */

export interface Box {
  left: number
  top: number
  width: number
  height: number
}

type Size = Pick<Box, 'width' | 'height'>

/** What is to stay in sight, what matters most first: a little of it weighs more than all of what comes after. */
export type Kept = readonly (readonly Box[])[]

const GAP = 10
const RIM = 6
/** A card that is moved along what it is about has this much of its edge beside it. */
const BESIDE = 24
/** Places that are tried along an edge. */
const TRIED = 9
/** More pixels than a card covers. */
const WEIGHTIER = 1e6

/** `about` are boxes that the card should keep clear of, the best first: an open stack, then the counter itself. It lies at
 * the first of some distances from it, and farther only where it covers less there. */
export function beside(about: readonly Box[], card: Size, room: Box, kept: Kept = [], gaps: readonly number[] = [GAP]): Box {
  for (const one of about) {
    const found = least(
      gaps.flatMap((gap) => around(one, card, room, gap)),
      kept,
    )
    if (found) return found
  }
  return clear(card, room, [about.slice(-1), ...kept])
}

/** Anywhere in the room; of places that are as good the highest or the lowest, and there the one nearest the middle. */
export function clear(card: Size, room: Box, kept: Kept, low = false): Box {
  const [across, down] = [room.width - card.width - 2 * RIM, room.height - card.height - 2 * RIM]
  const parts = steps(Math.max(0, across), card.width / 4).sort((one, two) => Math.abs(one - across / 2) - Math.abs(two - across / 2))
  const rows = steps(Math.max(0, down), card.height / 4)
  const ways = (low ? rows.reverse() : rows).flatMap((y) =>
    parts.map((x) => ({ ...card, left: room.left + RIM + x, top: room.top + RIM + y })),
  )
  return least(ways, kept)!
}

/** The first of those that cover least. */
export function least(ways: readonly Box[], kept: Kept): Box | undefined {
  const covers = (way: Box): number =>
    kept.reduce((sum, boxes) => WEIGHTIER * sum + boxes.reduce((area, one) => area + shared(way, one), 0), 0)
  let [best, lowest] = [undefined as Box | undefined, Infinity]
  for (const way of ways) {
    const covered = covers(way)
    if (covered < lowest) [best, lowest] = [way, covered]
  }
  return best
}

/** Places beside a box that are free of it and of the edge: level with it first, then moved along it. */
function around(one: Box, card: Size, room: Box, gap: number): Box[] {
  const [right, bottom] = [one.left + one.width, one.top + one.height]
  const within = (at: number, length: number, from: number, most: number): number =>
    Math.max(from + RIM, Math.min(from + most - length - RIM, at))
  const along = (at: number, length: number, other: number): number[] => {
    const edge = Math.min(BESIDE, length, other)
    const [from, to] = [at - other + edge, at + length - edge]
    return [at, ...Array.from({ length: TRIED }, (_, place) => from + ((to - from) * place) / (TRIED - 1))]
  }
  const [tops, lefts] = [along(one.top, one.height, card.height), along(one.left, one.width, card.width)]
  return tops
    .flatMap((y, place) => {
      const top = within(y, card.height, room.top, room.height)
      const left = within(lefts[place]!, card.width, room.left, room.width)
      return [
        { ...card, left: right + gap, top },
        { ...card, left: one.left - card.width - gap, top },
        { ...card, left, top: bottom + gap },
        { ...card, left, top: one.top - card.height - gap },
      ]
    })
    .filter(
      ({ left, top }) =>
        left >= room.left + RIM &&
        top >= room.top + RIM &&
        left + card.width <= room.left + room.width - RIM &&
        top + card.height <= room.top + room.height - RIM,
    )
}

function steps(length: number, step: number): number[] {
  const count = Math.max(1, Math.ceil(length / step))
  return Array.from({ length: count + 1 }, (_, place) => (length * place) / count)
}

function shared(one: Box, other: Box): number {
  const across = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left)
  const down = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top)
  return across > 0 && down > 0 ? across * down : 0
}
