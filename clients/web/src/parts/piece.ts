/** What makes a group of a drawing a thing of the board: it can be pointed at and, while it glows, chosen by click
 * or key. Spread over its `<g>`, whatever the title. */

import type { SVGAttributes } from 'svelte/elements'

export interface Piece {
  id: string
  /** What it is and how it stands, in words; the board as it is read out. */
  label: string
  glowing: boolean
  pick: (id: string) => void
  point: (id: string | null) => void
  /** It lies under others: not a stop of the Tab key of its own. */
  buried?: boolean
  /** It lies in a place and covers part of it: while the place glows and it does not, a click on it means the place. */
  lies?: boolean
}

export function piece({
  id,
  label,
  glowing,
  pick,
  point,
  buried = false,
  lies = false,
}: Piece): SVGAttributes<SVGGElement> & Record<`data-${string}`, unknown> {
  return {
    'data-id': id,
    'data-glow': glowing || undefined,
    'data-lies': lies || undefined,
    role: glowing ? 'button' : 'img',
    tabindex: glowing ? (buried ? -1 : 0) : undefined,
    'aria-label': label,
    onclick: (event) => pick((lies && !glowing && glowsBelow(event)) || id),
    onkeydown: (event) => pressed(event, () => pick(id)),
    onpointerenter: () => point(id),
    onpointerleave: () => point(null),
  }
}

/** The thing that can be chosen under the pointer, whatever lies on it. Below an open stack none is meant. */
function glowsBelow({ clientX, clientY }: MouseEvent): string | undefined {
  const there = document.elementsFromPoint(clientX, clientY)
  if (there.some((one) => one.closest('.fan'))) return undefined
  return there.map((one) => one.closest<SVGElement>('[data-glow]')?.dataset.id).find(Boolean)
}

/** Enter and Space do what a click does. */
export function pressed(event: KeyboardEvent, act: () => void): void {
  if (event.key !== 'Enter' && event.key !== ' ') return
  event.preventDefault()
  act()
}
