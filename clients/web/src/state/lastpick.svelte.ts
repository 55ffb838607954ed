/** The pick that ends a step or cannot be taken back: it is shown as chosen and sent a moment later, so that a slip is
 * undone before anybody hears of it. Whoever leaves the page meanwhile has chosen: then it is sent at once. */

import type { Choice } from '../titles/title'

export interface Kept {
  /** What is chosen, in words. */
  what: string
  choices: readonly Choice[]
  ms: number
  send(): Promise<void>
  /** What else is undone with it. */
  undone?(): void
}

/** Whether a choice is sent at once: it is quiet, nothing else could be chosen, or it passes in a window where all are asked
 * whatever they hold. There the wait would tell others that a card could have answered. */
export function goesAtOnce(choice: Choice, choices: readonly Choice[], { quiet, window }: { quiet: boolean; window: boolean }): boolean {
  return quiet || choices.every((one) => one.leaves) || (window && choice.leaves)
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
    this.forget()
    this.kept = kept
    this.timer = setTimeout(this.leaving, kept.ms)
  }

  /** Sends it now; resolves when the board shows what came of it. */
  async go(): Promise<void> {
    const { kept } = this
    this.forget()
    await kept?.send()
  }

  /** It was a slip. */
  drop(): void {
    const { kept } = this
    this.forget()
    kept?.undone?.()
  }

  private forget(): void {
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
