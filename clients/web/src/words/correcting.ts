/** A correction by consent in words: before which decision the match would go on, and what would be taken back. Read from what
 * somebody is shown, as far as he was: what is hidden from him is not counted. Which decisions can be gone back to, the
 * server says. */

import { bodyOf } from '../protocol/body'
import type { Undone } from '../protocol/facts'
import type { Move } from '../protocol/moves'
import { the } from './article'
import { counted } from './count'
import { NOTICES } from './facts'
import { gist } from './retold'
import { plain } from './sentence'
import { decider, onlyNotices, standing, type Telling } from './undoable'

/** A decision that stands, and the fact to go back to so that it does not. */
export interface Point {
  move: Move
  backTo: number
}

/** What would be taken back. */
export interface Covered {
  /** Decisions by side; under -1 those of which one cannot tell whose they are. */
  decisions: ReadonlyMap<number, number>
  rolls: number
  /** There may be more: a frame held several commands, and what is sealed in it may be of yet others. */
  least: boolean
}

/** What is seen after the last fact that is shown of a command may be of another. */
const trails = ({ upto, facts }: Move): boolean => (facts.at(-1)?.seq ?? 0) < upto

/** Where a frame held several commands, each of which something is shown by itself, and what is sealed before them. */
function apart(moves: readonly Move[]): Move[] {
  return moves.flatMap((move) => {
    if (move.asked) return [move]
    const heads = move.facts.filter(({ command }, place) => command !== move.facts[place - 1]?.command)
    const starts = heads.map(({ seq, index }) => seq - index)
    const pieces = [move.after, ...starts.map((start) => start - 1)].map((after, place): Move => {
      const upto = (starts[place] ?? move.upto + 1) - 1
      const facts = move.facts.filter(({ seq }) => after < seq && seq <= upto)
      return { after, upto, asked: null, gone: [], facts, sealed: facts.length < upto - after }
    })
    return pieces.filter(({ after, upto }) => after < upto)
  })
}

function isDecision(move: Move): boolean {
  return !onlyNotices(move) && move.asked?.length !== 0 && move.facts.every(({ type }) => type !== 'Started' && type !== 'Undone')
}

/** A time-out is claimed in the command of what the rules decide then, and is not taken back with it. */
function before({ after, facts }: Move): number {
  let last = after
  for (const { seq, type } of facts) if (seq === last + 1 && NOTICES.has(type)) last = seq
  return last
}

/** Whether a moment, by its last fact, was taken back: nothing goes on from there. */
export function isGone(moves: readonly Move[], moment: number): boolean {
  return moves.some(({ facts }) =>
    facts.some((fact) => fact.type === 'Undone' && bodyOf<Undone>(fact).back_to < moment && moment < fact.seq),
  )
}

/** The first decision after a moment among those that stand; null if there is none. */
export function pointAfter(moves: readonly Move[], moment: number): Point | null {
  const move = standing(apart(moves)).find((one) => one.after >= moment && isDecision(one))
  return move ? { move, backTo: before(move) } : null
}

/** The decision that is gone back to with a fact; null if it does not stand, or is not known here. */
export function pointOf(moves: readonly Move[], backTo: number): Point | null {
  const move = standing(apart(moves)).find((one) => one.after <= backTo && backTo < one.upto && isDecision(one))
  return move ? { move, backTo } : null
}

/** What of the moves would be taken back; `sideOf` tells of which side a seat is. */
export function covered(moves: readonly Move[], backTo: number, sideOf: (seat: number) => number | undefined): Covered {
  const decisions = new Map<number, number>()
  const since = apart(moves).filter(({ upto }) => upto > backTo)
  const gone = standing(since).filter(isDecision)
  for (const move of gone) {
    const seat = move.asked?.length === 1 ? move.asked[0] : decider(move, sideOf)
    const side = (seat === undefined ? undefined : sideOf(seat)) ?? -1
    decisions.set(side, (decisions.get(side) ?? 0) + 1)
  }
  const rolls = gone.reduce((sum, { facts }) => sum + facts.filter(({ type }) => type === 'Rolled').length, 0)
  return { decisions, rolls, least: since.some((move) => !move.asked && trails(move)) }
}

/** "7 decisions (3 of Japan, 4 of the United States) and 2 rolls", or at least so many. */
export function coveredWords({ decisions, rolls, least }: Covered, sides: readonly string[]): string {
  const all = [...decisions.values()].reduce((sum, one) => sum + one, 0)
  const whose = sides.flatMap((name, side) => (decisions.has(side) ? [`${decisions.get(side)} of ${the(name)}`] : []))
  const unknown = decisions.get(-1)
  if (unknown && whose.length) whose.push(`${unknown} of which you do not see whose`)
  const by = whose.length > 1 ? ` (${whose.join(', ')})` : whose.length ? whose[0]!.replace(/^\d+/, '') : ''
  return `${least ? 'At least ' : ''}${counted(all, 'decision')}${by}${rolls ? ` and ${counted(rolls, 'roll')}` : ''}`
}

/** The decision in words: as it was chosen here, or as the log tells it. */
export function decisionWords({ move }: Point, { silent, deed, known }: Telling): string {
  const said = (move.asked ?? []).map((seat) => deed(seat, move.after, move.upto + 1)).find(Boolean)
  if (said) return `“${said}”`
  const whose = move.asked?.length === 1 ? ` of [seat:${move.asked[0]}]` : ''
  return plain(gist(move.facts, silent) || `a decision${whose} of which nothing is to be seen`, known())
}
