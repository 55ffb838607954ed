/** Persons over HTTP: what this browser's session may read of its person and change. */

import { asked, failure, get, Unanswered } from './http'
import type { Me, MyMatches, Profile } from './wire'

/** Asks for a change; the answer as JSON. Raises Unanswered with the server's reason. */
export async function change<Answer>(method: 'DELETE' | 'PATCH' | 'POST', path: string, body: object = {}): Promise<Answer> {
  const answer = await asked(path, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
  if (!answer.ok) throw new Unanswered(answer.status, (await failure(answer)).reason)
  return (await answer.json()) as Answer
}

/** Who is signed in here, and how one could be. */
export async function ask(): Promise<Me> {
  return (await (await get('/api/me')).json()) as Me
}

/** His matches, and the challenges that wait for him. */
export async function myMatches(): Promise<MyMatches> {
  return (await (await get('/api/me/matches')).json()) as MyMatches
}

/** What a person shows to all; null if there is nobody of that handle. */
export async function profile(handle: string): Promise<Profile | null> {
  const answer = await get(`/api/people/${handle}`).catch((why: unknown) => {
    if (why instanceof Unanswered && why.status === 404) return null
    throw why
  })
  return answer && ((await answer.json()) as Profile)
}
