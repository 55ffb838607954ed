/** What is too small to read, what lies over what, and how much of the window the board has. */

import type { Page } from './table'

export interface Measured {
  /** Part of the window that the board has, what is drawn of it. */
  share: number
  /** The smallest text of the page, in pixels, and what it says. */
  text: number
  says: string
  /** The smaller side of the smallest counter on the board. */
  counter: number
  /** Words of the board that a counter lies on, and by how many pixels. */
  covered: string[]
  /** What a button to zoom by lies on. */
  under: string[]
}

/** The words of Coral Sea's map that a closed stack would lie on: one side's in any area, or those of both. */
export function underStacks(page: Page, heap: { scale: number; aside: number; up: Record<string, number> }): Promise<string[]> {
  return page.evaluate(({ scale, aside, up }) => {
    const { a: pixels, e: left, f: top } = document.querySelector<SVGGElement>('.stage svg > g > g')!.getScreenCTM()!
    const places = [...document.querySelectorAll<SVGGElement>('.stage .place')]
    const words = places.flatMap((place) =>
      [...place.querySelectorAll('text')].filter((text) => text.textContent).map((text) => ({ text, box: text.getBoundingClientRect() })),
    )
    const half = 22 * scale * pixels
    return places.flatMap((place) => {
      const { x, y } = new DOMPoint().matrixTransform(place.transform.baseVal.consolidate()!.matrix)
      const kind = Object.keys(up).find((one) => place.classList.contains(one))!
      return [-aside, 0, aside].flatMap((beside) => {
        const [across, down] = [left + (x + beside) * pixels, top + (y - up[kind]!) * pixels]
        return words.flatMap(({ text, box }) => {
          const wide = Math.min(box.right, across + half) - Math.max(box.left, across - half)
          const high = Math.min(box.bottom, down + half) - Math.max(box.top, down - half)
          const most = Math.min(wide, high)
          return most > 0.3 * Math.min(box.height, 20)
            ? [`${text.textContent.trim()} under ${place.dataset.id!} by ${most.toFixed(1)}`]
            : []
        })
      })
    })
  }, heap)
}

/** Measures a page as it stands. Nothing on the board may lie open: that covers other things to be read itself. */
export function measured(page: Page): Promise<Measured> {
  return page.evaluate(() => {
    const stage = document.querySelector('.stage')!
    const frame = stage.getBoundingClientRect()
    const seen = (one: Element): boolean => {
      const { left, right, top, bottom, width, height } = one.getBoundingClientRect()
      return width > 1 && height > 1 && right > 0 && bottom > 0 && left < innerWidth && top < innerHeight && one.checkVisibility()
    }
    const inSight = (one: Element): boolean => {
      const { left, right, top, bottom } = one.getBoundingClientRect()
      return seen(one) && right > frame.left + 1 && left < frame.right - 1 && bottom > frame.top + 1 && top < frame.bottom - 1
    }

    const letters: { px: number; says: string }[] = []
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walk.nextNode()) {
      const parent = walk.currentNode.parentElement!
      const says = walk.currentNode.textContent!.trim()
      if (!says || !seen(parent) || parent.closest('script, style, title, option, .out-of-sight')) continue
      const matrix = parent instanceof SVGTextContentElement ? parent.getScreenCTM() : null
      if (parent instanceof SVGTextContentElement && !inSight(parent) && stage.contains(parent)) continue
      const scale = matrix ? Math.sqrt(Math.abs(matrix.a * matrix.d - matrix.b * matrix.c)) : 1
      letters.push({ px: scale * parseFloat(getComputedStyle(parent).fontSize), says })
    }
    letters.sort((one, two) => one.px - two.px)

    const counters = [...stage.querySelectorAll('.paper')]
      .filter((one) => inSight(one) && !one.closest('.fan'))
      .map((one) => one.getBoundingClientRect())
    const piece = '.counter, .heap, .stack, .fan, .chip, .card, .fray'
    const words = [...stage.querySelectorAll('text')].filter((one) => one.textContent && inSight(one) && !one.closest(piece))
    const over = (one: DOMRect, two: DOMRect): number =>
      Math.min(Math.min(one.right, two.right) - Math.max(one.left, two.left), Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top))
    // A line of text is higher than its letters: what lies over that rim by a little covers nothing.
    const covered = words.flatMap((one) => {
      const box = one.getBoundingClientRect()
      const most = Math.max(...counters.map((counter) => over(box, counter)))
      return most > 0.3 * Math.min(box.height, 20) ? [`${one.textContent.trim()} by ${most.toFixed(1)}`] : []
    })
    const buttons = [...document.querySelectorAll('[aria-label="Zoom in"], [aria-label="Zoom out"]')].filter(seen)
    const things = [...stage.querySelectorAll('text, .paper, [data-id] > rect, [data-id] > path')].filter(inSight)
    const under = buttons.flatMap((one) =>
      things
        .filter(
          (thing) => over(one.getBoundingClientRect(), thing.getBoundingClientRect()) > 1 && over(one.getBoundingClientRect(), frame) > 1,
        )
        .map((thing) => thing.closest('[aria-label]')?.getAttribute('aria-label') ?? thing.textContent),
    )
    const drawn = stage.querySelector('svg > g > g')!.getBoundingClientRect()
    const [wide, high] = [
      Math.min(drawn.right, frame.right) - Math.max(drawn.left, frame.left),
      Math.min(drawn.bottom, frame.bottom) - Math.max(drawn.top, frame.top),
    ]
    return {
      share: (wide * high) / (innerWidth * innerHeight),
      text: letters[0]!.px,
      says: letters
        .filter(({ px }) => px < 11)
        .slice(0, 12)
        .map(({ px, says }) => `${says.slice(0, 18)} ${px.toFixed(1)}`)
        .join(' | '),
      counter: Math.min(Infinity, ...counters.map(({ width, height }) => Math.min(width, height))),
      covered,
      under: [...new Set(under)],
    }
  })
}
