/** The lobby's connection: what is open and what is played, pushed as it changes, for as long as somebody looks at it.
 * Others may speak over it, too, and hear what is said. */

import { type Line, Socket, socketUrl } from '../protocol/socket'
import type { Incoming, MatchInfo, Outgoing, WhoIsHere } from '../protocol/wire'

export interface Ear {
  /** There is a connection and somebody looks: ask for what is wanted. */
  opened(): void
  /** Nobody looks any more: ask for nothing. */
  hidden(): void
  said(message: Outgoing): void
}

export class LobbyLine {
  /** All that is pushed, by match; null until it has come. */
  pushed = $state.raw<ReadonlyMap<string, MatchInfo> | null>(null)
  here = $state.raw<WhoIsHere | null>(null)
  /** Counts what has come of one's challenges. */
  yours = $state(0)
  state = $state<Line>('connecting')
  private readonly ears = new Set<Ear>()
  private readonly socket: Socket
  private readonly looked = (): void => {
    if (this.state === 'open') this.again()
  }

  constructor() {
    this.socket = new Socket(socketUrl(), {
      opened: () => this.again(),
      said: (message) => this.take(message),
      line: (state) => (this.state = state),
    })
    document.addEventListener('visibilitychange', this.looked)
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.looked)
    this.socket.close()
  }

  send(message: Incoming): boolean {
    return this.socket.send(message)
  }

  /** Tells somebody what is said from now on; returns what ends it. */
  hear(ear: Ear): () => void {
    this.ears.add(ear)
    if (this.state === 'open' && !document.hidden) ear.opened()
    return () => this.ears.delete(ear)
  }

  /** Has the lobby pushed from now on, all of it first, while the page is looked at; not while it lies in a hidden tab. */
  ask(): void {
    this.send({ t: 'lobby', watching: !document.hidden })
  }

  private again(): void {
    this.ask()
    for (const ear of this.ears) {
      if (document.hidden) ear.hidden()
      else ear.opened()
    }
  }

  private take(message: Outgoing): void {
    if (message.t === 'listed') {
      this.here = message.here ?? this.here
      if (message.yours) this.yours++
      const now = new Map(message.whole ? [] : this.pushed)
      for (const id of message.gone ?? []) now.delete(id)
      for (const one of message.matches) now.set(one.match, one)
      this.pushed = now
    }
    for (const ear of this.ears) ear.said(message)
  }
}
