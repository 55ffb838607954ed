/** Since when somebody has not looked: since he was last here, or since he turned to something else for a while. */

import { keepSeen, seen } from './progress'

/** Whoever is away for less has missed nothing that he would not see at a glance; ms. */
const AWHILE_MS = 60_000

export class Absence {
  /** What came after this fact was missed, up to `until`; nothing if they are the same. */
  since = $state(0)
  until = $state(0)
  /** How far the match had come when it was opened. */
  arrived = $state(0)

  private upto = 0
  private left: { upto: number; at: number } | null = null
  private readonly turned = (): void => this.turn(document.hidden, Date.now())

  constructor(private readonly match: string) {
    this.until = seen(match)
    this.since = this.until
    document.addEventListener('visibilitychange', this.turned)
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.turned)
  }

  /** The match has come to this fact. */
  reached(upto: number): void {
    if (!upto) return
    if (!this.arrived) {
      this.arrived = upto
      if (this.since) this.until = upto
    }
    this.upto = upto
    if (!this.left) keepSeen(this.match, upto)
  }

  /** The page went out of sight or came back. */
  turn(hidden: boolean, now: number): void {
    if (hidden) {
      this.left = { upto: this.upto, at: now }
      return
    }
    const { left } = this
    this.left = null
    keepSeen(this.match, this.upto)
    // What was missed before and is not read yet is missed still.
    if (left?.upto && this.upto > left.upto && now - left.at >= AWHILE_MS) {
      if (this.since === this.until) this.since = left.upto
      this.until = this.upto
    }
  }

  /** All of it is known now. */
  caughtUp(): void {
    this.since = this.until
  }
}
