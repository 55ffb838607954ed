/** The server's time, by which clocks run, whatever the computer says that it is. An answer that holds it was written after
 * it was asked for and before it was heard: that bounds how far the server's clock is ahead of one's own, and the answers
 * of a page narrow the bound. One's own clock counts from when the page was opened, since that of the day may be set at
 * any moment. All in microseconds. */

interface Bound {
  least: number
  most: number
}

const WIDE: Bound = { least: -Infinity, most: Infinity }

/** Microseconds of a clock that is never set. */
export function elapsed(): number {
  return performance.now() * 1_000
}

export class ServerTime {
  private bound = $state.raw(WIDE)

  /** It was `now` there between two moments here. */
  heard(now: number, asked: number, told: number): void {
    const [least, most] = [Math.max(this.bound.least, now - told), Math.min(this.bound.most, now - asked)]
    // One of the clocks was set, or this one stood still while the computer slept: then only the last answer counts.
    this.bound = least <= most ? { least, most } : { least: now - told, most: now - asked }
  }

  /** The time there; before the first answer, what the computer says. */
  now(): number {
    const { least, most } = this.bound
    return most === Infinity ? Date.now() * 1_000 : elapsed() + (least + most) / 2
  }

  /** What it is there at least: what is over by then is over. */
  least(): number {
    return elapsed() + this.bound.least
  }
}

export const serverTime = new ServerTime()
