/** The glossary of a title, loaded when its match or its rulebook is open. */

import { Lexicon, type Term } from './term'

const BOOKS: Record<string, () => Promise<{ TERMS: readonly Term[] }>> = {
  midway: () => import('./midway'),
  coral_sea: () => import('./coral_sea'),
  nimitz: () => import('./nimitz'),
}

export { default as Gloss } from './Gloss.svelte'

export async function load(title: string): Promise<Lexicon | null> {
  const book = await BOOKS[title]?.()
  return book ? new Lexicon(title, book.TERMS) : null
}

/** Marks the terms in text that stands still, as a rule's does. What is a link or a button already stays as it is. */
export function mark(inside: HTMLElement, lexicon: Lexicon): void {
  const seen = new Set<string>()
  const walker = document.createTreeWalker(inside, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  for (const text of texts) {
    if (text.parentElement?.closest('a, button, code, h1, h2, h3, [data-term]')) continue
    const cuts = lexicon.cut(text.data, seen)
    if (!cuts.some(({ term }) => term)) continue
    text.replaceWith(...cuts.map(({ text: piece, term }) => (term ? marked(piece, term) : piece)))
  }
}

function marked(text: string, term: string): HTMLElement {
  const element = document.createElement('span')
  element.className = 'term'
  element.role = 'term'
  element.tabIndex = 0
  element.dataset.term = term
  element.textContent = text
  return element
}
