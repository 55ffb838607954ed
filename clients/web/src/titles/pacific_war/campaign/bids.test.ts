import { describe, expect, it } from 'vitest'
import type { Told } from '../../../protocol/wire'
import type { Operation, War } from '../shown'
import { openedBids } from './bids'

const OPERATION: Operation = { player: 'AL', hq: 'hq_sopac', bid: 17, planned: 14, damage: { JP: 0, AL: 0 } }
const WAR: War = {
  ends: '1942-12',
  day: 5,
  initiative: 0,
  headquarters: {},
  operation: OPERATION,
  operations: 2,
  totals: { JP: 0, AL: 0 },
  damage: { JP: 0, AL: 0 },
  places: { JP: 0, AL: 0 },
}
const fact = (seq: number, type: string, body: object = {}): Told =>
  ({ seq, type, body: JSON.stringify({ type, ...body }), words: '' }) as unknown as Told
const bids = (...amounts: [number, number]): Told => fact(7, 'BidsOpened', { hqs: ['hq_sea', 'hq_sopac'], amounts })
const begun = fact(8, 'OperationIs', { operation: OPERATION, begun: true })
const shown = (facts: readonly Told[], war: Partial<War> = {}, phase = '5.1.P') => openedBids({ phase, war: { ...WAR, ...war } }, facts)

describe('P18.2 bids that are opened', () => {
  it('say what both have bid, from where, and who leads', () => {
    expect(shown([bids(13, 17), begun])).toEqual({
      seq: 7,
      bids: { JP: { hq: 'hq_sea', amount: 13 }, AL: { hq: 'hq_sopac', amount: 17 } },
      leads: 'AL',
      why: 'by the higher bid',
    })
  })

  it('go by the Initiative where they are even, else by dice', () => {
    expect(shown([bids(9, 9)], { initiative: -1 })?.why).toBe('by the Initiative, as both bid as much')
    expect(shown([bids(9, 9)])?.why).toBe('by dice, as both bid as much')
  })

  it('are put away once units are activated, in another phase, and with the Operation', () => {
    expect(shown([bids(13, 17), begun, fact(9, 'OwnUnits')])).toBeNull()
    expect(shown([bids(13, 17), begun], { operation: { ...OPERATION, level: 1 } })).toBeNull()
    expect(shown([bids(13, 17), begun], {}, '5.1.R')).toBeNull()
    expect(shown([bids(13, 17), begun, fact(9, 'OperationIs', { operation: null })])).toBeNull()
    expect(shown([bids(0, 0)], { operation: undefined })).toBeNull()
  })

  it('are of this Operation: one without bids has none (C1.2)', () => {
    expect(shown([begun])).toBeNull()
    expect(shown([bids(13, 17), fact(9, 'MonthIs'), begun])).toBeNull()
  })
})
