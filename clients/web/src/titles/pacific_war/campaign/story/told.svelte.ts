/** The chapters of the campaign that is open, as the server tells them: fetched when it is opened and when a chapter has ended. */

import * as chronicle from '../../../../protocol/chronicle'
import type { Chapter } from '../../../../protocol/wire'

/** The server tells them a moment after what they tell of; ms. */
const AGAIN_MS = 1_500
const MOST_TIMES = 6

class Told {
  list = $state.raw<readonly Chapter[]>([])
  private match = ''
  private wanted = 0
  private fetching = false

  /** Has the chapters of a match fetched, so that one that begins behind fact `upto` is known too. */
  want(match: string, token: string, upto: number): void {
    if (match !== this.match) {
      this.match = match
      this.list = []
      this.wanted = 0
    }
    if (upto <= this.wanted) return
    this.wanted = upto
    if (!this.fetching) void this.fetch(token)
  }

  private async fetch(token: string): Promise<void> {
    this.fetching = true
    for (let times = 0; times < MOST_TIMES; times++) {
      const { match, wanted } = this
      const found = await chronicle.chapters(match, token).catch(() => null)
      if (found && match === this.match) this.list = found
      if (match === this.match && wanted === this.wanted && (found?.at(-1)?.since ?? 0) >= wanted) break
      await new Promise((go) => setTimeout(go, AGAIN_MS))
    }
    this.fetching = false
  }
}

export const told = new Told()
