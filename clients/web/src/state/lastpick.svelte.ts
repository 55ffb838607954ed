/** The pick that ends a step or cannot be taken back: it is shown as chosen and sent a moment later, so that a slip is
 * undone before anybody hears of it. Whoever leaves the page meanwhile has chosen: then it is sent at once. */

import type { Choice } from '../titles/title'

interface Kept {
  /** What is chosen, in words. */
  what: string
  choices: readonly Choice[]
  ms: number
  send(): Promise<void>
}

export class LastPick {
  kept = $state.raw<Kept | null>(null)
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly leaving = (): void => void this.go()
  private readonly hidden = (): void => {
    if (document.hidden) void this.go()
  }

  constructor() {
    addEventListener('pagehide', this.leaving)
    document.addEventListener('visibilitychange', this.hidden)
  }

  keep(kept: Kept): void {
    this.drop()
    this.kept = kept
    this.timer = setTimeout(this.leaving, kept.ms)
  }

  /** Sends it now; resolves when the board shows what came of it. */
  async go(): Promise<void> {
    const { kept } = this
    this.drop()
    await kept?.send()
  }

  drop(): void {
    clearTimeout(this.timer)
    this.kept = null
  }

  /** Sends what is kept: the page is left. */
  close(): void {
    void this.go()
    removeEventListener('pagehide', this.leaving)
    document.removeEventListener('visibilitychange', this.hidden)
  }
}
