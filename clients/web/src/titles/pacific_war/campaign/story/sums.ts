/** What a chapter of a campaign came to, in words with ids in square brackets: losses, places, points. */

import type { Chapter, Lost } from '../../../../protocol/wire'
import { counted } from '../../../../words/count'

/** As the log counts ships, in the order in which they weigh. */
const CALLED: Readonly<Record<string, string>> = {
  CV: 'carrier',
  CVL: 'light carrier',
  CVE: 'escort carrier',
  BB: 'battleship',
  BC: 'battlecruiser',
  CA: 'heavy cruiser',
  CL: 'light cruiser',
  DD: 'destroyer',
  CVS: 'seaplane tender',
  AA: 'transport',
  air: 'air unit',
  ground: 'ground unit',
}
export const KINDS = Object.keys(CALLED)

/** What a class of ships, air units or ground units is called as a heading. */
export function kindName(kind: string): string {
  const called = CALLED[kind] ?? kind
  return `${called.charAt(0).toUpperCase()}${called.slice(1)}s`
}

/** Each of them is a name that players know. */
const NAMED = new Set(['CV', 'CVL', 'CVE', 'BB', 'BC'])
/** So many others are named, more are counted. */
const FEW = 1
const SIDES = [0, 1] as const

export type Side = (typeof SIDES)[number]

const by = (kind: string) => (lost: Lost) => lost.kind === kind

/** "[cv_wasp], 5 transports, 3 air steps"; '' of a side that lost nothing. */
export function lossWords({ lost, counts }: Pick<Chapter, 'lost' | 'counts'>, side: Side): string {
  const units = KINDS.flatMap((kind) => {
    const gone = lost[side].filter(by(kind))
    if (!gone.length) return []
    return NAMED.has(kind) || gone.length <= FEW ? gone.map(({ unit }) => `[${unit}]`) : [counted(gone.length, CALLED[kind]!)]
  })
  const steps = (['air', 'ground'] as const).flatMap((what) => {
    const count = counts[what]?.[side] ?? 0
    return count ? [counted(count, `${what} step`)] : []
  })
  return [...units, ...steps].join(', ')
}

/** The places that a side took and holds at the end of the chapter. */
export function takenBy({ taken }: Pick<Chapter, 'taken'>, side: Side): string[] {
  const last = new Map(taken.map(({ place, by: whose }) => [place, whose]))
  return [...last].filter(([, whose]) => whose === side).map(([place]) => place)
}

/** Places in words: those with a name in brackets, others by their hex. */
export const placeWords = (places: readonly string[]): string =>
  places.map((place) => (/^\d/.test(place) ? `hex ${place}` : `[${place}]`)).join(', ')

export interface SideSums {
  side: Side
  /** What it lost, or ''. */
  lost: string
  /** What it took, or ''. */
  took: string
}

export interface Sums {
  /** "August 1942, day 10 · 11 days" */
  when: string
  /** Where was fought, or ''. */
  where: string
  sides: SideSums[]
  /** Points of both sides by their name, where there are any. */
  points: { words: string; of: readonly [number, number] }[]
  /** Merchant shipping sunk in its month, or ''. */
  shipping: string
}

const POINTS = [
  ['damage', 'Damage points'],
  ['places', 'Points for places'],
] as const

export function sumsOf(chapter: Chapter): Sums {
  const { counts, days, figures, where, when } = chapter
  const { merchants = 0, msp } = figures
  return {
    when: [when, days ? counted(days, 'day') : ''].filter(Boolean).join(' · '),
    where: placeWords(where),
    sides: SIDES.map((side) => ({ side, lost: lossWords(chapter, side), took: placeWords(takenBy(chapter, side)) })).filter(
      ({ lost, took }) => lost || took,
    ),
    points: POINTS.flatMap(([what, words]) => {
      const of = counts[what]
      return of?.some(Boolean) ? [{ words, of }] : []
    }),
    shipping: merchants ? `${counted(merchants, 'merchant point')} sunk${msp === undefined ? '' : `, ${msp} left`}` : '',
  }
}

/** Whether anything came of a chapter that is worth a line. */
export function tells(chapter: Chapter): boolean {
  const { sides, points, shipping } = sumsOf(chapter)
  return chapter.kind === 'operation' || sides.length + points.length > 0 || shipping !== ''
}

/** What a chapter is called: bids that nobody followed are the end of their month. */
export function calledOf({ kind, named, when }: Pick<Chapter, 'kind' | 'named' | 'when'>): string {
  return kind === 'bids' ? `${when.replace(/, day \d+$/, '')} ends` : named
}

/** The chapters that someone has missed in whole or in part, who knows the facts up to `since`. */
export function missed(chapters: readonly Chapter[], since: number): Chapter[] {
  return chapters.filter((chapter) => chapter.upto > since && tells(chapter))
}
