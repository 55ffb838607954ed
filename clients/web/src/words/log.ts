/** The log as it is read: facts grouped by turn and step, rolls read into dice, what was taken back struck. */

import { bodyOf } from '../protocol/body'
import type { Rolled } from '../protocol/facts'
import type { Told } from '../protocol/wire'
import type { Chapter, Title } from '../titles/title'
import { counted } from './count'
import type { DeedAfter } from './deeds'
import { takenBack, UNTOLD } from './facts'
import { type Reader, retold, type Retold } from './retold'
import { idsIn, type Known, ruleIn } from './sentence'

export type Roll = Required<Rolled>

export interface Entry {
  fact: Told
  ids: string[]
  rule: string
  roll: Roll | null
  /** Taken back later. */
  undone: boolean
  /** Its sentence. */
  words: string
  /** What the sentence needs more than the fact itself, if it does. */
  retold: Retold | null
}

export interface Section {
  key: string
  /** The fact that it begins with. */
  from: number
  turn: number
  /** As of its chapter. */
  named?: string | undefined
  title: string
  side: number | null
  entries: Entry[]
}

const read = new WeakMap<Told, Entry>()
const NO_DEED: DeedAfter = () => ''
const SET_UP: Chapter = { turn: 0, title: 'Set-up', side: null }

/** A fact read into its entry. Facts do not change, so each is read once, and again if it was taken back; but what is told with
 * others anew each time, for of those more may have come. */
function entry(fact: Told, undone: boolean, facts: readonly Told[], reader: Reader): Entry | null {
  const known = read.get(fact)
  if (known?.undone === undone) return known
  const other = retold(fact, facts, reader)
  if (other === null) return null
  const roll = fact.type === 'Rolled' ? rollOf(fact) : null
  const words = other?.words ?? fact.words
  const made = { fact, ids: idsIn(words), rule: ruleIn(words) || (roll?.rule ?? ''), roll, undone, words, retold: other ?? null }
  if (!other) read.set(fact, made)
  return made
}

export function rollOf(fact: { body: string }): Roll {
  return { target: '', subject: '', modifiers: [], ...bodyOf<Rolled>(fact) }
}

/** A roll with the faces that its dice show, where a title counts them otherwise than they are recorded. */
export function facesOf(roll: Roll, title: Title | null): Roll {
  return title?.face ? { ...roll, dice: roll.dice.map((die) => title.face!(die, roll.sides)) } : roll
}

/** What the modifiers of a roll add. */
export function plusOf({ modifiers }: Pick<Roll, 'modifiers'>): number {
  return modifiers.reduce((sum, one) => sum + one.amount, 0)
}

/** What a roll was for, in words. */
export function purposeOf({ purpose }: Pick<Roll, 'purpose'>, title: Title | null, known: Known): string {
  return title?.purpose?.(purpose) ?? known.names[purpose] ?? purpose
}

/** The same with whom or what it was about, as a sentence with ids. */
export function subjectOf(roll: Roll, title: Title | null, known: Known): string {
  const purpose = purposeOf(roll, title, known)
  return roll.subject ? `${purpose} ([${roll.subject}])` : purpose
}

/** The chapter that begins with a fact: behind what was taken back it is that which stands, if it is of another turn. */
function nextOf(fact: Told, title: Title | null, here: Chapter | null, stands: Chapter | null): Chapter | null {
  if (fact.type !== 'Undone') return title?.chapter(fact, here) ?? null
  return here?.turn === stands?.turn ? null : (stands ?? SET_UP)
}

/** Turns that were taken back keep their headings; within a turn nothing is headed that was. */
function heads({ turn }: Chapter, dead: boolean, stands: Chapter | null): boolean {
  return !dead || turn !== (stands?.turn ?? 0)
}

export function sections(facts: readonly Told[], title: Title | null, deed = NO_DEED): Section[] {
  const gone = takenBack(facts)
  const silent = (fact: Told): boolean => title?.silent(fact) ?? false
  const found: Section[] = []
  let here: Chapter | null = within(facts, title)
  /** That of what was not taken back. */
  let stands = here
  let current: Section = { key: 'start', from: facts[0]?.seq ?? 0, ...(here ?? SET_UP), entries: [] }
  found.push(current)
  for (const fact of facts) {
    if (UNTOLD.has(fact.type)) continue
    const dead = gone.has(fact.seq)
    const next = nextOf(fact, title, here, stands)
    if (next || fact.type === 'Undone') here = next ?? stands
    if (next && !dead) stands = next
    if (next && heads(next, dead, stands)) {
      current = { key: `${fact.seq}`, from: fact.seq, turn: next.turn, named: next.named, title: next.title, side: next.side, entries: [] }
      found.push(current)
    }
    const made = silent(fact) ? null : entry(fact, dead, facts, { silent, deed })
    if (made) current.entries.push(made)
  }
  return found.filter((section, place) => section.entries.length > 0 || (section.title === '' && place > 0))
}

