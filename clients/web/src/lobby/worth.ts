/** Which matches in play are most worth watching. */

import type { MatchInfo } from '../protocol/wire'

const people = (one: MatchInfo): number => one.seats.filter((seat) => seat.taken === 'person').length

/** Those with most onlookers first, then those between people, rated ones before others, then the latest move. Those that were shown `before` keep
 * their places while they are played and nobody looks elsewhere, so that no board is taken away from who watches it. */
export function worthWatching(playing: readonly MatchInfo[], before: readonly string[], most: number): MatchInfo[] {
  const kept = (one: MatchInfo): number => {
    const place = before.indexOf(one.match)
    return place < 0 ? most : place
  }
  return [...playing]
    .sort(
      (one, two) =>
        (two.onlookers ?? 0) - (one.onlookers ?? 0) ||
        Math.min(2, people(two)) - Math.min(2, people(one)) ||
        Number(two.rated) - Number(one.rated) ||
        kept(one) - kept(two) ||
        two.last - one.last,
    )
    .slice(0, most)
}
