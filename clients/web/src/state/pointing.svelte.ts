/** What the reader points at, in the log or on the board: both light up. */

class Pointing {
  ids = $state.raw<ReadonlySet<string>>(new Set())
  /** Whether it is pointed at on the board; then the log shows where it occurs. */
  fromBoard = $state(false)

  at(ids: readonly string[], fromBoard = false): void {
    this.ids = new Set(ids)
    this.fromBoard = fromBoard && ids.length > 0
  }

  nothing(): void {
    if (this.ids.size) this.ids = new Set()
    this.fromBoard = false
  }
}

export const pointing = new Pointing()
