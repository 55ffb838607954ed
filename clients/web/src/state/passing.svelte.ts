/** Passing by itself: whoever has passed twice in one stretch of play may leave the rest of it to the page. What is sent are
 * his own ordinary passes, each after a wait that is drawn of nothing: whoever waits for them learns nothing of his hand. It
 * is kept in this browser until the stretch is over, so that the page may be loaded anew, and all tabs know of it: each
 * would pass, but a pass that answers what is answered already is not taken.
 *
 * Against bots there is nobody to learn anything: there whoever wishes is never asked where no card of his answers. */

import type { MatchView, Told } from '../protocol/wire'
import type { Choice } from '../titles/title'
import { keyOf } from './keep'
import { keepPasses, type Left, passes } from './progress'

/** A stretch of play as a seat sees it: it begins with a fact that all have seen. */
export interface Stretch {
  seat: number
  since: number
}

/** After so many passes it is offered. */
const ENOUGH = 2
/** The wait before each pass: as long as a person takes who has made up his mind. */
const LEAST_MS = 1_000
const SPREAD_MS = 2_000
/** Whoever comes back to a page that passes for him has so long to see it, and to end it. */
const SEEN_MS = 6_000

export class Passing {
  /** By seat: whoever plays several leaves it to the page for each alone. */
  private seats = $state.raw<Readonly<Record<number, Left>>>({})
  private readonly opened = Date.now()
  private readonly otherTab = (event: StorageEvent): void => {
    if (event.key === keyOf(this.match, 'passes')) this.seats = passes(this.match)
  }

  constructor(
    private readonly match: string,
    private readonly now: () => Stretch | null,
  ) {
    this.seats = passes(match)
    addEventListener('storage', this.otherTab)
  }

  close(): void {
    removeEventListener('storage', this.otherTab)
  }

  get on(): boolean {
    return this.left?.on ?? false
  }

  get offered(): boolean {
    return !this.on && (this.left?.passes ?? 0) >= ENOUGH
  }

  /** How long the page waits before it passes. */
  get wait(): number {
    const seen = (this.left?.at ?? this.opened) < this.opened ? this.opened + SEEN_MS - Date.now() : 0
    return Math.max(0, seen) + LEAST_MS + SPREAD_MS * Math.random()
  }

  /** The player has answered himself: with a pass, or otherwise, which ends it. */
  answered(pass: boolean): void {
    this.set(pass ? (this.left?.passes ?? 0) + 1 : 0, pass && this.on)
  }

  begin(): void {
    this.set(0, true)
  }

  end(): void {
    this.set(0, false)
  }

  /** Lets go what was for a stretch that is over; all of it, when the match is. */
  tidy(over: boolean): void {
    const now = this.now()
    const gone = (seat: string, { since }: Left): boolean => over || (now?.seat === Number(seat) && since < now.since)
    const kept = Object.entries(this.seats).filter(([seat, left]) => !gone(seat, left))
    if (kept.length < Object.keys(this.seats).length) this.keep(Object.fromEntries(kept))
  }

  private get left(): Left | undefined {
    const now = this.now()
    const left = now ? this.seats[now.seat] : undefined
    return left?.since === now?.since ? left : undefined
  }

  private set(passes: number, on: boolean): void {
    const now = this.now()
    if (now) this.keep({ ...this.seats, [now.seat]: { since: now.since, passes, on, at: Date.now() } })
  }

  private keep(seats: Readonly<Record<number, Left>>): void {
    this.seats = seats
    keepPasses(this.match, seats)
  }
}

/** Before a pass where nothing else could be done: long enough to read what happened. */
export const IDLE_MS = 700

/** Whether all who play against `seats` are bots: how long they wait tells them nothing. */
export function onlyBots({ seats, taken }: MatchView, own: readonly number[]): boolean {
  const others = seats.map((_, seat) => seat).filter((seat) => !own.includes(seat))
  return own.length > 0 && others.length > 0 && others.every((seat) => taken[seat] === 'bot')
}

/** Whether nothing but passing can be done. After an undo it is asked all the same: else it could not be undone further. */
export function idle(choices: readonly Choice[], facts: readonly Told[]): boolean {
  return choices.length > 0 && choices.every((one) => one.leaves) && facts.at(-1)?.type !== 'Undone'
}
