/** The reads of what has been played by whom. The lobby does without. */

import { get } from './http'
import type { Ladder, PersonResults, TitleBalance } from './wire'

/** A page of the ladder of a title, from 1 on. */
export async function ladder(title: string, page = 1): Promise<Ladder> {
  return (await (await get(`/api/ratings/${title}?page=${page}`)).json()) as Ladder
}

/** What a person has played; of his matches those that ended before a time, in microseconds since the epoch. */
export async function results(handle: string, before?: number): Promise<PersonResults> {
  const query = before === undefined ? '' : `?before=${before}`
  return (await (await get(`/api/people/${handle}/results${query}`)).json()) as PersonResults
}

/** How equal the sides of each scenario of a title are. */
export async function balance(title: string): Promise<TitleBalance> {
  return (await (await get(`/api/balance/${title}`)).json()) as TitleBalance
}
