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
const shown = (facts: readonly Told[], war: Partial<War> = {}, phase = '5.1.P') =>
  openedBids({ phase, war: { ...WAR, ...war }, points: undefined }, facts)

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
  })

  describe('and both are empty', () => {
    const nothing = fact(7, 'BidsOpened', { hqs: ['', ''], amounts: [0, 0] })
    const month = [nothing, fact(8, 'DayIs', { day: 0 }), fact(9, 'MonthIs', { month: '1942-09' })]
    const allotted = fact(10, 'MeansAre', { side: 1, points: { hq_sopac: 40 }, why: 'allocated' })

    it('say so, until the points of the next month are allotted', () => {
      const seen = {
        seq: 7,
        bids: { JP: { hq: '', amount: 0 }, AL: { hq: '', amount: 0 } },
        leads: '',
        why: 'and the month ends',
      }

      expect(shown(month, { operation: undefined }, '5.1.G')).toEqual(seen)
      expect(shown(month, { operation: undefined }, '5.1.C')).toEqual(seen)
      expect(
        shown([...month, fact(10, 'MeansAre', { side: 1, level: 2, why: 'for this month' })], { operation: undefined }, '5.1.G'),
      ).toEqual(seen)
      expect(shown([...month, allotted], { operation: undefined }, '5.1.G')).toBeNull()
      expect(shown(month, { operation: undefined }, '5.1.H')).toBeNull()
    })

    it('are put away before both bid in the next month, for who is not told how points are allotted', () => {
      expect(shown(month, { operation: undefined }, '5.1.O')).toBeNull()
      expect(shown([nothing], { operation: undefined }, '5.1.O')?.why).toBe('and the month ends')
    })

    it('are put away with the end of the campaign, and when an Operation is led all the same', () => {
      const points = { JP: 20, AL: 10 }

      expect(openedBids({ phase: '5.1.O', war: { ...WAR, operation: undefined }, points }, [nothing])).toBeNull()
      expect(shown([nothing, fact(8, 'OperationIs', { operation: OPERATION, begun: true })])).toBeNull()
    })
  })

  it('are of this Operation: one without bids has none (C1.2)', () => {
    expect(shown([begun])).toBeNull()
    expect(shown([bids(13, 17), fact(9, 'MonthIs'), begun])).toBeNull()
  })
})
