/** Which parts of a table are folded away. What nobody chose in this browser is folded where the window is too small for it. */

import { keepTastes, tastes } from './keep'

export type Part = 'left' | 'right' | 'tray'

/** Smaller than this in pixels, a window has no room for the part beside a board that is to be read. */
const ROOM: Record<Part, { width: number; height: number }> = {
  left: { width: 1700, height: 0 },
  right: { width: 0, height: 0 },
  tray: { width: 0, height: 1000 },
}

class Folding {
  private chosen = $state.raw(tastes().folded)
  private window = $state.raw({ width: Infinity, height: Infinity })

  /** The window has this size now. */
  sized(width: number, height: number): void {
    this.window = { width, height }
  }

  folded(part: Part): boolean {
    const { width, height } = ROOM[part]
    return this.chosen[part] ?? (this.window.width < width || this.window.height < height)
  }

  toggle(part: Part): void {
    this.chosen = { ...this.chosen, [part]: !this.folded(part) }
    keepTastes({ folded: this.chosen })
  }
}

export const folding = new Folding()
