/** Passing by itself: whoever has passed twice in one stretch of play may leave the rest of it to the page. What is sent are
 * his own ordinary passes, each after a wait that is drawn of nothing: whoever waits for them learns nothing of his hand. It
 * is kept in this page alone, and gone with it. */

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

interface Left {
  since: number
  passes: number
  on: boolean
}

export class Passing {
  /** By seat: whoever plays several leaves it to the page for each alone. */
  private seats = $state.raw<Readonly<Record<number, Left>>>({})

  constructor(private readonly now: () => Stretch | null) {}

  get on(): boolean {
    return this.left?.on ?? false
  }

  get offered(): boolean {
    return !this.on && (this.left?.passes ?? 0) >= ENOUGH
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

  private get left(): Left | undefined {
    const now = this.now()
    const left = now ? this.seats[now.seat] : undefined
    return left?.since === now?.since ? left : undefined
  }

  private set(passes: number, on: boolean): void {
    const now = this.now()
    if (now) this.seats = { ...this.seats, [now.seat]: { since: now.since, passes, on } }
  }
}

export function wait(): number {
  return LEAST_MS + SPREAD_MS * Math.random()
}