/** The chapter that a log begins in the midst of. */
export function within(facts: readonly Told[], title: Title | null): Chapter | null {
  const seq = facts[0]?.seq ?? 1
  return (seq > 1 && title?.within?.(seq)) || null
}

export interface Turn {
  turn: number
  named?: string | undefined
  sections: Section[]
}

export function turns(found: readonly Section[]): Turn[] {
  const list: Turn[] = []
  for (const section of found) {
    const last = list.at(-1)
    if (last?.turn === section.turn) {
      last.sections.push(section)
      last.named = section.named ?? last.named
    } else list.push({ turn: section.turn, named: section.named, sections: [section] })
  }
  return list
}

/** Whether a target is for the total of a roll, modifiers included: "7 or less holds". */
export function ofTotal(target: string): boolean {
  return /^\d+ or less\b/.test(target) && !countedIn(target)
}

/** Whether a target names the faces that hit, so that what modifiers add is in it: "5 or less hits". */
export function countedIn(target: string): boolean {
  return /^\d+ or less hits\b/.test(target)
}

/** Whether a target is the column of a table after all that modifiers shift it by: "column 3", "no column". */
export function isColumn(target: string): boolean {
  return /^(no )?column\b/.test(target)
}

/** A target that is a table or shares the faces out, so that none of them is better: "1-2 one turn, 3-5 two". */
export function isTable(target: string): boolean {
  return /^\d+(-\d+ | for each\b)/.test(target)
}

/** The hits that came of a roll, where its target is about hits: "4+ hits", "6 is 2 hits", "5 or less hits, 2 or less twice". */
export function hitsOf({ target, dice }: Pick<Roll, 'target' | 'dice'>): number | null {
  const sum = (hits: (face: number) => number): number => dice.reduce((all, face) => all + hits(face), 0)
  const least = /^(\d+)\+? (?:hits|is (one|\d+) (?:more )?hits?)\b/.exec(target)
  if (least) return sum((face) => (face >= Number(least[1]) ? Number(least[2] ?? 1) || 1 : 0))
  const most = /^(\d+) or less hits(?:, (\d+) or less twice)?/.exec(target)
  return most && sum((face) => Number(face <= Number(most[1])) + Number(face <= Number(most[2] ?? 0)))
}

/** Which faces count, where the target says so at its beginning: "4+ hits", "6 is 2 hits", "1 to 4 names …",
 * "3 or less hits", "7 or more".
 * `plus` is what the modifiers add; it matters where the target is for the total. */
export function counts(face: number, target: string, plus = 0): boolean {
  if (isTable(target)) return false
  if (ofTotal(target)) return face + plus <= Number.parseInt(target, 10)
  const most = /^(\d+) or less\b/.exec(target)
  if (most) return face <= Number(most[1])
  const more = /^(\d+) or more\b/.exec(target)
  if (more) return face >= Number(more[1])
  const range = /^(\d+) to (\d+)\b/.exec(target)
  if (range) return face >= Number(range[1]) && face <= Number(range[2])
  const least = /^(\d+)\+/.exec(target)
  if (least) return face >= Number(least[1])
  const either = /^(\d+) or (\d+)\b/.exec(target)
  if (either) return face === Number(either[1]) || face === Number(either[2])
  const exact = /^(\d+)\b/.exec(target)
  return exact !== null && face === Number(exact[1])
}

/** What a roll came to, where its target says so: "3 hits", "1 of 2". */
export function resultOf(roll: Roll, title: Title | null = null): string {
  const { dice, target } = roll
  const said = title?.outcome?.(roll) ?? ''
  if (said) return said
  const all = hitsOf(roll)
  if (all !== null) return counted(all, 'hit')
  // Such a die names something and succeeds at nothing.
  const names = /^\d+ to \d+ names\b/.test(target)
  if (!/^\d/.test(target) || names || isTable(target) || (ofTotal(target) && dice.length === 1)) return ''
  return `${dice.filter((face) => counts(face, target, plusOf(roll))).length} of ${dice.length}`
}
