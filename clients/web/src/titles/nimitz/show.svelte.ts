/** Beats of combat shown one after the other, until whoever looks on has seen enough. */

import { type Beat, beatLasts } from './fray'

export class Show {
  /** The beat that is shown; -1 for none. */
  at = $state(-1)
  private timer: ReturnType<typeof setInterval> | undefined

  /** Shows these from the first on; returns what ends it. */
  play(beats: readonly Beat[], ended: boolean): () => void {
    this.stop()
    const { length } = beats
    if (length) {
      this.at = 0
      this.timer = setInterval(() => this.next(length), beatLasts(length, ended))
    }
    return () => clearInterval(this.timer)
  }

  stop(): void {
    clearInterval(this.timer)
    this.at = -1
  }

  private next(length: number): void {
    if (this.at + 1 < length) this.at += 1
    else this.stop()
  }
}
