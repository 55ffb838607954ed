import { describe, expect, it } from 'vitest'
import type { Told } from '../../../protocol/wire'
import { EMPTY, type Location, type Table, type War } from '../shown'
import { commandPoints, history, lineOf, resourcesOf } from './trade'

let seq = 0
const told = (type: string, body: object): Told =>
  ({ seq: ++seq, type, body: JSON.stringify(body), words: '', command: '' }) as unknown as Told

const WAR: War = {
  ends: '1945-09',
  day: 0,
  initiative: 0,
  headquarters: {},
  operations: 0,
  totals: { JP: 0, AL: 0 },
  damage: { JP: 0, AL: 0 },
  places: { JP: 0, AL: 0 },
  msp: 55,
  hrl: 19,
}
const place = (name: string, control: 'JP' | 'AL', more: Partial<Location> = {}): Location => ({
  name,
  hex: name,
  control,
  terrain: 'clear',
  ...more,
})
const TABLE: Table = {
  ...EMPTY,
  scenario: 'S1',
  month: '1942-02',
  locations: {
    hainan: place('Hainan', 'JP'),
    singapore: place('Singapore', 'JP', { resource_damage: 1 }),
    miri: place('Miri', 'AL'),
    truk: place('Truk', 'JP'),
  },
  war: WAR,
}
const FACTS = [
  told('SetUp', { bases: { hainan: { control: 0 }, singapore: { control: 1 }, miri: { control: 1 }, truk: { control: 0 } } }),
  told('MonthsSetUp', { war: { month: '1941-12', msp: 60, hrl: 20 } }),
  told('TotalsAre', { totals: [120, 34] }),
  told('BaseIs', { location: 'singapore', base: { control: 0 }, why: 'captured' }),
  told('MonthIs', { month: '1942-01' }),
  told('HomelandIs', { msp: 57, why: 'after the month’s losses at sea' }),
  told('ShippingFought', { boats: 6, escorts: 4, priority: 'merchants', merchants_lost: 2, escorts_lost: 0, marine: 1, boats_lost: 1 }),
  told('HomelandIs', { hrl: 19, why: 'after a raid' }),
  told('TotalsAre', { totals: [60, 40] }),
  told('MonthIs', { month: '1942-02' }),
]

describe('P9.4 the months of the war', () => {
  it('are told one by one, each as it ended, the last as it stands', () => {
    const months = history(TABLE, FACTS)

    expect(months.map(({ month, msp, hrl, resources, points }) => [month, msp, hrl, resources, points])).toEqual([
      ['1941-12', 60, 20, 2, 120],
      ['1942-01', 57, 19, 2, 60],
      ['1942-02', 55, 19, 1, undefined],
    ])
  })

  it('keep what each of them cost', () => {
    expect(history(TABLE, FACTS).map(({ lost }) => lost)).toEqual([undefined, { submarines: 2, sea: 1, escorts: 0, boats: 1 }, undefined])
  })

  it('know nothing of what was taken back', () => {
    const burnt = told('BaseIs', { location: 'hainan', base: { control: 0, resource_damage: 1 }, why: 'burns' })
    const facts = [...FACTS, burnt, told('Undone', { seat: 0, back_to: burnt.seq - 1 }), told('MonthIs', { month: '1942-03' })]

    expect(history({ ...TABLE, month: '1942-03' }, facts).map(({ resources }) => resources)).toEqual([2, 2, 2, 1])
  })

  it('are none before the war is set up', () => {
    expect(history(TABLE, [])).toEqual([])
  })
})

describe('P10.1 resource hexes', () => {
  it('are those of Japan that are intact, then the others', () => {
    expect(resourcesOf(TABLE).map(({ id, counts, linked }) => [id, counts, linked])).toEqual([
      ['hainan', true, undefined],
      ['miri', false, undefined],
      ['singapore', false, undefined],
    ])
  })

  it('are Linked or not for Japan alone', () => {
    const means = { points: {}, level: 0, links: { hq: ['Hainan'] }, submarines: {}, penalty: {}, transport: {}, steps: {} }
    const own = { side: 'JP' as const, fleets: {}, ships: {}, air: {}, ground: {}, means }

    expect(resourcesOf({ ...TABLE, own }).map(({ linked }) => linked)).toEqual([true, false, false])
    expect(resourcesOf({ ...TABLE, own: { ...own, side: 'AL' } }).map(({ linked }) => linked)).toEqual([undefined, undefined, undefined])
  })

  it('come to Command Points with ships and homeland, no more of them than a quarter of the ships', () => {
    expect(commandPoints(57, 20, 9)).toEqual({ base: 10, ships: 28, resources: 18, hrl: 20, all: 76 })
    expect(commandPoints(17, 0, 15)).toMatchObject({ ships: 8, resources: 8, all: 26 })
  })
})

describe('a line of months', () => {
  it('goes from left to right, from nothing at the foot to the most at the head', () => {
    const line = lineOf(
      [
        { month: '1941-12', value: 60 },
        { month: '1942-01', value: 30 },
        { month: '1942-02', value: 0 },
      ],
      60,
      100,
      40,
    )

    expect(line.d).toBe('M0 0L50 20L100 40')
    expect(line.years).toEqual([{ x: 50, year: '1942' }])
  })

  it('is a point in the middle for one month', () => {
    expect(lineOf([{ month: '1941-12', value: 5 }], 10, 100, 40).dots).toEqual([{ month: '1941-12', value: 5, x: 50, y: 20 }])
  })
})
