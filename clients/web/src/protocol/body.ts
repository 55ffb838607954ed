/** What facts say. Whoever asks for it has looked at the type that the fact is told with. */

import type { Told } from './wire'

export function bodyOf<Fact>(told: Pick<Told, 'body'>): Fact {
  return JSON.parse(told.body) as Fact
}
