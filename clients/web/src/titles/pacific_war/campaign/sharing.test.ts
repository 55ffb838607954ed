import { describe, expect, it } from 'vitest'
import type { Choice } from '../../title'
import type { Decision } from '../shown'
import type { Post } from './figures'
import { allotting, bidding, proposed, shares, sum, withGiven } from './sharing'

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
    const { purse, hqs } = shares([give('AL', 'hq_sopac'), give('AL', 'hq_swpa'), of({ type: 'done' })], all)

    expect([purse, hqs.map(({ id, room }) => [id, room])]).toEqual([
      'AL',
      [
        ['hq_sopac', 10],
        ['hq_swpa', 90],
      ],
    ])
    expect(shares([give('US', 'hq_sopac'), give('CW', 'hq_swpa')], all).hqs).toEqual([])
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
  })

  it('is one command, which ends the step', () => {
    expect(allotting('AL', { hq_sopac: 0, hq_swpa: 12 })).toEqual([
      { type: 'allocate_cp', purse: 'AL', hq: 'hq_swpa' },
      { type: 'command_points', points: 12 },
      { type: 'done' },
    ])
    expect(bidding('hq_cf', 7, false).map(({ type }) => type)).toEqual(['bid_from', 'bid'])
    expect(bidding('hq_cf', 7, true)).toEqual([{ type: 'bid', amount: 7 }])
  })
})
