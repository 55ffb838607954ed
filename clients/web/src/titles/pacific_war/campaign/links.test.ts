import { describe, expect, it } from 'vitest'
import { distance } from '../map/hexes'
import { EMPTY, type Location, type Means, type Table, type War } from '../shown'
import { cutOff, drawn, isolated, legsOf, linkedWords, routesTo, type Staff, staffs, wordsOf } from './links'

const WAR: War = {
  ends: '1942-12',
  day: 0,
  initiative: 0,
  headquarters: {
    hq_cf: { name: 'Combined Fleet', side: 'JP', site: 'truk', radius: 3, op_cost: 4, most: 60 },
    hq_sea: { name: 'Southeast Area', side: 'JP', site: 'rabaul', radius: 3, op_cost: 3, most: 40 },
    hq_sopac: { name: 'South Pacific Area', side: 'AL', site: 'noumea', radius: 15, op_cost: 4, most: 60 },
    hq_off: { name: 'Burma Area Army', side: 'JP', returns: '1943-01', radius: 10, op_cost: 3, most: 40 },
  },
  operations: 0,
  totals: { JP: 0, AL: 0 },
  damage: { JP: 0, AL: 0 },
  places: { JP: 0, AL: 0 },
}
const place = (name: string, hex: string, more: Partial<Location> = {}): Location => ({
  name,
  hex,
  control: 'JP',
  terrain: 'atoll',
  ...more,
})
const MEANS: Means = {
  points: {},
  level: 0,
  links: { hq_cf: ['4010', '4012', '4018', '4030'], hq_sea: ['4018', '4020'] },
  submarines: {},
  penalty: {},
  transport: {},
  steps: {},
}
const TABLE: Table = {
  ...EMPTY,
  scenario: 'C1',
  locations: {
    truk: place('Truk', '4010'),
    base: place('Kavieng', '4012', { osb: true }),
    buka: place('Buka', '4018'),
    rabaul: place('Rabaul', '4020'),
    lae: place('Lae', '4040'),
    noumea: place('Noumea', '4030', { control: 'AL' }),
  },
  war: WAR,
  own: {
    side: 'JP',
    fleets: {},
    ships: { cruiser: { port: 'lae', isolated: true }, sunk: { port: 'lae', isolated: true } },
    air: { fighters: { home: 'lae', steps: 2, level: 1 } },
    ground: { troops: { hex: '4041', steps: 3, isolated: true } },
    means: MEANS,
  },
  lost: { sunk: 'sunk' },
}
const all = staffs(TABLE, {})
const [cf, sea] = all as [Staff, Staff]

describe('P11.6 a link', () => {
  it('runs straight as far as the radius, and from there over an Offensive Support Base that is Linked itself', () => {
    expect([distance('4010', '4012'), distance('4010', '4018'), distance('4012', '4018')]).toEqual([2, 8, 6])
    const found = routesTo(['4010', '4012', '4018'], ['4010'], 3, new Set(['4012']))

    expect([...found]).toEqual([
      ['4012', ['4010', '4012']],
      ['4018', ['4010', '4012', '4018']],
    ])
  })

  it('is drawn straight where no base explains it: what was told holds', () => {
    expect(routesTo(['4018'], ['4010'], 3, new Set()).get('4018')).toEqual(['4010', '4018'])
    expect(routesTo(['4018'], [], 3, new Set())).toEqual(new Map())
  })

  it('begins at the port of entry of a box, from which it reaches less far', () => {
    const headquarters = { hq_us: { name: 'Pacific Ocean Areas', side: 'AL' as const, site: 'uswc', radius: 10, op_cost: 4, most: 60 } }
    const locations = {
      pearl_harbor: place('Pearl Harbor', '8022', { control: 'AL' }),
      dutch_harbor: place('Dutch Harbor', '6910'),
      far: place('Palmyra', '8029', { control: 'AL' }),
      near: place('Midway', '8027', { control: 'AL', osb: true }),
    }
    const own = { ...TABLE.own!, side: 'AL' as const, means: { ...MEANS, links: { hq_us: ['8022', '8027', '8029'] } } }
    const [one] = staffs({ ...TABLE, locations, own, war: { ...WAR, headquarters } }, {})

    expect(one!.starts).toEqual(['8022'])
    expect(Object.fromEntries(one!.routes)).toEqual({ '8027': ['8022', '8027'], '8029': ['8022', '8027', '8029'] })
  })

  it('is shown of own headquarters on the map, to what is one’s own', () => {
    expect(all.map(({ number, name, starts }) => [number, name, starts])).toEqual([
      [1, 'Combined Fleet', ['4010']],
      [2, 'Southeast Area', ['4020']],
    ])
    expect([...cf.routes.keys()]).toEqual(['4012', '4018'])
  })

  it('is nobody’s who only looks on', () => {
    const looking = { ...TABLE, own: undefined }

    expect([staffs(looking, {}), cutOff(looking), isolated(looking)]).toEqual([[], [], new Map()])
  })
})

describe('the lines of links', () => {
  it('lead to each hex from the nearest headquarters, or all of one', () => {
    const lines = (only: string): string[] => drawn(all, only).map(({ staff, way }) => `${staff.number}: ${way.join(' ')}`)

    expect(lines('')).toEqual(['1: 4010 4012', '2: 4020 4018'])
    expect(lines('hq_cf')).toEqual(['1: 4010 4012', '1: 4010 4012 4018'])
  })

  it('have each leg once, the one to a base told apart', () => {
    const legs = legsOf(drawn(all, 'hq_cf'))

    expect(legs.map(({ from, to, base }) => [from, to, base])).toEqual([
      ['4010', '4012', true],
      ['4012', '4018', false],
    ])
  })

  it('say in words to which headquarters, and through which bases', () => {
    expect(wordsOf(TABLE, all, '4018')).toBe('Combined Fleet through Kavieng; Southeast Area')
    expect(wordsOf(TABLE, all, '4020')).toBe('Southeast Area, which is here')
    expect(wordsOf(TABLE, all, '4040')).toBe('')
    expect(linkedWords(TABLE, [sea])).toEqual([
      { id: 'buka', name: 'Buka', words: 'Southeast Area' },
      { id: 'rabaul', name: 'Rabaul', words: 'Southeast Area, which is here' },
    ])
  })
})

describe('P12 what is cut off', () => {
  it('are own places without any link, once links were told', () => {
    expect(cutOff(TABLE)).toEqual(['lae'])
    expect(cutOff({ ...TABLE, own: { ...TABLE.own!, means: { ...MEANS, links: {} } } })).toEqual([])
  })

  it('are hexes with Isolated units, without those that are lost', () => {
    expect([...isolated(TABLE)]).toEqual([
      ['4040', ['cruiser']],
      ['4041', ['troops']],
    ])
  })
})
