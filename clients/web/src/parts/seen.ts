/** What of a board is in its window, and the hands that move it: the wheel zooms at the pointer, dragging moves the
 * board, two fingers do both. */

/** Seen `k` times as large as at first, with the board's corner at `x` and `y`; pixels of the window. */
export interface Seen {
  k: number
  x: number
  y: number
}

type Point = readonly [x: number, y: number]

/** The window, the whole board as large as at first, and how far it may be seen from. */
export interface Bounds {
  window: Point
  whole: Point
  least: number
  /** So much of the window is covered at its upper edge: the board can be moved down from under it. */
  covered?: number
}

export const AT_FIRST: Seen = { k: 1, x: 0, y: 0 }

const MOST = 6
/** A pointer that went farther before it was lifted has dragged, and chooses nothing; pixels. */
const DRAG = 6
/** By how much a step of the wheel zooms, by its unit: pixels, lines, pages. */
const WHEEL = [0.002, 0.05, 1]
/** A pinch on a touchpad comes as a wheel with the control key held, in small steps. */
const PINCHED = 10

/** Where one edge may be: none of the window stays empty that the board could fill, unless it is covered. */
function edge(at: number, window: number, whole: number, covered = 0): number {
  const [from, to] = whole > window ? [window - whole, 0] : [(window - whole) / 2, (window - whole) / 2]
  return Math.min(to + covered, Math.max(from, at))
}

/** The board with its corner as near to a place as it may be. */
export function placed({ k, x, y }: Seen, { window, whole, covered }: Bounds): Seen {
  return { k, x: edge(x, window[0], k * whole[0]), y: edge(y, window[1], k * whole[1], covered) }
}

/** Seen `k` times as large, as far as that may be, with what was at one point of the window at another. */
export function zoomed(seen: Seen, k: number, [fromX, fromY]: Point, [toX, toY]: Point, bounds: Bounds): Seen {
  const now = Math.min(MOST, Math.max(bounds.least, k))
  const by = now / seen.k
  return placed({ k: now, x: toX - by * (fromX - seen.x), y: toY - by * (fromY - seen.y) }, bounds)
}

/** Moves what is seen by wheel, mouse and fingers on `window`; the answer lets go of it. */
export function hands(window: Element, seen: () => Seen, bounds: () => Bounds, see: (seen: Seen) => void): () => void {
  const held = new Map<number, Point>()
  let far = false
  let start = { was: seen(), ...grip() }

  function at({ clientX, clientY }: MouseEvent): Point {
    const { left, top } = window.getBoundingClientRect()
    return [clientX - left, clientY - top]
  }
  /** The middle between the pointers that are down, and how far apart they are. */
  function grip(): { middle: Point; apart: number } {
    const [one = [0, 0], two = one] = held.values()
    return { middle: [(one[0] + two[0]) / 2, (one[1] + two[1]) / 2], apart: Math.hypot(one[0] - two[0], one[1] - two[1]) }
  }

  function wheel(event: WheelEvent): void {
    event.preventDefault()
    const step = -event.deltaY * (WHEEL[event.deltaMode] ?? 1) * (event.ctrlKey ? PINCHED : 1)
    see(zoomed(seen(), seen().k * 2 ** step, at(event), at(event), bounds()))
  }
  function down(event: PointerEvent): void {
    far = false
    if (event.button) return
    held.set(event.pointerId, at(event))
    start = { was: seen(), ...grip() }
  }
  function move(event: PointerEvent): void {
    if (!held.has(event.pointerId)) return
    if (!event.buttons) {
      up(event)
      return
    }
    held.set(event.pointerId, at(event))
    const { was, middle, apart } = start
    const now = grip()
    far ||= event.pointerType !== 'touch' && Math.hypot(now.middle[0] - middle[0], now.middle[1] - middle[1]) > DRAG
    see(zoomed(was, was.k * (apart ? now.apart / apart : 1), middle, now.middle, bounds()))
  }
  function up(event: PointerEvent): void {
    if (held.delete(event.pointerId)) start = { was: seen(), ...grip() }
  }
  /** The click at the end of a drag is none; one by keyboard has no count. */
  function click(event: MouseEvent): void {
    if (far && event.detail) event.stopPropagation()
    far = false
  }

  const off = new AbortController()
  const { signal } = off
  window.addEventListener('wheel', wheel as EventListener, { signal, passive: false })
  window.addEventListener('pointerdown', down as EventListener, { signal })
  window.addEventListener('click', click as EventListener, { signal, capture: true })
  // A pointer is followed wherever it goes while it is down.
  addEventListener('pointermove', move, { signal })
  addEventListener('pointerup', up, { signal })
  addEventListener('pointercancel', up, { signal })
  return () => off.abort()
}
