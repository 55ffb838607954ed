import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TERMS as CORAL_SEA } from './coral_sea'
import { HOUSE } from './house'
import { TERMS as MIDWAY } from './midway'
import { TERMS as NIMITZ } from './nimitz'
import { TERMS as PACIFIC_WAR } from './pacific_war'
import { Lexicon, type Term } from './term'

const SOURCES = import.meta.glob<string>(['../{parts,pages,words,state,titles}/**/*.{ts,svelte}', '!../**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
})
const BOOKS = [
  ['midway', MIDWAY],
  ['coral_sea', CORAL_SEA],
  ['nimitz', NIMITZ],
  ['pacific_war', PACIFIC_WAR],
] as const

const rulebook = (title: string): string =>
  readFileSync(join(import.meta.dirname, '../../../../docs/rules', `${title.replace('_', '-')}.md`), 'utf8')
/** The sentences of a title's facts and prompts, with the code about them. */
const told = (title: string): string => {
  const folder = join(import.meta.dirname, '../../../../domain', title)
  return readdirSync(folder)
    .filter((name) => name.endsWith('.py'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
}
const page = (fits: (path: string) => boolean): string =>
  Object.entries(SOURCES)
    .filter(([path]) => fits(path))
    .map(([, text]) => text)
    .join('\n')
const occurs = (form: string, text: string): boolean =>
  new RegExp(String.raw`(?<![\w-])${form.replaceAll(/[.()]/g, String.raw`\$&`)}s?(?![\w-])`, 'i').test(text)
const own = (terms: readonly Term[]): Term[] => terms.filter((term) => !HOUSE.includes(term))

describe.each(BOOKS)('the glossary of %s', (title, terms) => {
  const rules = rulebook(title)

  it('names rules that exist', () => {
    const numbers = own(terms).map(({ name, rule }) => [name, rule ?? 'none'] as const)
    const missing = numbers.filter(([, rule]) => !new RegExp(String.raw`(\*\*|## )${rule.replace('.', String.raw`\.`)}\b`).test(rules))

    expect(missing).toEqual([])
  })

  it('says each in a sentence or two', () => {
    expect(terms.filter(({ gloss }) => gloss.length > 200 || !gloss.endsWith('.')).map(({ name }) => name)).toEqual([])
  })

  it('has no word that its title does not use', () => {
    const text = `${rules}\n${told(title)}\n${page((path) => path.includes(`/titles/${title}/`))}`

    expect(
      own(terms)
        .flatMap(({ name, forms = [] }) => [name, ...forms])
        .filter((form) => !occurs(form, text)),
    ).toEqual([])
  })

  it('has one meaning a word', () => {
    const forms = terms.flatMap(({ name, forms: others = [] }) => [name, ...others]).map((form) => form.toLowerCase())

    expect(forms.filter((form, place) => forms.indexOf(form) !== place)).toEqual([])
  })
})

describe('the words of the house', () => {
  it('are used on the page', () => {
    const text = page((path) => !path.includes('/titles/'))

    expect(HOUSE.map(({ name }) => name).filter((name) => !occurs(name, text))).toEqual([])
  })
})

describe('a sentence', () => {
  const lexicon = new Lexicon('midway', MIDWAY)
  const marks = (text: string): string[] =>
    lexicon
      .cut(text, new Set())
      .filter(({ term }) => term)
      .map(({ text: piece, term }) => `${piece}=${term}`)

  it('is cut at its terms, each once in a line, the longest first', () => {
    expect(marks('The CAP meets escorts in Ready to Attack; the CAP is Ready')).toEqual([
      'CAP=combat air patrol',
      'escorts=escort',
      'Ready to Attack=Ready to Attack',
    ])
  })

  it('is whole again when put together', () => {
    const text = 'KAG-F1 loses 1 SP to anti-aircraft fire: 2 left'

    expect(
      lexicon
        .cut(text, new Set())
        .map((one) => one.text)
        .join(''),
    ).toBe(text)
  })

  it('does not take a part of a word, or letters that are no short form, for a term', () => {
    expect(marks('a cap, a spotter, AAA, the captain and the decking')).toEqual([])
  })
})
