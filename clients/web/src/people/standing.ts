/** The rating of whoever is signed in, in a title: heard once for as long as he is. */

import { results } from '../protocol/results'
import { me } from '../state/me.svelte'

/** What everybody begins with. */
const NEW = 1500

let round = -1
let heard = Promise.resolve<ReadonlyMap<string, number>>(new Map())

/** Rejects where the server does not say. */
export async function ratingIn(title: string): Promise<number> {
  if (round !== me.round) {
    ;({ round } = me)
    heard = results(me.person!.handle).then(({ ratings }) => new Map(ratings.map((one) => [one.title, one.rating])))
    heard.catch(() => (round = -1))
  }
  return (await heard).get(title) ?? NEW
}
