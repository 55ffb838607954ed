/** The rulebook that is open: of several asked for one after the other, the last. */

import { type Book, rules } from './book'

export class Opened {
  book = $state.raw<Book | null>(null)
  problem = $state('')

  private wanted = ''

  constructor(private readonly fetch: (title: string) => Promise<Book> = rules) {}

  async open(title: string): Promise<void> {
    this.wanted = title
    this.book = null
    this.problem = ''
    try {
      const book = await this.fetch(title)
      if (this.wanted === title) this.book = book
    } catch (why) {
      if (this.wanted === title) this.problem = (why as Error).message
    }
  }
}
