/** The reads over HTTP. What changes a match goes over the socket, what changes a person through `people`. */

import type { Failure, MatchDetails, MatchInfo, MatchList, Report, TitleInfo } from './wire'

/** The server said no, or could not be reached (`status` 0). */
export class Unanswered extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

/** How often something is asked for that is refused for now only, and the longest pause before it is asked for again, in seconds. */
export const [TRIES, LONGEST_PAUSE] = [8, 60]

export async function get(path: string, token = '', tries = TRIES): Promise<Response> {
  const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {}
  const answer = await asked(path, { headers })
  if (answer.ok) return answer
  const { code, reason } = await failure(answer)
  const after = Number(answer.headers.get('Retry-After'))
  if (after && tries > 1 && (code === 'busy' || code === 'too_fast')) {
    await new Promise((resolve) => setTimeout(resolve, 1000 * Math.min(after, LONGEST_PAUSE)))
    return get(path, token, tries - 1)
  }
  throw new Unanswered(answer.status, reason)
}

/** Asks with what this browser has of a session; any answer. Raises Unanswered where there is none. */
export async function asked(path: string, how: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { ...how, credentials: 'same-origin' })
  } catch {
    throw new Unanswered(0, 'The server cannot be reached.')
  }
}

/** Why an answer is none. */
export async function failure(answer: Response): Promise<Partial<Failure> & Pick<Failure, 'reason'>> {
  try {
    return (await answer.json()) as Failure
  } catch {
    return { reason: `The server answered ${answer.status}.` }
  }
}

const known = new Map<string, Promise<TitleInfo[]>>()

function listed(path: string): Promise<TitleInfo[]> {
  const asked = known.get(path) ?? get(path).then((answer) => answer.json() as Promise<TitleInfo[]>)
  known.set(path, asked)
  asked.catch(() => known.delete(path))
  return asked
}

/** The titles that can be played, without options and what is said of their scenarios; asked for once. */
export const titles = (): Promise<TitleInfo[]> => listed('/api/titles?short=1')

/** The same with all that can be chosen of them. */
export const wholeTitles = (): Promise<TitleInfo[]> => listed('/api/titles')

const called = new Map<string, Promise<Record<string, string>>>()

/** Names with those of parts of a unit, `jp_5div.a`, which are called after it and are not sent. */
export function withParts(names: Record<string, string>): Record<string, string> {
  return new Proxy(names, {
    get: (known, id: string) => {
      if (typeof id !== 'string' || id in known || id.at(-2) !== '.') return known[id]
      const whole = known[id.slice(0, -2)]
      return whole && `${whole}, part ${id.at(-1)}`
    },
  })
}

/** What the ids of a title are called; asked for once. */
export function names(title: string): Promise<Record<string, string>> {
  const asked =
    called.get(title) ?? get(`/api/names/${title}`).then(async (answer) => withParts((await answer.json()) as Record<string, string>))
  called.set(title, asked)
  asked.catch(() => called.delete(title))
  return asked
}

/** What is looked for among the matches that are not private; what is empty matters not. */
export interface Wanted {
  state: MatchInfo['state']
  /** Text in names and labels. */
  q: string
  title: string
  pace: '' | 'live' | 'turns'
  /** Those whose last move was before this; microseconds since the epoch. */
  before: string
}

/** Matches, the latest first. */
export async function matches(wanted: Wanted): Promise<MatchInfo[]> {
  const asked = Object.entries(wanted).filter(([, value]) => value !== '')
  const answer = await get(`/api/matches?${new URLSearchParams(asked)}`)
  return ((await answer.json()) as MatchList).matches
}

export async function match(id: string, token = ''): Promise<MatchDetails> {
  return (await (await get(`/api/matches/${id}`, token)).json()) as MatchDetails
}

/** Whether anybody may watch a match; no, too, while the server does not say so. */
export function isPublic(id: string): Promise<boolean> {
  return match(id).then(
    () => true,
    () => false,
  )
}

/** How a match ended; refused before it has. */
export async function report(id: string, token = ''): Promise<Report> {
  return (await (await get(`/api/matches/${id}/report`, token)).json()) as Report
}

export async function rulebook(title: string): Promise<string> {
  return (await get(`/api/rules/${title}`)).text()
}
