/** Where a card lies beside what it is about: never over it, and never over the edge of the window. */

export interface Box {
  left: number
  top: number
  width: number
  height: number
}

const GAP = 10
const RIM = 6

/** `about` are boxes that the card should keep clear of, the best first: an open stack, then the counter itself. */
export function beside(about: readonly Box[], card: { width: number; height: number }, room: { width: number; height: number }): Box {
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
    const found = ways.find(fits)
    if (found) return found
  }
  // Nothing is free: the half of the window that the counter is not in.
  const last = about.at(-1)
  const low = last !== undefined && last.top + last.height / 2 < room.height / 2
  return { left: within(last?.left ?? 0, card.width, room.width), top: low ? room.height - card.height - RIM : RIM, ...card }
}
