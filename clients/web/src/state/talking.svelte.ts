/** What has been said at a match and not been read: counted, sounded, and the last of it shown over the board. */

import { untrack } from 'svelte'
import type { Said } from '../protocol/wire'
import { heard, keepHeard } from './progress'
import { hear } from '../scenes/hearing'

/** What is said within this time of opening the match was said before, and makes no sound; ms. */
const BEFORE_MS = 1_500

class Talking {
  /** What others have said since it was last read, in order. */
  unread = $state.raw<readonly Said[]>([])
  /** The talk is in sight, and so is the page: what is said is read. */
  readonly inSight: boolean
  /** The page is out of sight. */
  away = $state(document.hidden)
  /** There is nobody to talk to: only bots, and seats that are played from here. */
  alone = $state(false)

  private chosen = $state<boolean | null>(null)
  private open = $state(0)
  private match = ''
  private since = 0
  /** The last line that is known here, read or not. */
  private known = 0

  constructor() {
    this.inSight = $derived(this.open > 0 && !this.away)
    document.addEventListener('visibilitychange', () => {
      this.away = document.hidden
      if (this.inSight) this.read()
    })
  }

  /** The talk beside the log is folded up: as was chosen, else where it is of no use. */
  get folded(): boolean {
    return this.chosen ?? this.alone
  }

  fold(): void {
    this.chosen = !this.folded
  }

  /** Another match is opened. */
  enter(match: string): void {
    this.match = match
    this.since = performance.now()
    this.known = heard(match)
    this.unread = []
    this.chosen = null
  }

  /** The talk comes into sight; returns what to do when it goes out of it. */
  show(): () => void {
    untrack(() => {
      this.open++
      if (this.inSight) this.read()
    })
    return () => untrack(() => this.open--)
  }

  /** This is all that has been said; `mine` are the seats that are played from here. */
  hear(chat: readonly Said[], mine: readonly number[]): void {
    const last = chat.at(-1)?.id ?? 0
    const fresh = chat.filter((one) => one.id > this.known && !mine.includes(one.seat ?? -1))
    this.known = Math.max(this.known, last)
    if (!fresh.length) return
    if (performance.now() - this.since > BEFORE_MS) hear(['chat'])
    this.unread = [...this.unread, ...fresh]
    if (this.inSight) this.read()
  }

  private read(): void {
    this.unread = []
    keepHeard(this.match, this.known)
  }
}

export const talking = new Talking()
