/** Whether a decision can be taken back, as the server will judge it (`domain/match/undo.py`), read from what a seat
 * is shown. Who decided is not shown, but who was asked is: where one seat alone was asked, it was that one. Only what
 * is hidden from the seat, or unknown because several seats were asked at once, is left for the server to say. */

import { bodyOf } from '../protocol/body'
import { type Fact, REVEALS, type Undone } from '../protocol/facts'
import type { Move } from '../protocol/moves'
import type { Deed } from './deeds'
import { NOTICES } from './facts'
import { gist, type Reader } from './retold'
import { type Known, plain } from './sentence'

/** Nothing before these is taken back: dice fell, something was drawn or laid open, the clock decided, play began,
 * somebody else played before, or, of moves that stand, all agreed to a correction. */
const BARS: ReadonlySet<string> = new Set<string>([
  ...REVEALS,
  ...(['TimeOutClaimed', 'SeatReplaced', 'Started', 'Undone'] satisfies Fact['type'][]),
])

/** Why a decision cannot be taken back alone: something was rolled, drawn or laid open, others decided, the clock did, or the
 * match was corrected. */
export type Bar = 'chance' | 'others' | 'clock' | 'consent'

const WHY: Readonly<Record<string, Bar>> = { SeatReplaced: 'others', TimeOutClaimed: 'clock', Undone: 'consent' }

export interface LastDeed {
  move: Move
  seat: number
  /** In words, if it was chosen here. */
  what: string
  bar: Bar | ''
}

/** How a title's facts are told. */
export interface Telling extends Reader {
  known: () => Known
}

export interface Reach {
  /** Whose decision it is. */
  seat: number
  /** The fact to go back to. */
  backTo: number
}

/** Whether a move was about the match alone. */
export function onlyNotices(move: Move): boolean {
  return !move.sealed && move.facts.every((fact) => NOTICES.has(fact.type))
}

/** The moves that count: without those that were taken back, and the undos of a seat. */
export function standing(moves: readonly Move[]): Move[] {
  let stand: Move[] = []
  for (const move of moves) {
    const undone = move.facts.find((fact) => fact.type === 'Undone')
    if (!undone) stand.push(move)
    else {
      const { back_to: backTo, consent } = bodyOf<Undone>(undone)
      stand = stand.filter((one) => one.upto <= backTo || onlyNotices(one))
      if (consent) stand.push(move)
    }
  }
  return stand
}

/** Who of `seats` can take his last decision back, and to where; null if the server is sure to refuse. With `alone`
 * without asking the others, so that nobody else may have decided since. `decided` knows whose some moves were. */
export function reach(
  moves: readonly Move[],
  seats: readonly number[],
  alone: boolean,
  decided: (move: Move) => number | undefined = () => undefined,
): Reach | null {
  for (const move of standing(moves).reverse()) {
    if (onlyNotices(move)) continue
    if (barOf(move)) return null
    const one = decided(move)
    const asked = one === undefined ? (move.asked ?? seats) : [one]
    const seat = asked.find((one) => seats.includes(one))
    if (seat !== undefined) return { seat, backTo: move.after }
    if (alone) return null
  }
  return null
}

/** Who has decided of several who were asked at once: the one who is asked no longer, where what all see of it tells of his
 * side. Where nothing of it is seen it is one of `ours` that alone is asked no longer, else another, since most often one sees
 * what comes of one's own; undefined if that cannot be told. */
export function decider(
  { asked, gone, facts }: Move,
  sideOf: (seat: number) => number | undefined,
  ours: readonly number[] = [],
): number | undefined {
  const [one, ...more] = gone
  if (!facts.length && ours.length) {
    return one !== undefined && !more.length && ours.includes(one) ? one : asked?.find((seat) => !ours.includes(seat))
  }
  const side = facts.map((fact) => bodyOf<{ side?: number }>(fact).side).find((one) => one !== undefined)
  return one !== undefined && !more.length && side !== undefined && sideOf(one) === side ? one : undefined
}

function barOf(move: Move): Bar | '' {
  const type = move.facts.find((fact) => BARS.has(fact.type))?.type
  return type ? (WHY[type] ?? 'chance') : ''
}

/** The last decision of `seats` that stands, with what bars the way back to it; null if they decided nothing yet. */
export function lastDeed(
  moves: readonly Move[],
  seats: readonly number[],
  decided: (move: Move) => Deed | undefined = () => undefined,
): LastDeed | null {
  let bar: Bar | '' = ''
  for (const move of standing(moves).reverse()) {
    if (onlyNotices(move)) continue
    if (move.facts.some((fact) => fact.type === 'Started')) return null
    const deed = decided(move)
    const asked = deed ? [deed.seat] : (move.asked ?? seats)
    const seat = asked.find((one) => seats.includes(one))
    bar ||= barOf(move) || (seat === undefined ? 'others' : '')
    if (seat !== undefined) return { move, seat, what: deed?.what ?? '', bar }
  }
  return null
}

/** What was taken back, or would be, in words: the first that a move tells, and how much more; '' if nothing is seen. */
export function told(move: Move, { silent, known }: Telling): string {
  return plain(gist(move.facts, silent), known())
}
