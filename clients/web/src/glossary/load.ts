/** The glossary of a title, loaded when its match or its rulebook is open. */

import { Lexicon, type Term } from './term'

const BOOKS: Record<string, () => Promise<{ TERMS: readonly Term[] }>> = {
  midway: () => import('./midway'),
  coral_sea: () => import('./coral_sea'),
  nimitz: () => import('./nimitz'),
  pacific_war: () => import('./pacific_war'),
}

export { default as Gloss } from './Gloss.svelte'

export async function load(title: string): Promise<Lexicon | null> {
  const book = await BOOKS[title]?.()
  return book ? new Lexicon(title, book.TERMS) : null
}
