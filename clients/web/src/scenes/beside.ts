/** Where a card stands on the board: beside what it is about, and within the window of the board. */

interface Box {
  x: number
  y: number
  w: number
  h: number
}

export interface Spot {
  x: number
  y: number
  /** Around what it is about; null if that is not on the board. */
  ring: Box | null
}

const [GAP, RIM, RING] = [12, 8, 4]
/** Below it lies what skips the scene. */
const FOOT = 46

/** Where on the screen the first of some ids lies on the board; what is out of sight is brought into it. */
export function framed(stage: Element, ids: readonly string[]): DOMRect | null {
  for (const id of ids) {
    const found = stage.querySelector(`svg [data-id="${CSS.escape(id)}"]`)
    if (!found) continue
    found.dispatchEvent(new CustomEvent('insight', { bubbles: true }))
    const box = found.getBoundingClientRect()
    if (box.width && box.height) return box
  }
  return null
}

/** Everything on the board that can be chosen now. */
export function open(stage: Element): DOMRect[] {
  return [...stage.querySelectorAll('svg [data-glow]')].map((one) => one.getBoundingClientRect())
}

/** A place for the card in the window `frame`: to the right of `about`, to its left, below it or above, where it covers least
 * of what must stay in sight; else at the top. */
export function beside(
  about: DOMRect | null,
  frame: DOMRect,
  { offsetWidth: w, offsetHeight: h }: HTMLElement,
  keep: readonly DOMRect[] = [],
): Spot {
  const [most, deepest] = [frame.width - w - RIM, frame.height - h - FOOT]
  const within = (value: number, limit: number): number => Math.round(Math.max(RIM, Math.min(limit, value)))
  const top = { x: within((frame.width - w) / 2, most), y: RIM }
  if (!about) return { ...top, ring: null }
  const { width, height } = about
  const [left, up] = [about.left - frame.left, about.top - frame.top]
  const ring = { x: left - RING, y: up - RING, w: width + 2 * RING, h: height + 2 * RING }
  const [centre, middle] = [left + (width - w) / 2, up + (height - h) / 2]
  const tried = [
    { x: left + width + GAP, y: within(middle, deepest) },
    { x: left - w - GAP, y: within(middle, deepest) },
    { x: within(centre, most), y: up + height + GAP },
    { x: within(centre, most), y: up - h - GAP },
  ]
  const covers = ({ x, y }: { x: number; y: number }): number =>
    keep.filter((one) => {
      const [across, down] = [one.left - frame.left, one.top - frame.top]
      return across < x + w && across + one.width > x && down < y + h && down + one.height > y
    }).length
  const fits = tried.filter(({ x, y }) => x >= RIM && x <= most && y >= RIM && y <= deepest)
  const best = fits.length ? fits.reduce((least, one) => (covers(one) < covers(least) ? one : least)) : null
  return { ...(best ?? { x: within(centre, most), y: within(up + height / 3, deepest) }), ring }
}
