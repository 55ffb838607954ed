/** What plans and orders do, as the rulebook's tables say it. */

import { type Book, rules } from '../../rules/book'
import { plainText, type Span } from '../../rules/markdown'
import type { Charts } from './shown'

type Printed = Pick<Charts, 'orders' | 'us_plans' | 'ja_plans'>

/** The plans that a table is about, by the head of its first column. */
const PLANS: Record<string, 'us_plans' | 'ja_plans'> = { 'US plan': 'us_plans', 'Japanese plan': 'ja_plans' }

const textOf = (spans: Span[]): string => plainText({ kind: 'paragraph', spans, anchor: '' }).trim()

/** Id of a plan or order to what it does. The book calls them by their names, in a table for each side's plans. */
export function effectsOf(book: Book, charts: Printed): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const block of book.blocks) {
    if (block.kind !== 'table') continue
    const heads = block.head.map(textOf)
    const plans = PLANS[heads[0] ?? '']
    for (const row of block.rows) {
      const [name, next = '', ...rest] = row.cells.map(textOf)
      const plan = plans && Object.values(charts[plans]).find((one) => one.name === name)
      if (plan) found.set(plan.id, rest.join(': '))
      else if (heads[1] === 'order' && charts.orders[next]) found.set(next, `Resupply ${rest[3]}. Goes to: ${rest[4]}`)
    }
  }
  return found
}

export async function effectsIn(charts: Printed): Promise<ReadonlyMap<string, string>> {
  return effectsOf(await rules('nimitz'), charts)
}
