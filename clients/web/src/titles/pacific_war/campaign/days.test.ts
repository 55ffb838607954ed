import { describe, expect, it } from 'vitest'
import type { Told } from '../../../protocol/wire'
import { EMPTY, type Operation, type Table, type War } from '../shown'
import { spans } from './days'

const WAR: War = {
  ends: '1942-12',
  day: 20,
  initiative: 0,
  headquarters: {},
  operations: 3,
  totals: { JP: 0, AL: 0 },
  damage: { JP: 0, AL: 0 },
  places: { JP: 0, AL: 0 },
}
const table = (more: Partial<War> = {}): Table => ({ ...EMPTY, scenario: 'C1', month: '1942-10', war: { ...WAR, ...more } })
const fact = (type: string, body: object): Told => ({ seq: 1, type, body: JSON.stringify({ type, ...body }), words: '' }) as unknown as Told
const day = (number: number): Told => fact('DayIs', { day: number })
const led = (player: number, begun: boolean, hq = 'hq'): Told => fact('OperationIs', { operation: { player, hq }, begun, why: '' })
const over = fact('OperationIs', { operation: null, why: '' })
const under: Operation = { player: 'AL', hq: 'hq_sopac', bid: 9, planned: 14, days: 4, damage: { JP: 0, AL: 0 } }

describe('P4.1, P20 the Operations of a month', () => {
  it('lie by the days on which they began and ended; what was of the month before is not told', () => {
    const facts = [
      led(0, true),
      day(29),
      over,
      fact('MonthIs', { month: '1942-10' }),
      led(0, true),
      day(3),
      day(7),
      over,
      led(1, true),
      over,
    ]

    expect(spans(table(), facts)).toEqual([
      { number: 2, side: 'JP', hq: 'hq', from: 0, to: 7, now: false, until: 0 },
      { number: 3, side: 'AL', hq: 'hq', from: 7, to: 7, now: false, until: 0 },
    ])
  })

  it('one under way reaches to today, and is planned to end within the month', () => {
    const facts = [fact('MonthIs', { month: '1942-10' }), day(16), led(1, true), day(20)]

    expect(spans(table({ operation: under }), facts)).toEqual([
      { number: 3, side: 'AL', hq: 'hq_sopac', from: 16, to: 20, now: true, until: 30 },
    ])
    expect(spans(table({ operation: { ...under, planned: 6 } }), facts)[0]).toMatchObject({ to: 20, until: 22 })
    expect(spans(table({ operation: { ...under, days: 30 } }), facts)[0], 'overtime').toMatchObject({ until: 20 })
  })

  it('P5.4.2 one that goes on from the month before begins with this one', () => {
    const facts = [led(1, true), day(29), day(1), fact('MonthIs', { month: '1942-10' }), led(1, false), day(3)]

    expect(spans(table({ day: 3, operation: under }), facts)).toMatchObject([{ side: 'AL', from: 0, to: 3, now: true }])
  })

  it('S1.1 the first of the war begins on its seventh day; one that the log here does not tell, today', () => {
    const begins = fact('MonthsSetUp', { war: { month: '1941-12', day: 7 } })

    expect(spans(table({ operations: 1, day: 7, operation: under }), [begins, led(0, true)])).toMatchObject([{ number: 1, from: 7, to: 7 }])
    expect(spans(table({ operation: under }), [])).toMatchObject([{ number: 3, side: 'AL', from: 20, to: 20, now: true }])
    expect(spans({ ...table(), war: undefined }, [])).toEqual([])
  })
})
