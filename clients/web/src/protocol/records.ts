/** The reads of what has been played: steps, records, and what they are checked with. The lobby does without. */

import { get } from './http'
import type { Checkpoint, Dispute, Frame, View } from './wire'

/** Facts of a match above which it is read in passages only, and of a passage. */
export const [WHOLE, LONGEST] = [100_000, 5000]

/** Every step of a match as `side` saw it, or as all is known after the end. */
export function steps(id: string, token?: string, side?: number | 'all' | null): Promise<Frame[]>
/** A passage: what was seen at fact `from`, 0 being before the first, and the steps from there that end up to `facts` behind it. */
export function steps(id: string, token: string, side: number | 'all' | null, from: number, facts?: number): Promise<[View, ...Frame[]]>
export async function steps(
  id: string,
  token = '',
  side: number | 'all' | null = null,
  from = -1,
  facts = LONGEST,
): Promise<(View | Frame)[]> {
  const query = side === null ? '' : side === 'all' ? 'all=1' : `side=${side}`
  const span = from < 0 ? '' : `&from=${from}&upto=${from + facts}`
  return lines(await (await get(`/api/matches/${id}/steps?${query}${span}`, token)).text())
}

/** The record of a match, or the lines of some of its facts. */
export async function record(id: string, token = '', from = 0, upto = 0): Promise<string> {
  return (await get(`/api/matches/${id}/record${from ? `?from=${from}&upto=${upto}` : ''}`, token)).text()
}

/** Has the step of a fact decided again. */
export async function dispute(id: string, seq: number, token = ''): Promise<Dispute> {
  return (await (await get(`/api/matches/${id}/dispute/${seq}`, token)).json()) as Dispute
}

/** The last signed checkpoint and the key to check it with; both empty where there is none. */
export async function checkpoint(): Promise<Checkpoint> {
  return (await (await get('/api/checkpoint')).json()) as Checkpoint
}

/** Newline-delimited JSON. */
export function lines<Line>(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => JSON.parse(line) as Line)
}
