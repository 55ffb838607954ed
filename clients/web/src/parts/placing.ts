/** Where a card lies beside what it is about: never over it, and never over the edge of the window. */

export interface Box {
  left: number
  top: number
  width: number
  height: number
}

interface Size {
  width: number
  height: number
}

const GAP = 10
const RIM = 6

/** `about` are boxes that the card should keep clear of, the best first: an open stack, then the counter itself. Of the
 * ways that are free it takes the one that covers the fewest of what is `wanted`. */
export function beside(about: readonly Box[], card: Size, room: Size, wanted: readonly Box[] = []): Box {
  const within = (at: number, length: number, most: number): number => Math.max(RIM, Math.min(most - length - RIM, at))
  const fits = ({ left, top }: Box): boolean =>
    left >= RIM && top >= RIM && left + card.width <= room.width - RIM && top + card.height <= room.height - RIM
  for (const one of about) {
    const [right, bottom] = [one.left + one.width, one.top + one.height]
    const y = within(one.top, card.height, room.height)
    const x = within(one.left, card.width, room.width)
    const ways = [
      { left: right + GAP, top: y },
      { left: one.left - card.width - GAP, top: y },
      { left: x, top: bottom + GAP },
      { left: x, top: one.top - card.height - GAP },
    ].map((way) => ({ ...way, ...card }))
    const free = ways.filter(fits)
    const covered = free.map((way) => wanted.filter((other) => meets(way, other)).length)
    const found = free[covered.indexOf(Math.min(...covered))]
    if (found) return found
  }
  // Nothing is free: the half of the window that the counter is not in.
  const last = about.at(-1)
  const low = last !== undefined && last.top + last.height / 2 < room.height / 2
  return { left: within(last?.left ?? 0, card.width, room.width), top: low ? room.height - card.height - RIM : RIM, ...card }
}

function meets(one: Box, other: Box): boolean {
  const across = one.left < other.left + other.width && other.left < one.left + one.width
  return across && one.top < other.top + other.height && other.top < one.top + one.height
}
