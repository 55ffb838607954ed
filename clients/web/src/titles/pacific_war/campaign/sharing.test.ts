import { describe, expect, it } from 'vitest'
import type { Choice } from '../../title'
import type { Decision } from '../shown'
import type { Post } from './figures'
import { allotting, besides, bidding, poolable, proposed, purses, sum, withGiven } from './sharing'

describe('what is put together before it is sent', () => {
  const post = (id: string, points: number, most: number): Post => ({
    id,
    name: id,
    side: 'AL',
    radius: 15,
    op_cost: 4,
    most,
    points,
    full: 0,
    linked: 0,
    leads: false,
  })
  const all = [post('hq_sopac', 50, 60), post('hq_swpa', 0, 90), post('hq_cbi', 0, 40)]
  const of = (decision: Decision): Choice => ({ decision, key: '', label: '', path: [], leaves: false })
  const give = (purse: string, hq: string): Choice => of({ type: 'allocate_cp', purse, hq })

  it('is shared among the headquarters that are offered, each with the room it has (P10.3)', () => {
    const rooms = (choices: Choice[]): unknown => purses(choices, all).map(({ id, hqs }) => [id, ...hqs.map((hq) => [hq.id, hq.room])])

    expect(rooms([give('AL', 'hq_sopac'), give('AL', 'hq_swpa'), of({ type: 'done' })])).toEqual([
      ['AL', ['hq_sopac', 10], ['hq_swpa', 90]],
    ])
    expect(rooms([give('US', 'hq_sopac'), give('US', 'hq_swpa'), give('CW', 'hq_swpa')])).toEqual([
      ['US', ['hq_sopac', 10], ['hq_swpa', 90]],
      ['CW', ['hq_swpa', 90]],
    ])
    expect(besides({ US: { hq_swpa: 7 }, CW: { hq_swpa: 2 } }, 'CW', 'hq_swpa'), 'what others give takes of its room').toBe(7)
  })

  it('gives no more than is left, nor than there is room for', () => {
    const now = { hq_sopac: 20, hq_swpa: 30 }

    expect(withGiven(now, 'hq_sopac', 40, 90, 58)).toEqual({ hq_sopac: 28, hq_swpa: 30 })
    expect(withGiven(now, 'hq_sopac', 40, 10, 58)).toEqual({ hq_sopac: 10, hq_swpa: 30 })
    expect(sum(now)).toBe(50)
  })

  it('reads what the house proposes', () => {
    const named = { one: 'South Pacific Area', other: 'Southwest Pacific Area', third: 'Pacific Area' }

    expect(proposed('As proposed: Southwest Pacific Area 33, South Pacific Area 13', named)).toEqual({ one: 13, other: 33, third: 0 })
    expect(proposed('As proposed', named)).toEqual({ one: 0, other: 0, third: 0 })

    const label = 'As proposed: American Pacific Area 20, American India Command 2, Commonwealth India Command 12'
    expect(proposed(label, { hq_cbi: 'American India Command', hq_po: 'American Pacific Area' }), 'of one purse').toEqual({
      hq_cbi: 2,
      hq_po: 20,
    })
    expect(proposed(label, { hq_cbi: 'Commonwealth India Command' })).toEqual({ hq_cbi: 12 })
  })

  it('may go into the pool of a later Operation, before anything else (P10.4)', () => {
    const into = (n: number): Choice => of({ type: 'allocate_fop', n })

    expect([poolable([into(1), into(2), of({ type: 'done' })]), poolable([of({ type: 'done' })])]).toEqual([2, 0])
    expect(allotting({ JP: { hq_ghq: 5 } }, 2).map(({ type }) => type)).toEqual(['allocate_fop', 'allocate_cp', 'command_points', 'done'])
  })

  it('is one command, which ends the step', () => {
    expect(allotting({ AL: { hq_sopac: 0, hq_swpa: 12 } })).toEqual([
      { type: 'allocate_cp', purse: 'AL', hq: 'hq_swpa' },
      { type: 'command_points', points: 12 },
      { type: 'done' },
    ])
    expect(bidding('hq_cf', 7, false).map(({ type }) => type)).toEqual(['bid_from', 'bid'])
    expect(bidding('hq_cf', 7, true)).toEqual([{ type: 'bid', amount: 7 }])
  })
})
