/** Where the gloss of a word lies: below it or above it, in the window, and beside the numbers of rules next to it. */

export interface Rect {
  left: number
  top: number
  right: number
  bottom: number
}

interface Size {
  width: number
  height: number
}

/** Between the word and its gloss, and from the edges of the window; pixels. */
const GAP = 6

export function placed(word: Rect, numbers: readonly Rect[], { width, height }: Size, window: Size): { top: number; left: number } {
  const most = window.width - width - GAP
  const within = (left: number): number => Math.max(GAP, Math.min(left, most))
  const lefts = [word.left, ...numbers.flatMap(({ left, right }) => [right + GAP, left - GAP - width])]
  const below = word.bottom + GAP
  const tops = [below, word.top - GAP - height].filter((top) => top >= GAP && top + height < window.height)
  const places = tops.flatMap((top) => lefts.map((left) => ({ top, left: within(left) })))
  const free = places.find(({ top, left }) =>
    numbers.every((one) => one.right <= left || one.left >= left + width || one.bottom <= top || one.top >= top + height),
  )
  return free ?? places[0] ?? { top: Math.max(GAP, word.top - GAP - height), left: within(word.left) }
}
