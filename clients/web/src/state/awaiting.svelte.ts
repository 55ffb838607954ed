/** One's own matches that have not begun, followed from whatever page one is on: they begin by themselves when the last
 * seat is taken, and whoever waits is called. Deliberately absent: the match one is at, which its page follows. */

import { untrack } from 'svelte'
import { hear } from '../scenes/hearing'
import { keep, type Kept, kept } from './keep'
import { Session } from './session.svelte'

/** A match that has begun meanwhile. */
export interface Call {
  match: string
  label: string
}

class Awaiting {
  calls = $state.raw<Call[]>([])
  private readonly stops = new Map<string, () => void>()

  private round = 0

  /** Follows these matches and no others any more, all of them anew in another round of who is signed in. */
  follow(waiting: readonly Kept[], round: number): void {
    if (round !== this.round) for (const [match, stop] of this.stops) this.drop(match, stop)
    this.round = round
    for (const [match, stop] of this.stops) if (!waiting.some((one) => one.match === match)) this.drop(match, stop)
    for (const one of waiting) {
      // What has begun meanwhile was called before.
      if (!this.stops.has(one.match) && kept(one.match)?.waits) this.stops.set(one.match, this.begin(one))
    }
  }

  answer(match: string): void {
    this.calls = this.calls.filter((one) => one.match !== match)
  }

  private drop(match: string, stop: () => void): void {
    this.stops.delete(match)
    stop()
  }

  private begin({ match, ways, label }: Kept): () => void {
    const session = new Session(match, ways)
    const end = $effect.root(() => {
      $effect(() => {
        const { started, promises } = session.view.match
        void promises
        void session.begin()
        if (started) untrack(() => this.called({ match, label }))
      })
    })
    return () => {
      end()
      session.close()
    }
  }

  private called(call: Call): void {
    keep(call.match, { waits: false })
    this.calls = [...this.calls, call]
    hear(['bell'])
    const stop = this.stops.get(call.match)
    // Not from within the effect that it ends.
    if (stop) queueMicrotask(() => this.drop(call.match, stop))
  }
}

export const awaiting = new Awaiting()
