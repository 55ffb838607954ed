/** Each title's rulebook as its players read it: their words only, and every rule that play cites. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { read } from './book'
import { type Figures, read as filmsIn } from './figures'
import { plainText, spansOf } from './markdown'
import { forPlayers } from './player'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..')

/** `bare`: the title's code cites rules without the letter, too. `unplayed`: no scenario comes to these, and players read nothing
 * of them. */
const TITLES: { name: string; letter: string; bare?: boolean; unplayed?: string[] }[] = [
  { name: 'midway', letter: 'M' },
  { name: 'coral_sea', letter: 'C' },
  { name: 'nimitz', letter: 'N' },
  { name: 'pacific_war', letter: 'P', bare: true, unplayed: ['P28.14'] },
]

/** What only authors and engines speak of. */
const MACHINE = [
  /\b[A-Z]{2,}_[A-Z_]+/,
  /\b[a-z]+_[a-z_]+\b/,
  /\b[A-Z][A-Z_]+\(\w/,
  /\w+\(\w+, /,
  /\bJSON\b/,
  /\bengines?\b/i,
  /\bfields?\b/,
  /\bdata file\b/i,
  /\bthe data\b/i,
  /\bthe server\b/i,
  /\bthe (?:code|kernel|client)\b/i,
  /<!--|-->/,
  /\b19\d\d-(?:0\d|1[0-2])\b/,
]

// Before the tests, for what they draw with is compiled then: beside other work that takes longer than a test may.
const LISTS = import.meta.glob<{ figures: Figures }>('../titles/*/figures.ts', { eager: true })

const source = (name: string): string => readFileSync(join(ROOT, 'docs', 'rules', `${name.replaceAll('_', '-')}.md`), 'utf8')

/** What a title's code cites when it speaks to players: in quotes, or in a sentence in brackets. */
function cited(name: string, letter: string, bare: boolean): string[] {
  const texts = [join(ROOT, 'domain', name), join(import.meta.dirname, '..', 'titles', name)].flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => /\.(py|ts|svelte)$/.test(file) && !file.includes('.test.'))
      .map((file) => readFileSync(join(folder, file), 'utf8')),
  )
  const number = String.raw`\d+(?:\.\d+)*(?:\.[A-Z])?`
  const said = new RegExp(`["'(](${letter}${number})["')]`, 'g')
  const asked = new RegExp(`(?:@step|@ask)\\("(${number})"`, 'g')
  const found = (pattern: RegExp): string[] => texts.flatMap((text) => [...text.matchAll(pattern)].map((one) => one[1]!))
  return [...new Set([...found(said), ...(bare ? found(asked).map((one) => letter + one) : [])])]
}

describe.each(TITLES)('the rulebook of $name', ({ name, letter, bare = false, unplayed = [] }) => {
  const text = source(name)
  const book = read(text)

  it('finds every rule that begins with its number', () => {
    const numbers = [...forPlayers(text).matchAll(/^(?:- )?\*\*([A-Z]\d+(?:\.\d+)+(?:\.[A-Z])?)\b/gm)].map((found) => found[1]!)

    expect(numbers.length).toBeGreaterThan(90)
    expect(numbers.filter((number) => !book.find(number))).toEqual([])
  })

  it('has a text for every rule that is cited in play', () => {
    const numbers = cited(name, letter, bare).filter((number) => !unplayed.includes(number))
    const silent = numbers.filter((number) => {
      const [first, ...others] = book.find(number)?.blocks ?? []
      return !first || (!others.length && plainText(first).split(' ').length < 4)
    })

    expect(numbers.length).toBeGreaterThan(40)
    expect(silent).toEqual([])
  })

  it('encloses what is for engines in pairs of marks', () => {
    const marks = [...text.matchAll(/<!-- (\/?)engine -->/g)].map((found) => found[1])

    expect(marks.filter((mark, place) => mark !== (place % 2 ? '/' : ''))).toEqual([])
    expect(marks.length % 2).toBe(0)
  })

  it('speaks to players', () => {
    const lines = book.blocks.map(plainText)

    const code = book.blocks.flatMap((block) =>
      block.kind === 'code'
        ? [block.text]
        : spansOf(block).flatMap((spans) => spans.filter(({ kind }) => kind === 'code').map((span) => span.text)),
    )

    expect(code).toEqual([])
    expect(MACHINE.flatMap((wrong) => lines.filter((line) => wrong.test(line)).map((line) => `${wrong}: ${line}`))).toEqual([])
  })

  it('names the figures that the title lists, and no others', async () => {
    const named = (...kinds: string[]): string[] =>
      book.blocks.flatMap((block) => ('name' in block && kinds.includes(block.kind) ? [block.name] : []))
    const { figures } = LISTS[`../titles/${name}/figures.ts`]!
    const films = filmsIn((await figures.films()).default)

    expect(named('picture', 'board').toSorted()).toEqual(Object.keys(figures.pictures).toSorted())
    expect(named('example').toSorted()).toEqual(Object.keys(figures.examples).toSorted())
    expect(Object.keys(figures.examples).filter((one) => !films.get(one)?.facts.length)).toEqual([])
    expect(Object.values(figures.pictures).filter(({ film, at = 1 }) => at > (films.get(film)?.length ?? 0))).toEqual([])
  })
})
