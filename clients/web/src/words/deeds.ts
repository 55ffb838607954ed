/** What was decided from this browser, in the words with which it was chosen. */

/** A decision that was made from here. */
export interface Deed {
  seat: number
  /** What was chosen, in words. */
  what: string
}

/** It with the last fact of its command. */
export type KeptDeed = Deed & { seq: number }

/** What a seat decided in the command that begins after a fact, as far as the match had come `before` another; or ''. A seat has
 * one decision that stands there: those it took back lie before. */
export function deedAfter(deeds: readonly KeptDeed[], seat: number, after: number, before: number): string {
  return deeds.find((deed) => deed.seat === seat && deed.seq > after && deed.seq < before)?.what ?? ''
}

export type DeedAfter = (seat: number, after: number, before: number) => string
