/** The words of the title at hand, once they are loaded: before that nothing is marked. */

import type { Component } from 'svelte'
import type { Cut, Lexicon } from '../glossary/term'

class Glossary {
  words = $state.raw<Lexicon | null>(null)
  /** Shows what a marked word means; it is on every page that marks words. */
  Gloss = $state.raw<Component | null>(null)

  async open(title: string): Promise<void> {
    if (this.words?.title === title) return
    // Nobody waits for it, and without it the page is as good but for the glosses.
    const book = await import('../glossary/load').catch(() => null)
    this.words = (await book?.load(title).catch(() => null)) ?? null
    const { words } = this
    if (!book || !words) return
    this.Gloss = book.Gloss
    this.mark = (inside) => book.mark(inside, words)
  }

  /** Marks the terms in text that stands still. */
  mark: (inside: HTMLElement) => void = () => undefined

  cut(text: string, seen: Set<string>): Cut[] {
    return this.words?.cut(text, seen) ?? [{ text, term: '' }]
  }
}

export const glossary = new Glossary()
