/** The war by month, from its chapters: what was lost, who held what, the shipping. */

import type { Chapter } from '../../../../protocol/wire'
import { KINDS, type Side } from './sums'

export interface MonthOfWar {
  /** "August 1942" */
  name: string
  chapters: Chapter[]
  /** Who held each place when it ended. */
  held: ReadonlyMap<string, number>
  /** Places that changed hands in it, to who has them now. */
  changed: ReadonlyMap<string, number>
  /** Merchant Shipping Points at its end, and those sunk in it; undefined in a campaign without shipping. */
  shipping: number | undefined
  sunk: number
}

const monthOf = ({ when }: Chapter): string => when.replace(/, day \d+$/, '')

/** The months of a campaign, each with what stands at its end. */
export function months(chapters: readonly Chapter[]): MonthOfWar[] {
  const found: MonthOfWar[] = []
  const held = new Map(Object.entries(chapters[0]?.held ?? {}))
  for (const name of [...new Set(chapters.map(monthOf))]) {
    const mine = chapters.filter((chapter) => monthOf(chapter) === name)
    const before = new Map(held)
    for (const { taken } of mine) for (const { place, by } of taken) held.set(place, by)
    const figures = mine.map((chapter) => chapter.figures)
    found.push({
      name,
      chapters: mine,
      held: new Map(held),
      changed: new Map([...held].filter(([place, side]) => before.get(place) !== side)),
      shipping: figures.findLast(({ msp }) => msp !== undefined)?.msp ?? found.at(-1)?.shipping,
      sunk: figures.reduce((sum, { merchants = 0 }) => sum + merchants, 0),
    })
  }
  return found
}

export interface LossRow {
  kind: string
  /** What each side lost in each month. */
  of: [number, number][]
  total: [number, number]
}

const STEPS = ['air steps', 'ground steps']

function lostIn(chapter: Chapter, kind: string, side: Side): number {
  const [steps] = kind.split(' steps')
  if (STEPS.includes(kind)) return chapter.counts[steps!]?.[side] ?? 0
  return chapter.lost[side].filter((lost) => lost.kind === kind).length
}

/** Losses by class and month; a class of which nobody lost anything has no row. */
export function losses(list: readonly MonthOfWar[]): LossRow[] {
  const sum = (chapters: readonly Chapter[], kind: string, side: Side): number =>
    chapters.reduce((all, chapter) => all + lostIn(chapter, kind, side), 0)
  return [...KINDS, ...STEPS]
    .map((kind) => {
      const of = list.map(({ chapters }): [number, number] => [sum(chapters, kind, 0), sum(chapters, kind, 1)])
      const total = of.reduce<[number, number]>(([mine, theirs], [one, other]) => [mine + one, theirs + other], [0, 0])
      return { kind, of, total }
    })
    .filter(({ total }) => total[0] + total[1] > 0)
}

export interface Holding {
  place: string
  /** Who held it before the first month, and at the end of each. */
  of: number[]
}

/** The places that changed hands, the first to do so first. */
export function fought(chapters: readonly Chapter[], list: readonly MonthOfWar[]): Holding[] {
  const before = chapters[0]?.held ?? {}
  const places = [...new Set(list.flatMap(({ changed }) => [...changed.keys()]))]
  return places.map((place) => ({ place, of: [before[place] ?? -1, ...list.map(({ held }) => held.get(place) ?? -1)] }))
}

/** How many places each side held. */
export function count(held: ReadonlyMap<string, number>): [number, number] {
  const sides = [...held.values()]
  return [sides.filter((side) => side === 0).length, sides.filter((side) => side === 1).length]
}
