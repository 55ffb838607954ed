/** A match that is longer than one answer carries is read in passages: its film and its record. */

import { Film } from './film'
import { match } from './http'
import { type Move, movesOf } from './moves'
import { LONGEST, record, steps, WHOLE } from './records'
import type { RecordHeader } from './wire'

/** The passage of `facts` facts that begins at fact `from`, or with the step that it is in; 0 is before the first. Raises
 * Error. */
export async function passage(id: string, token: string, side: number | 'all' | null, from: number, facts: number): Promise<Film> {
  const found = await steps(id, token, side, from, facts)
  if (!found.length) throw new Error(`The server sends nothing of fact ${from}.`)
  const [start, ...frames] = found
  return new Film(frames, start)
}

/** The steps of a film, and those after it up to a fact that the match has come to. Raises Error. */
export async function movesTo(head: number, film: Film, id: string, token: string): Promise<Move[]> {
  const { moves } = film
  let at = film.seq(film.length)
  while (at < head) {
    const [start, ...frames] = await steps(id, token, null, at)
    if (!frames.length) break
    moves.push(...movesOf(frames, (start.view as { asked?: number[] }).asked))
    at = frames.at(-1)!.upto
  }
  return moves
}

/** The record of a match, however long it is. */
export async function recordOf(id: string, token = ''): Promise<string> {
  if ((await match(id, token)).facts <= WHOLE) return record(id, token)
  const parts: string[] = []
  let [seq, head] = [0, Infinity]
  while (seq < head) {
    const part = await record(id, token, seq + 1, Math.min(head, seq + LONGEST))
    if (!parts.length) ({ head } = JSON.parse(part.slice(0, part.indexOf('\n'))) as RecordHeader)
    const last = part.trimEnd()
    const next = (JSON.parse(last.slice(last.lastIndexOf('\n') + 1)) as { seq: number }).seq
    if (next <= seq) throw new Error(`The server sends nothing behind fact ${seq}.`)
    parts.push(part)
    seq = next
  }
  return parts.join('')
}
