/** The reads of what a long match came to so far: its chapters, and the stories of units. */

import { get } from './http'
import type { Chapter, StoryLine } from './wire'

/** The chapters of a match, none where its title has no such thing. */
export async function chapters(match: string, token = ''): Promise<Chapter[]> {
  return (await (await get(`/api/matches/${match}/chapters`, token)).json()) as Chapter[]
}

/** What befell a unit, as far as the reader may know. */
export async function story(match: string, unit: string, token = ''): Promise<StoryLine[]> {
  return (await (await get(`/api/matches/${match}/story/${encodeURIComponent(unit)}`, token)).json()) as StoryLine[]
}
