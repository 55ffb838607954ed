import type { Seen } from './seen'

/** Where a board was left that is out of the page for a while, as a telephone's is behind another tab. */
export interface Left extends Seen {
  /** The width of the board: another board is not seen from there. */
  width: number
  /** What glowed then: if it still does, nothing is brought into sight. */
  attend: unknown
}
