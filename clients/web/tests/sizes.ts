/** What is too small to read, what lies over what, and how much of the window the board has. */

import type { HEAP } from '../src/titles/coral_sea/plan'
import type { Page } from './table'

type Box = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>

/** Groups of Midway that lie alone and do not say which carrier they belong to. */
export function unnamed(page: Page): Promise<string[]> {
  return page.locator('.stage .counter').evaluateAll((all) =>
    all
      .filter((one) => {
        const { x, y, width, height } = one.querySelector('.paper')!.getBoundingClientRect()
        return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('.counter') === one
      })
      .filter((one) => ![...one.querySelectorAll('text')].some((text) => text.textContent === one.getAttribute('data-id')!.slice(0, 3)))
      .map((one) => one.getAttribute('aria-label')!),
  )
}

/** Names of the map that something lies on. */
export function namesUnder(page: Page, what: string): Promise<string[]> {
  return page.evaluate((selector) => {
    const things = [...document.querySelectorAll(`.stage ${selector}`)].map((one) => one.getBoundingClientRect())
    return [...document.querySelectorAll('.stage .place .name tspan')]
      .filter((one) => {
        const box = one.getBoundingClientRect()
        return things.some(
          (thing) =>
            Math.min(box.right, thing.right) - Math.max(box.left, thing.left) > 2 &&
            Math.min(box.bottom, thing.bottom) - Math.max(box.top, thing.top) > 3,
        )
      })
      .map((one) => one.textContent)
  }, what)
}

export interface Measured {
  /** Part of the window that the board has, what is drawn of it. */
  share: number
  /** The smallest text of the page, in pixels, and what it says. */
  text: number
  says: string
  /** The smaller side of the smallest counter on the board. */
  counter: number
  /** Words of the board that a counter or its marks lie on, and by how many pixels. */
  covered: string[]
  /** What is written on a counter or a mark, and what of a neighbour lies on it: its paper, its marks, the frame round it. */
  hidden: string[]
  /** Words of the board that lie on one another. */
  crossed: string[]
  /** Scores and names that have no room for all of themselves. */
  cut: string[]
  /** What a button to zoom by lies on. */
  under: string[]
}

