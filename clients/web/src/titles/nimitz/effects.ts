/** What plans and orders do, as the rulebook's tables say it. */

import type { Book } from '../../rules/book'
import { plainText } from '../../rules/markdown'

const FAR: Record<string, string> = { JA: 'Japan', AU: 'Australia', HI: 'Hawaii' }

/** Id of a plan or order to what it does. `orders` are those of the title's charts. */
export function effectsOf(book: Book, orders: Record<string, unknown>): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const block of book.blocks) {
    if (block.kind !== 'table') continue
    for (const row of block.rows) {
      const cells = row.cells.map((cell) => plainText({ kind: 'paragraph', spans: cell, anchor: '' }).trim())
      const [id] = cells
      if (!id) continue
      if (id.startsWith('ja.')) found.set(id, cells[1] ?? '')
      else if (id.startsWith('us.')) found.set(id, [cells[2], cells[3]].filter(Boolean).join(': '))
      else if (cells.length > 6 && orders[cells[1] ?? '']) found.set(cells[1]!, spoken(`Resupply ${cells[5]}. Goes to: ${cells[6]}`))
    }
  }
  return found
}

function spoken(words: string): string {
  return words.replace(/dist_to_(JA|AU|HI) one less/g, (_, id: string) => `one link nearer to ${FAR[id]}`)
}
