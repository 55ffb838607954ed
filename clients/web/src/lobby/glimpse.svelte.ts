/** A match in play as the onlookers see it, followed over the lobby's connection: its view alone, for a small board. */

import { type Folded, foldFrame, foldView, NOTHING } from '../protocol/fold'
import type { Outgoing, TableView } from '../protocol/wire'
import { VERSION } from '../state/follow.svelte'
import type { LobbyLine } from './line.svelte'

/** A small board is drawn anew at most this often: bots decide faster than anybody looks. */
const REST_MS = 500

export class Glimpse {
  view = $state.raw<TableView | null>(null)
  private newest: Folded = NOTHING
  private resting = false

  constructor(
    private readonly match: string,
    private readonly line: LobbyLine,
  ) {}

  hello(): void {
    this.line.send({ t: 'hello', version: VERSION, match: this.match, after: this.newest.upto, h: this.newest.h, glance: true })
  }

  take(message: Outgoing): void {
    if (message.t !== 'frame' && message.t !== 'view') return
    const folded = message.t === 'view' ? foldView(NOTHING, message) : foldFrame(this.newest, message)
    if (folded === 'hole') {
      this.newest = NOTHING
      this.hello()
    } else if (folded !== 'old') {
      // The facts are told and let go: a small board has no log.
      this.newest = { ...folded, facts: [], moves: [] }
      if (!this.resting) this.show()
    }
  }

  private show(): void {
    const shown = this.newest
    this.view = shown.view
    this.resting = true
    setTimeout(() => {
      this.resting = false
      if (this.newest !== shown) this.show()
    }, REST_MS)
  }
}