/** The words of Coral Sea's map that a closed stack would lie on: one side's in any area, or those of both. */
export function underStacks(page: Page, heap: typeof HEAP): Promise<string[]> {
  return page.evaluate(({ scale, aside, up, count, points }) => {
    const { a: pixels, e: left, f: top } = document.querySelector<SVGGElement>('.stage svg > g > g')!.getScreenCTM()!
    const places = [...document.querySelectorAll<SVGGElement>('.stage .place')]
    const words = places.flatMap((place) =>
      [...place.querySelectorAll('text')].filter((text) => text.textContent).map((text) => ({ text, box: text.getBoundingClientRect() })),
    )
    // Its paper, its number, the resource points of one that is alone: middle and half a side.
    const parts = (side: number): { x: number; y: number; w: number; h: number }[] =>
      [
        { x: 0, y: 0, w: 22, h: 22 },
        { x: side ? side * count.within : count.x, y: count.y, w: count.r, h: count.r },
        ...(side ? [] : [{ x: points.x, y: points.y, w: points.w / 2, h: points.h / 2 }]),
      ].map(({ x, y, w, h }) => ({ x: x * scale, y: y * scale, w: w * scale * pixels, h: h * scale * pixels }))
    return places.flatMap((place) => {
      const { x, y } = new DOMPoint().matrixTransform(place.transform.baseVal.consolidate()!.matrix)
      const kind = (['sea', 'land', 'box'] as const).find((one) => place.classList.contains(one))!
      return [-aside, 0, aside].flatMap((beside) => {
        const spots = parts(Math.sign(beside)).map((part) => ({
          ...part,
          across: left + (x + beside + part.x) * pixels,
          down: top + (y - up[kind] + part.y) * pixels,
        }))
        return words.flatMap(({ text, box }) => {
          const most = Math.max(
            ...spots.map(({ across, down, w, h }) =>
              Math.min(
                Math.min(box.right, across + w) - Math.max(box.left, across - w),
                Math.min(box.bottom, down + h) - Math.max(box.top, down - h),
              ),
            ),
          )
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
    const solid = [...stage.querySelectorAll<SVGGraphicsElement>('.paper, .stack .mark rect, circle.count, .rp path:first-child')].filter(
      (one) => inSight(one) && !one.closest('.fan'),
    )
    const piece = '.counter, .heap, .stack, .fan, .chip, .card, .fray'
    const texts = [...stage.querySelectorAll('text')].filter((one) => one.textContent && inSight(one))
    const words = texts.filter((one) => !one.closest(piece)).map((one) => ({ one, box: one.getBoundingClientRect() }))
    const over = (one: Box, two: Box): number =>
      Math.min(Math.min(one.right, two.right) - Math.max(one.left, two.left), Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top))
    const said = (one: Element): string => one.textContent.trim()
    // A line of text is higher than its letters: what lies over that rim by a little covers nothing.
    const rim = (box: Box): number => 0.3 * Math.min(box.bottom - box.top, 20)
    const things = solid.map((one) => one.getBoundingClientRect())
    const covered = words.flatMap(({ one, box }) => {
      const most = Math.max(...things.map((thing) => over(box, thing)))
      return most > rim(box) ? [`${said(one)} by ${most.toFixed(1)}`] : []
    })
    // The marker of a track bears the number that it lies on.
    const crossed = words.flatMap(({ one, box }, place) =>
      words
        .slice(0, place)
        .flatMap((two) => (over(box, two.box) > rim(box) && said(one) !== said(two.one) ? [`${said(one)} on ${said(two.one)}`] : [])),
    )

    // What is drawn later lies above. Dear to ask, of each text about each piece: whether they lie on one another is asked first.
    const after = (one: Element, two: Element): boolean =>
      (one.compareDocumentPosition(two) & Node.DOCUMENT_POSITION_FOLLOWING) > 0 && one.closest(piece) !== two.closest(piece)
    const frames = [...stage.querySelectorAll<SVGGraphicsElement>('.halo, .reach')].flatMap((one) => {
      const { stroke, strokeWidth } = getComputedStyle(one)
      if (!inSight(one) || one.closest('.fan') || /none|, 0\)$/.test(stroke)) return []
      const { x, y, width, height } = one.getBBox()
      const matrix = one.getScreenCTM()!
      const [first, last] = [new DOMPoint(x, y).matrixTransform(matrix), new DOMPoint(x + width, y + height).matrixTransform(matrix)]
      const half = (parseFloat(strokeWidth) * matrix.a) / 2
      const by = (far: number): Box => ({ left: first.x - far, top: first.y - far, right: last.x + far, bottom: last.y + far })
      return [{ one, outer: by(half), inner: by(-half) }]
    })
    const buried = (text: Element): boolean => {
      const paper = text.closest('.counter')?.querySelector('.paper')
      const box = paper?.getBoundingClientRect()
      return box !== undefined && solid.some((one, place) => over(box, things[place]!) > 0.6 * box.height && after(paper!, one))
    }
    const hidden = texts
      .filter((one) => one.closest('.counter, .heap, .stack') && !one.closest('.fan, .card, .fray') && !buried(one))
      .flatMap((one) => {
        const { left, right, top, bottom, height } = one.getBoundingClientRect()
        const box = { left, right, top: top + 0.22 * height, bottom: bottom - 0.22 * height }
        const inside = (two: Box): boolean => left > two.left && right < two.right && box.top > two.top && box.bottom < two.bottom
        const solids = solid.filter((two, place) => over(box, things[place]!) > 2 && after(one, two))
        const rims = frames.filter(({ one: two, outer, inner }) => over(box, outer) > 2 && !inside(inner) && after(one, two))
        return [...solids, ...rims.map((frame) => frame.one)].map(
          (two) =>
            `${said(one)} of ${one.closest('[aria-label]')?.getAttribute('aria-label') ?? ''} under ${two.getAttribute('class') ?? two.tagName}`,
        )
      })
    const cut = [...document.querySelectorAll('.score, .strip .card-slot .title')]
      .filter(seen)
      .filter((one) => {
        const room = one.parentElement!.getBoundingClientRect()
        return (
          one.scrollWidth > one.clientWidth + 1 ||
          one.scrollHeight > one.clientHeight + 3 ||
          one.getBoundingClientRect().right > room.right ||
          one.getBoundingClientRect().bottom > room.bottom + 1
        )
      })
      .map(said)
    const buttons = [...document.querySelectorAll('[aria-label="Zoom in"], [aria-label="Zoom out"]')].filter(seen)
    const drawings = [...stage.querySelectorAll('text, .paper, [data-id] > rect, [data-id] > path')].filter(inSight)
    const under = buttons.flatMap((one) =>
      drawings
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
      hidden: [...new Set(hidden)],
      crossed,
      cut,
      under: [...new Set(under)],
    }
  })
}
