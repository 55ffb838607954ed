/** What weighed most among the facts that somebody has not seen. */

import { bodyOf } from '../protocol/body'
import type { Undone } from '../protocol/facts'
import type { Told } from '../protocol/wire'
import type { Chapter, Title } from '../titles/title'
import { takenBack } from './facts'
import { within } from './log'

/** So many are told; the rest is stepped through. */
const MOST = 5

export interface Missed {
  fact: Told
  /** Where it stands in the sequence of play: "Turn 3, Battle turn 1". */
  chapter: string
}

/** Of the facts after `since`, up to `until`, those that weigh: the grave ones first, then the latest, in their order. */
export function weighty(facts: readonly Told[], since: number, until: number, title: Title): Missed[] {
  const gone = takenBack(facts)
  const found: (Missed & { grave: boolean })[] = []
  let chapter = within(facts, title)
  for (const fact of facts) {
    if (fact.seq > until) break
    if (gone.has(fact.seq)) continue
    chapter = title.chapter(fact, chapter) ?? chapter
    const weight = title.weight(fact) || (fact.type === 'GameEnded' || isCorrection(fact) ? 'grave' : '')
    if (fact.seq > since && weight) found.push({ fact, chapter: placeOf(chapter, title), grave: weight === 'grave' })
  }
  const latest = [...found].reverse()
  const told = [...latest.filter(({ grave }) => grave), ...latest.filter(({ grave }) => !grave)].slice(0, MOST)
  return told.sort((one, other) => one.fact.seq - other.fact.seq)
}

/** By consent the match went back to an earlier moment. */
function isCorrection(fact: Told): boolean {
  return fact.type === 'Undone' && bodyOf<Undone>(fact).consent === true
}

/** Where a fact stands in the sequence of play, if it stands anywhere. */
export function placeAt(facts: readonly Told[], seq: number, title: Title): string {
  const gone = takenBack(facts)
  let chapter = within(facts, title)
  for (const fact of facts) {
    if (fact.seq > seq) break
    if (!gone.has(fact.seq)) chapter = title.chapter(fact, chapter) ?? chapter
  }
  return placeOf(chapter, title)
}

function placeOf(chapter: Chapter | null, title: Title): string {
  if (!chapter) return ''
  return [chapter.named ?? `${title.turnWord ?? 'Turn'} ${chapter.turn}`, chapter.title].filter(Boolean).join(', ')
}
