import { expect, test, vi } from 'vitest'
import { Lexicon } from '../glossary/term'
import { Glossary } from './glossary.svelte'
import { taste } from './tastes.svelte'

/** A glossary whose books come when a test says so; null: they cannot be had. */
function given(): { glossary: Glossary; comes: (title: string, there?: boolean) => Promise<void> } {
  const waiting = new Map<string, (lexicon: Lexicon | null) => void>()
  const glossary = new Glossary(() =>
    Promise.resolve({
      Gloss: (() => ({})) as never,
      load: (title: string) => new Promise<Lexicon | null>((done) => waiting.set(title, done)),
    }),
  )
  const comes = async (title: string, there = true): Promise<void> => {
    await vi.waitFor(() => expect(waiting.has(title)).toBe(true))
    waiting.get(title)!(there ? new Lexicon(title, [{ name: title, gloss: 'A title.' }]) : null)
    waiting.delete(title)
  }
  return { glossary, comes }
}

test('of two titles that are opened at once the later one counts, whichever comes first', async () => {
  const { glossary, comes } = given()
  const opened = [glossary.open('midway'), glossary.open('nimitz')]
  await comes('nimitz')
  await comes('midway')
  await Promise.all(opened)

  expect(glossary.words?.title).toBe('nimitz')
})

test('who goes back to a title before the next has come has the words of the one he went back to', async () => {
  const { glossary, comes } = given()
  const first = glossary.open('midway')
  await comes('midway')
  await first
  const next = glossary.open('nimitz')
  const back = glossary.open('midway')
  await comes('nimitz')
  await comes('midway')
  await Promise.all([next, back])

  expect(glossary.words?.title).toBe('midway')
})

test('the words of another title are gone as soon as a title is opened, and a book that failed is asked for again', async () => {
  const { glossary, comes } = given()
  const first = glossary.open('midway')
  await comes('midway')
  await first
  const next = glossary.open('nimitz')
  expect(glossary.words).toBeNull()
  await comes('nimitz', false)
  await next
  expect(glossary.words).toBeNull()

  const again = glossary.open('nimitz')
  await comes('nimitz')
  await again

  expect(glossary.words?.title).toBe('nimitz')
})

test('for whoever wants no marks none is made, and a card still says what its words mean', async () => {
  const { glossary, comes } = given()
  const opened = glossary.open('midway')
  await comes('midway')
  await opened
  expect(glossary.cut('At midway', new Set()).map(({ term }) => term)).toEqual(['', 'midway'])
  taste.marks = false

  expect(glossary.cut('At midway', new Set())).toEqual([{ text: 'At midway', term: '' }])
  expect(glossary.term('midway')).toBeUndefined()
  expect(glossary.meanings(['Midway', 'Home'], ['near midway']).map(({ name }) => name)).toEqual(['midway'])
  taste.marks = true
})
