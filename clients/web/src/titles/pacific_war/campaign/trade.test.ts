import { describe, expect, it } from 'vitest'
import type { Chapter, Told } from '../../../protocol/wire'
import { monthOf } from '../../../words/months'
import { EMPTY, type Location, type Table, type War } from '../shown'
import { chapter } from './story/samples'
import { commandPoints, history, lineOf, newsIn, resourcesOf } from './trade'

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
const month = (number: number, named: string, more: Partial<Chapter> = {}): Chapter =>
  chapter(number, { kind: 'month', named, when: named, ...more })
const CHAPTERS = [
  month(1, 'December 1941', { figures: { msp: 60, hrl: 20, resources: 1 }, counts: { command: [120, 34] } }),
  chapter(2, { figures: { operations: 1, msp: 60, hrl: 20, resources: 2 } }),
  month(3, 'January 1942', {
    figures: { operations: 1, msp: 57, hrl: 20, resources: 2, merchants: 3, marine: 1, escorts: 0, boats: 1 },
    counts: { command: [60, 40] },
  }),
  chapter(4, { figures: { operations: 2, hrl: 19 } }),
  month(5, 'February 1942', { figures: { operations: 2, msp: 57, hrl: 19, resources: 2 }, upto: 520 }),
]

describe('P9.4 the months of the war', () => {
  it('are told one by one, each as it ended, the last as it stands', () => {
    const months = history(TABLE, CHAPTERS, 520)

    expect(months.map((one) => [one.month, one.msp, one.hrl, one.resources, one.points])).toEqual([
      ['1941-12', 60, 20, 2, 120],
      ['1942-01', 57, 19, 2, 60],
      ['1942-02', 55, 19, 1, undefined],
    ])
  })

  it('keep what each of them cost', () => {
    const lost = { submarines: 2, sea: 1, escorts: 0, boats: 1 }

    expect(history(TABLE, CHAPTERS, 520).map((one) => one.lost)).toEqual([undefined, lost, undefined])
  })

  it('are those up to the moment, with nothing that the month under way comes to later', () => {
    const months = history({ ...TABLE, month: '1942-01' }, CHAPTERS, 330)

    expect(months.map((one) => [one.month, one.msp, one.points, one.lost])).toEqual([
      ['1941-12', 60, 120, undefined],
      ['1942-01', 55, undefined, undefined],
    ])
  })

  it('are none before the war is set up', () => {
    expect(history(TABLE, CHAPTERS, 99)).toEqual([])
    expect(history(TABLE, [], 99)).toEqual([])
  })

  it('are asked for again after the last fact that they tell of', () => {
    const facts = ['MonthIs', 'TotalsAre', 'DayIs'].map((type, place) => ({ type, seq: place + 7 })) as Told[]

    expect([newsIn(facts), newsIn([])]).toEqual([8, 0])
  })

  it('are called as their chapters are', () => {
    expect(['December 1941', 'August 1942, day 4'].map(monthOf)).toEqual(['1941-12', '1942-08'])
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
