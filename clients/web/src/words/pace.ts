/** How a match is played, in words: how fast, and by which options. */

import type { Clock, MatchInfo } from '../protocol/wire'
import { counted } from './count'

const UNITS = [
  { seconds: 86_400, name: 'day' },
  { seconds: 3_600, name: 'hour', short: 'h' },
  { seconds: 60, name: 'minute', short: 'min' },
] as const

const unitOf = (seconds: number): (typeof UNITS)[number] | undefined =>
  UNITS.find((one) => seconds >= one.seconds && seconds % one.seconds === 0)

/** A length of time of a clock: "7 days", "90 minutes", "10 s". */
function lengthWords(seconds: number): string {
  const unit = unitOf(seconds)
  return unit ? counted(seconds / unit.seconds, unit.name) : `${seconds} s`
}

/** The same in short: "7 days", "90 min", "10 s". */
function shortLength(seconds: number): string {
  const unit = unitOf(seconds)
  return unit && 'short' in unit ? `${seconds / unit.seconds} ${unit.short}` : lengthWords(seconds)
}

/** How fast it is played: "live, 20 minutes a side and 10 s with each decision". */
export function paceWords(clock: Clock | null, byTurns: boolean): string {
  const pace = byTurns ? 'by turns' : 'live'
  if (!clock) return `${pace}, no clock`
  const { bank, increment = 0, turn = 0, nights, weekends } = clock
  const more = [increment && `${lengthWords(increment)} with each decision`, turn && `${lengthWords(turn)} with each turn`].filter(Boolean)
  const rests = [nights && 'at night', weekends && 'at weekends'].filter(Boolean)
  return [
    `${pace}, ${[`${lengthWords(bank)} a side`, ...more].join(' and ')}`,
    ...(rests.length ? [`no time runs ${rests.join(' or ')}`] : []),
  ].join('; ')
}

/** The same in short, as notices say it, too (`server/notices/terms.py`): "by turns, 7 days each, +2 days a turn, nights off". */
export function shortPace({ clock, by_turns }: Pick<MatchInfo, 'by_turns' | 'clock'>): string {
  const pace = by_turns ? 'by turns' : 'live'
  if (!clock) return `${pace}, no clock`
  const { bank, increment = 0, turn = 0, nights, weekends } = clock
  const off = [nights && 'nights', weekends && 'weekends'].filter(Boolean)
  return [
    pace,
    `${shortLength(bank)} each`,
    increment && `+${shortLength(increment)} a move`,
    turn && `+${shortLength(turn)} a turn`,
    off.length && `${off.join(' and ')} off`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** So many options are named. */
const NAMED = 2

/** Which options are other than usual, in short: "no weather and turn limit 10", "weak flak and 3 more options"; empty if none is.
 * The mode says who plays, which the seats do. */
export function shortOptions(chosen: MatchInfo['chosen']): string {
  const named = Object.entries(chosen).flatMap(([id, value]) => {
    if (id === 'mode') return []
    const name = id.replaceAll('_', ' ').replace(/\b(cap|krs|rp|sto)\b/g, (one) => one.toUpperCase())
    return [value === true ? name : value === false ? `no ${name}` : `${name} ${value}`]
  })
  if (named.length <= NAMED) return named.join(' and ')
  return `${named[0]} and ${named.length - 1} more options`
}

/** Both. */
export function shortTerms(info: Pick<MatchInfo, 'by_turns' | 'chosen' | 'clock'>): string {
  return [shortPace(info), shortOptions(info.chosen)].filter(Boolean).join(' · ')
}
