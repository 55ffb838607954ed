/** What of a board is to stay in sight while a scene lies over it. Read from the page as it is drawn. */

interface Found {
  at: Element
  box: DOMRect
}

const marked = (id: string): string => `svg [data-id="${CSS.escape(id)}"]`

/** The first of some ids that lies on the board. */
export function framed(stage: Element, ids: readonly string[]): Found | null {
  for (const id of ids) {
    const at = stage.querySelector(marked(id))
    const box = at?.getBoundingClientRect()
    if (at && box?.width && box.height) return { at, box }
  }
  return null
}

/** What is not to be covered, what matters most first: what a beat is about, what can be chosen and what lies over the board;
 * other pieces; words. */
export function inSight(stage: Element, ids: readonly string[]): DOMRect[][] {
  const near = [...ids.map(marked), 'svg [data-glow]', '.fray']
  return [near.join(), 'svg :is(.counter, .stack, .heap, .ship, .chip)', 'svg text'].map((one, place) =>
    [...stage.querySelectorAll(one), ...(place ? [] : document.querySelectorAll('[data-over]'))].map((found) =>
      found.getBoundingClientRect(),
    ),
  )
}
