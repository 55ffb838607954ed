/** Entries of the log that say the same of several things, gathered into one line that opens. */

import type { Told } from '../protocol/wire'
import type { Gathered, Title } from '../titles/title'
import { counted } from './count'
import { counts, type Entry, facesOf, hitsOf, plusOf, type Roll } from './log'
import { idsIn } from './sentence'

/** So many entries in a row become one line; two are as short by themselves. */
const LEAST = 3
/** The legs of a way are one thing, even if there are two. */
const LEAST_LEGS = 2
/** So many of its things a line names; who wants the others opens it. */
const NAMED = 4

export interface Line {
  entries: Entry[]
  /** What they come to, with ids in square brackets; '' for an entry that stands alone. */
  words: string
}

/** Cuts entries into lines: those of one kind that follow each other are gathered, and the legs of one way; all others stand
 * alone. What weighs or tells its reasons is never gathered, and dice only with dice of the same side for the same purpose. */
export function lines(entries: readonly Entry[], title: Title | null): Line[] {
  const found: { some: Entry[]; least: number }[] = []
  /** Of what kind the next entry has to be to go on with the line, and that line's first entry if it is a way. */
  let [next, way] = ['', undefined as Entry | undefined]
  for (const entry of entries) {
    const hint = title?.gathers?.(entry.fact) ?? null
    const { leg, along } = hint ?? {}
    const kind = kindOf(entry, title, hint)
    const goesAlong = along && way?.undone === entry.undone
    if (goesAlong || (kind && kind + (leg?.from ?? '') === next)) found.at(-1)!.some.push(entry)
    else found.push({ some: [entry], least: leg ? LEAST_LEGS : LEAST })
    if (goesAlong) continue
    next = kind + (leg?.to ?? '')
    way = leg && kind ? found.at(-1)!.some[0] : undefined
  }
  return found.flatMap(({ some, least }) =>
    some.length < least ? some.map((entry) => ({ entries: [entry], words: '' })) : [{ entries: some, words: wordsOf(some, title) }],
  )
}

/** What entries of one line have in common; '' for an entry that stands alone. */
function kindOf({ fact, roll, undone, retold }: Entry, title: Title | null, hint: Gathered | null): string {
  const struck = undone ? 'taken back' : ''
  if (roll) return [struck, 'dice', roll.by, roll.purpose].join('|')
  if (retold || title?.weight(fact) || title?.why?.(fact)) return ''
  return [struck, fact.type, hint?.what ?? shape(fact), ''].join('|')
}

/** A sentence without what it names and counts: "[] loses # SP to the CAP: # left". */
function shape({ words }: Told): string {
  return words
    .replaceAll(/\[[^\]\s]+\](?:, \[[^\]\s]+\])*/g, '[]')
    .replaceAll(/[+-]?\d+/g, '#')
    .replaceAll(/\b(\w+?)s?\b/g, '$1')
}

function wordsOf(some: readonly Entry[], title: Title | null): string {
  const [first] = some
  if (first!.roll) return summed(some.map((entry) => facesOf(entry.roll!, title)))
  const told = some.map(({ fact }) => ({ fact, hint: title?.gathers?.(fact) ?? null }))
  const { what, leg } = told[0]!.hint ?? {}
  if (!what) return `${first!.fact.words}, and ${some.length - 1} more like it`
  if (leg) {
    const legs = told.flatMap(({ hint }) => hint?.leg ?? [])
    const by = legs.slice(1).map(({ from }) => `[${from}]`)
    return `${someOf(leg.who)} ${leg.goes} from [${leg.from}] to [${legs.at(-1)!.to}]${by.length ? ` by ${someOf(by)}` : ''}`
  }
  const items = told.map(({ fact, hint }) => hint?.item ?? `[${idsIn(fact.words)[0]}]`)
  const all = told.reduce((sum, { hint }) => sum + (hint?.many ?? 1), 0)
  return `${all} ${what}: ${someOf(once(items))}`
}

/** Each thing once, with how often it came: "[Torpedoes] ×2". */
function once(items: readonly string[]): string[] {
  const times = new Map<string, number>()
  for (const item of items) times.set(item, (times.get(item) ?? 0) + 1)
  return [...times].map(([item, count]) => (count > 1 ? `${item} ×${count}` : item))
}

function someOf(items: readonly string[]): string {
  // To name one more is as short as to say that there is one.
  const cut = items.length > NAMED + 1 ? NAMED : items.length
  const more = cut < items.length ? ` and ${items.length - cut} more` : ''
  return `${items.slice(0, cut).join(', ')}${more}`
}

/** Rolls of one purpose: "9 rolls, 4 hits". */
export function summed(rolls: readonly Roll[]): string {
  const dice = rolls.reduce((sum, { dice }) => sum + dice.length, 0)
  const said = `${rolls.length} rolls${dice > rolls.length ? ` of ${dice} dice` : ''}`
  const hits = rolls.map(hitsOf)
  if (hits.every((one) => one !== null)) {
    const all = hits.reduce((sum, one) => sum + one, 0)
    return `${said}, ${counted(all, 'hit')}`
  }
  const good = rolls.flatMap((roll) => roll.dice.filter((face) => counts(face, roll.target, plusOf(roll))))
  return rolls.every(({ target }) => /^\d+\+| or (less|more)\b/.test(target)) ? `${said}, ${good.length} of ${dice} succeed` : said
}
