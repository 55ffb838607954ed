/** What a command led to, cut into beats: a roll with what came of it until the next, or something that matters alone.
 * Reads what facts say and decides nothing. */

import type { TableView, Told } from '../protocol/wire'
import type { Tastes } from '../state/keep'
import type { Title } from '../titles/title'
import { NOTICES, takenBack, UNTOLD } from '../words/facts'
import { type Roll, rollOf } from '../words/log'
import { idsIn } from '../words/sentence'

type Weight = ReturnType<Title['weight']>

export interface Beat {
  /** Its first fact, by which it is named. */
  from: number
  /** Its last fact. */
  seq: number
  roll: Roll | null
  /** What is told beside the dice, or alone. */
  told: Told[]
  /** What it is about, the nearest first: it is shown beside the first that lies on the board. */
  ids: string[]
  weight: Weight
  /** The board itself shows it happening. */
  drawn: boolean
}

/** So many sentences are told in one beat. */
const MOST_TOLD = 3

function opened(fact: Told, roll: Roll | null, drawn = false): Beat {
  return { from: fact.seq, seq: fact.seq, roll, told: [], ids: roll?.subject ? [roll.subject] : [], weight: '', drawn }
}

function tell(beat: Beat, fact: Told, weight: Weight): void {
  beat.seq = fact.seq
  beat.told.push(fact)
  beat.ids.push(...idsIn(fact.words))
  if (weight === 'grave' || !beat.weight) beat.weight = weight
}

/** The weightiest of what is told, in its order. */
function shortened(beat: Beat, title: Title): Beat {
  const heft = (fact: Told): number => ['', 'heavy', 'grave'].indexOf(title.weight(fact))
  const kept = new Set([...beat.told].sort((one, other) => heft(other) - heft(one)).slice(0, MOST_TOLD))
  return { ...beat, told: beat.told.filter((fact) => kept.has(fact)) }
}

/** What is no part of what happens on the board. */
function passedOver({ type }: Told): boolean {
  return UNTOLD.has(type) || (NOTICES.has(type) && type !== 'GameEnded')
}

class Cut {
  readonly beats: Beat[] = []
  /** What follows belongs to the last beat. */
  private open = false

  constructor(private readonly title: Title) {}

  drawn(fact: Told, from: number): void {
    const last = this.beats.at(-1)
    if (last?.drawn && last.from >= from) last.seq = fact.seq
    else this.beats.push(opened(fact, null, true))
    this.open = false
  }

  take(fact: Told): void {
    const { title } = this
    if (fact.type === 'Rolled') {
      this.beats.push(opened(fact, rollOf(fact)))
      this.open = true
      return
    }
    if (title.chapter(fact, null)) this.open = false
    const ends = fact.type === 'GameEnded'
    const weight = title.weight(fact) || (ends ? 'grave' : '')
    const opens = ends || (title.scene?.opens?.has(fact.type) ?? false)
    if (!opens && (title.silent(fact) || (!weight && title.scene?.passed?.has(fact.type)))) return
    const last = this.beats.at(-1)
    if (last && this.open && !opens) tell(last, fact, weight)
    else if (weight || opens) {
      const alone = opened(fact, null)
      tell(alone, fact, weight)
      this.beats.push(alone)
      this.open = true
    }
  }
}

/** The beats of the facts after `since`, which came of one command; those before tell what they go on with. */
export function beatsOf(facts: readonly Told[], since: number, title: Title): Beat[] {
  const run = facts.slice(facts.findLastIndex((fact) => fact.seq <= since) + 1)
  const gone = takenBack(run)
  const bouts = title.scene?.bouts?.(facts, since) ?? []
  const cut = new Cut(title)
  for (const fact of run) {
    if (gone.has(fact.seq) || passedOver(fact)) continue
    const bout = bouts.find(({ from, seq }) => from <= fact.seq && fact.seq <= seq)
    if (bout) cut.drawn(fact, bout.from)
    else cut.take(fact)
  }
  return cut.beats.map((beat) => (beat.told.length > MOST_TOLD ? shortened(beat, title) : beat))
}

/** The table that a beat is shown on: the one before, as far as the title does not say what has come of it by then. `facts`
 * are those of the match up to the beat, `since` is the last before the scene. */
export function groundOf(
  { drawn }: Beat,
  [before, after]: readonly [TableView, TableView],
  facts: readonly Told[],
  since: number,
  title: Title,
): TableView {
  const told = facts.slice(facts.findLastIndex(({ seq }) => seq <= since) + 1)
  return title.scene?.ground?.(before, after, told, drawn) ?? before
}

export type Pace = Tastes['pace']

/** How long a beat is shown that weighs 1; a long scene goes faster when it is quick. */
const BEAT_MS = { off: 0, quick: 700, slow: 2_000 }
const MOST_QUICK_MS = 10_000
/** Dice that fall alone are not looked for: a quick scene of one roll or two lasts so long, or twice its time. */
const LEAST_SCENE_MS = 3_000
const LEAST_QUICK_MS = 250

function lengthOf(beat: Beat): number {
  if (beat.drawn) return 2.5
  return 1 + (beat.told.length ? 0.5 : 0) + (beat.weight === 'grave' ? 0.5 : 0)
}

/** How long each beat of a scene is shown, in ms. */
export function lengths(beats: readonly Beat[], pace: Pace): number[] {
  const each = beats.map((beat) => lengthOf(beat) * BEAT_MS[pace])
  const all = each.reduce((sum, one) => sum + one, 0)
  if (pace !== 'quick') return each
  const slower = beats.some((beat) => beat.roll) ? Math.min(2, Math.max(1, LEAST_SCENE_MS / all)) : 1
  const hold = all > MOST_QUICK_MS ? MOST_QUICK_MS / all : slower
  return each.map((one) => one * hold)
}

/** The beats that are shown: of a quick scene too long to follow, those that weigh least and tell nothing are left out. */
export function chosen(beats: readonly Beat[], pace: Pace): readonly Beat[] {
  const most = MOST_QUICK_MS / LEAST_QUICK_MS
  if (pace !== 'quick' || beats.length <= most) return beats
  const kept = new Set([...beats].sort((one, other) => lengthOf(other) - lengthOf(one)).slice(0, most))
  return beats.filter((beat) => kept.has(beat))
}
