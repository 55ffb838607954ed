/** The reads over HTTP. Everything that changes something goes over the socket. */

import type { Frame } from './wire'

export interface TitleInfo {
  name: string
  title: string
  sides: string[]
  revision: string
  names: Record<string, string>
  scenarios: { id: string; title: string; text: string }[]
  default_scenario: string
  options: OptionInfo[]
  bots: string[]
}

export interface OptionInfo {
  id: string
  rule: string
  text: string
  default: boolean | number | null
  least: number | null
  most: number | null
}

export interface SeatInfo {
  name: string
  side: number
  taken: null | 'person' | 'bot'
  player: string
  present?: boolean
}

export type MatchState = 'open' | 'playing' | 'ended'

export interface MatchInfo {
  match: string
  title: string
  scenario: string
  label: string
  pace: string
  /** Whether it was played elsewhere and brought in when it had ended. */
  imported: boolean
  state: MatchState
  seats: SeatInfo[]
  asked: number[]
  winner: number | null
  reason: string
  onlookers: number | null
  created: number
  last: number
  facts: number
}

/** One command of a match, as its reader may know it. */
export type StepLine = Frame

/** A fact in words. */
export interface Saying {
  type: string
  words: string
  body: string
  rule: string
}

/** A step decided again, beside what is recorded of it. */
export interface Disputed {
  seq: number
  first: number
  last: number
  at: number
  seat: number | null
  rule: string
  /** Revisions of the rules: that the match began under, and that it was decided again by. */
  played: string
  revision: string
  same: boolean
  lines: { seq: number | null; recorded: Saying | null; found: Saying | null; same: boolean }[]
  hidden: number
  hidden_same: boolean
  /** What was found instead is told when the match has ended. */
  withheld: boolean
  /** Why it could not be decided again. */
  refused: string
}

/** The server said no, or could not be reached (`status` 0). */
export class Unanswered extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

async function get(path: string, token = ''): Promise<Response> {
  const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {}
  let answer: Response
  try {
    answer = await fetch(path, { headers, credentials: 'omit' })
  } catch {
    throw new Unanswered(0, 'The server cannot be reached.')
  }
  if (!answer.ok) {
    throw new Unanswered(answer.status, await reason(answer))
  }
  return answer
}

async function reason(answer: Response): Promise<string> {
  try {
    return ((await answer.json()) as { reason: string }).reason
  } catch {
    return `The server answered ${answer.status}.`
  }
}

let known: Promise<TitleInfo[]> | undefined

/** The titles that can be played; asked for once. */
export function titles(): Promise<TitleInfo[]> {
  known ??= get('/api/titles').then((answer) => answer.json() as Promise<TitleInfo[]>)
  known.catch(() => (known = undefined))
  return known
}

export async function matches(state: MatchState): Promise<MatchInfo[]> {
  const answer = await get(`/api/matches?state=${state}`)
  return ((await answer.json()) as { matches: MatchInfo[] }).matches
}

export async function match(id: string, token = ''): Promise<MatchInfo> {
  return (await (await get(`/api/matches/${id}`, token)).json()) as MatchInfo
}

/** Every step of a match as `side` saw it, or as all is known after the end. */
export async function steps(id: string, token = '', side: number | 'all' | null = null): Promise<StepLine[]> {
  const query = side === null ? '' : side === 'all' ? '?all=1' : `?side=${side}`
  return lines<StepLine>(await (await get(`/api/matches/${id}/steps${query}`, token)).text())
}

export async function record(id: string, token = ''): Promise<string> {
  return (await get(`/api/matches/${id}/record`, token)).text()
}

/** Has the step of a fact decided again. */
export async function dispute(id: string, seq: number, token = ''): Promise<Disputed> {
  return (await (await get(`/api/matches/${id}/dispute/${seq}`, token)).json()) as Disputed
}

/** The last signed checkpoint and the key to check it with; both empty where there is none. */
export async function checkpoint(): Promise<{ note: string; key: string }> {
  return (await (await get('/api/checkpoint')).json()) as { note: string; key: string }
}

export async function rulebook(title: string): Promise<string> {
  return (await get(`/api/rules/${title}`)).text()
}

/** Newline-delimited JSON. */
export function lines<Line>(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => JSON.parse(line) as Line)
}
