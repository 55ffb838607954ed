/** The chapters of the campaign that is open, as the server tells them: fetched when it is opened, and when facts have come that
 * they are to tell of. */

import * as chronicle from '../../../../protocol/chronicle'
import type { Chapter } from '../../../../protocol/wire'

/** The server tells them a moment after what they tell of; ms. */
const AGAIN_MS = 1_500
const MOST_TIMES = 6

class Told {
  list = $state.raw<readonly Chapter[]>([])
  private match = ''
  private token = ''
  private wanted = 0
  private fetching = false

  /** Has the chapters of a match fetched, so that they tell of fact `upto`, which must be one that they are made of. */
  want(match: string, token: string, upto: number): void {
    if (match !== this.match) {
      this.match = match
      this.list = []
      this.wanted = 0
    }
    this.token = token
    this.until(upto)
  }

  /** The same of the match that was wanted last. */
  until(upto: number): void {
    if (upto <= this.wanted) return
    this.wanted = upto
    if (!this.fetching) void this.fetch()
  }

  /** The chapter that a fact lies in, behind its beginning. */
  within(seq: number): Chapter | undefined {
    return this.list.findLast(({ since }) => since < seq)
  }

  private async fetch(): Promise<void> {
    this.fetching = true
    for (let times = 0; times < MOST_TIMES; times++) {
      const { match, token, wanted } = this
      const found = await chronicle.chapters(match, token).catch(() => null)
      if (found && match === this.match) this.list = found
      if (match === this.match && wanted === this.wanted && (found?.at(-1)?.upto ?? 0) >= wanted) break
      await new Promise((go) => setTimeout(go, AGAIN_MS))
    }
    this.fetching = false
  }
}

export const told = new Told()
