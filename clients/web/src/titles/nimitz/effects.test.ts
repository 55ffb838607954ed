import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { read } from '../../rules/book'
import { effectsOf } from './effects'
import type { OrderRow, Plan } from './shown'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..', '..')
const book = read(readFileSync(join(ROOT, 'docs', 'rules', 'nimitz.md'), 'utf8'))
const data = JSON.parse(readFileSync(join(ROOT, 'domain', 'nimitz', 'data', 'nimitz.json'), 'utf8')) as {
  battle_plans: { US: Plan[]; JA: Plan[] }
  order_table: OrderRow[]
}
const byId = <T extends { id: string }>(list: T[]): Record<string, T> => Object.fromEntries(list.map((one) => [one.id, one]))

describe('what plans and orders do', () => {
  const charts = { us_plans: byId(data.battle_plans.US), ja_plans: byId(data.battle_plans.JA), orders: byId(data.order_table) }
  const effects = effectsOf(book, charts)

  it('is found in the book for every plan of both sides and every order', () => {
    expect([...effects.keys()].sort()).toEqual(Object.values(charts).flatMap(Object.keys).sort())
    expect([...effects].filter(([, words]) => words.split(' ').length < 4)).toEqual([])
  })

  it('tells plans of one name apart by their side', () => {
    expect(effects.get('us.damage_control')).toBe('any hit on a US force or airfield: the hit is cancelled')
    expect(effects.get('ja.damage_control')).toContain('on a Japanese force')
  })

  it('says of an order what it adds to the counter and where it leads', () => {
    expect(effects.get('REFIT')).toBe('Resupply +2. Goes to: Japan; not from Japan')
  })
})
