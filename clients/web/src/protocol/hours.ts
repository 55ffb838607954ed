/** When the clock of a seat stands still: in its nights, at its weekends, as domain/match/rest.py says it. All in
 * microseconds since the epoch; a seat's time on the wall follows from its offsets in the view. */

import type { Hours, MatchView } from './wire'

const SECOND = 1_000_000
const HOUR = 3_600 * SECOND
const DAY = 24 * HOUR
/** The epoch begins on the fourth day of a week that begins on Monday. */
const THURSDAY = 3
const NIGHT = 8 * HOUR
/** A clock has a week of time at the least within so many days: five days of sixteen hours a week. */
const FARTHEST = 40 * 366

export interface Still {
  why: 'night' | 'weekend' | 'holiday'
  until: number
}

const UTC: Hours = { offsets: [[0, 0]] }

/** By how much a wall is ahead of UTC, and when that changes next. */
function ahead({ offsets }: Hours, at: number): { by: number; until: number } {
  const next = offsets.findIndex(([from]) => from * SECOND > at)
  const place = next < 0 ? offsets.length - 1 : Math.max(0, next - 1)
  const after = offsets[place + 1]
  return { by: offsets[place]![1] * SECOND, until: after ? after[0] * SECOND : Infinity }
}

/** The holiday that a seat is on, if any. */
export function holidayOf({ holidays }: MatchView, seat: number, at: number): Still | null {
  const now = (holidays?.[seat] ?? []).find(({ since, until }) => since <= at && at < until)
  return now ? { why: 'holiday', until: now.until } : null
}

/** A stretch from an instant on in which a seat's time runs, or stands still, throughout. */
function stretch(match: MatchView, seat: number, at: number): { why: Still['why'] | ''; until: number } {
  const { clock, hours, holidays } = match
  const away = holidayOf(match, seat, at)
  if (away) return away
  const next = Math.min(...(holidays?.[seat] ?? []).map(({ since }) => since).filter((since) => since > at))
  const kept = hours?.[seat] ?? UTC
  const { by, until } = ahead(kept, at)
  const wall = at + by
  const midnight = Math.floor(wall / DAY) * DAY
  const weekday = (((Math.floor(wall / DAY) + THURSDAY) % 7) + 7) % 7
  const ends: number[] = [midnight + DAY]
  let why: Still['why'] | '' = clock?.weekends && weekday > 4 ? 'weekend' : ''
  if (clock?.nights && kept.night !== undefined) {
    const begin = kept.night * 60 * SECOND
    for (const from of [midnight - DAY + begin, midnight + begin]) {
      if (wall < from) ends.push(from)
      else if (wall < from + NIGHT) {
        why ||= 'night'
        ends.push(from + NIGHT)
      }
    }
  }
  return { why, until: Math.min(until, next, ...ends.map((end) => end - by)) }
}

/** Why a seat's clock stands still at an instant, and until when; null where it runs. */
export function stillAt(match: MatchView, seat: number, at: number): Still | null {
  const first = stretch(match, seat, at)
  if (!first.why) return null
  let { until } = first
  for (let next = stretch(match, seat, until); next.why; next = stretch(match, seat, until)) ({ until } = next)
  return { why: first.why, until }
}

/** How much of a seat's time runs from one instant to a later one. */
export function used(match: MatchView, seat: number, since: number, until: number): number {
  if (!rests(match)) return Math.max(0, until - since)
  let [at, ran] = [since, 0]
  while (at < until) {
    const next = stretch(match, seat, at)
    const end = Math.min(next.until, until)
    if (!next.why) ran += end - at
    at = end
  }
  return ran
}

/** The first instant by which so much of a seat's time has run. */
export function outAt(match: MatchView, seat: number, since: number, left: number): number {
  if (!rests(match) || left <= 0) return since + Math.max(0, left)
  let [at, rest] = [since, left]
  for (let count = 0; count < FARTHEST; count++) {
    const next = stretch(match, seat, at)
    if (!next.why) {
      if (rest <= next.until - at) return at + rest
      rest -= next.until - at
    }
    at = next.until
  }
  return Infinity
}

function rests({ clock, holidays }: MatchView): boolean {
  return Boolean(clock?.nights ?? clock?.weekends ?? holidays)
}

/** What one says of oneself when one sits down: the server keeps it only where a clock goes by it. */
export function ownHours(night: number): { zone: string; night: number } {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return { zone: /^[A-Z][\w+-]*(\/[\w+-]+)*$/.test(zone) && zone !== 'Etc/Unknown' ? zone : '', night }
}
