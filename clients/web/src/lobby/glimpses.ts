/** The matches that are followed for small boards, by one connection. */

import type { Outgoing } from '../protocol/wire'
import { Glimpse } from './glimpse.svelte'
import type { LobbyLine } from './line.svelte'

/** After so long a match is asked for again that could not be shown. */
const AGAIN_MS = 3_000

export class Glimpses {
  private readonly all = new Map<string, Glimpse>()
  private readonly deaf: () => void

  constructor(private readonly line: LobbyLine) {
    this.deaf = line.hear({
      opened: () => this.all.forEach((one) => one.hello()),
      hidden: () => this.all.forEach((_, match) => line.send({ t: 'bye', match })),
      said: (message) => this.take(message),
    })
  }

  /** Follows a match; returns what is seen of it. */
  begin(match: string): Glimpse {
    const one = new Glimpse(match, this.line)
    this.all.set(match, one)
    one.hello()
    return one
  }

  private take(message: Outgoing): void {
    if (!('match' in message) || !message.match) return
    const { match } = message
    if (message.t === 'refused' && !message.command) setTimeout(() => this.all.get(match)?.hello(), AGAIN_MS)
    else this.all.get(match)?.take(message)
  }

  end(match: string): void {
    if (this.all.delete(match)) this.line.send({ t: 'bye', match })
  }

  close(): void {
    this.deaf()
    for (const match of [...this.all.keys()]) this.end(match)
  }
}
