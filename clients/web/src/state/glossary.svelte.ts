/** The words of the title at hand, once they are loaded: before that nothing is marked, nor for whoever wants no marks. */

import type { Component } from 'svelte'
import type * as Loaded from '../glossary/load'
import type { Cut, Lexicon, Term } from '../glossary/term'
import { taste } from './tastes.svelte'

type Books = Pick<typeof Loaded, 'Gloss' | 'load'>

export class Glossary {
  words = $state.raw<Lexicon | null>(null)
  /** Shows what a marked word means; it is on every page that marks words. */
  Gloss = $state.raw<Component | null>(null)

  /** The title that was opened last: what comes for another one comes too late. */
  private wanted = ''

  constructor(private readonly fetch: () => Promise<Books> = () => import('../glossary/load')) {}

  async open(title: string): Promise<void> {
    if (this.wanted === title) return
    this.wanted = title
    this.words = null
    // Nobody waits for it, and without it the page is as good but for the glosses.
    const books = await this.fetch().catch(() => null)
    const words = (await books?.load(title).catch(() => null)) ?? null
    if (this.wanted !== title) return
    this.words = words
    if (books && words) this.Gloss = books.Gloss
    else this.wanted = ''
  }

  cut(text: string, seen: Set<string>): Cut[] {
    return (taste.marks && this.words?.cut(text, seen)) || [{ text, term: '' }]
  }

  /** The term to mark where a word stands by itself. */
  term(word: string): Term | undefined {
    return taste.marks ? this.words?.find(word) : undefined
  }

  /** What the words of a card mean, each once: its ratings, however common, and what its sentences use. */
  meanings(ratings: readonly string[], sentences: readonly string[]): Term[] {
    const { words } = this
    if (!words) return []
    const seen = new Set(ratings.flatMap((name) => words.find(name)?.name ?? []))
    for (const sentence of [...ratings, ...sentences]) words.cut(sentence, seen)
    return [...seen].map((name) => words.find(name)!)
  }
}

export const glossary = new Glossary()
