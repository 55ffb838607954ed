import { describe, expect, it } from 'vitest'
import { EMPTY, type Screen, type Table, type War } from '../shown'
import { type Arrivals, carrier, heaps, named, poolOf, stepsLeft } from './pools'

const ship = { side: 'AL' as const, nation: 'US', hits: 4, speed: 'F' }
const air = { side: 'AL' as const, cls: '1E', kind: '1E', range: 4, most: 6 }
const ground = { side: 'AL' as const, size: 'D', tq: 7, most: 9 }
const WAR: War = {
  ends: '1942-12',
  day: 0,
  initiative: 0,
  headquarters: { hq_sopac: { name: 'South Pacific Area', side: 'AL', returns: '1942-11', radius: 15, op_cost: 4, most: 60 } },
  operations: 0,
  totals: { JP: 0, AL: 0 },
  damage: { JP: 0, AL: 0 },
  places: { JP: 0, AL: 0 },
}
const OWN: Screen = {
  side: 'AL',
  fleets: {},
  ships: {
    hornet: { port: 'noumea' },
    wasp: { port: 'noumea', damage: 2, crippled: true },
    chicago: { port: 'noumea', damage: 1 },
    sunk: { port: '', damage: 4 },
  },
  air: { fg: { home: 'noumea', steps: 4, level: 1 }, mag: { home: '', steps: 0, level: 0 }, group: { home: 'wasp', steps: 0, level: 0 } },
  ground: {
    marines: { hex: '5747', steps: 8 },
    whole: { hex: '5747', steps: 9 },
    army: { steps: 0 },
    paras: { steps: 0 },
    split: { steps: 0 },
    'split.1': { hex: '5747', steps: 3 },
    'whole.1': { steps: 0 },
  },
  means: {
    points: {},
    level: 0,
    links: {},
    submarines: {},
    penalty: { chicago: '1942-12' },
    waiting: ['nz'],
    transport: {},
    steps: { 'US.1E': 4, 'CW.any_air': 0 },
  },
}
const TABLE: Table = {
  ...EMPTY,
  scenario: 'C1',
  month: '1942-10',
  roster: {
    ships: {
      hornet: { ...ship, name: 'Hornet', cls: 'CV' },
      wasp: { ...ship, name: 'Wasp', cls: 'CV' },
      chicago: { ...ship, name: 'Chicago', cls: 'CA' },
      sunk: { ...ship, name: 'Astoria', cls: 'CA' },
      dd2: { ...ship, name: 'Destroyer Division 2', cls: 'DD' },
      dd10: { ...ship, name: 'Destroyer Division 10', cls: 'DD' },
      zuiho: { ...ship, side: 'JP', nation: 'JP', name: 'Zuihō', cls: 'CVL' },
    },
    air: {
      fg: { ...air, name: '67th Fighters', nation: 'US' },
      mag: { ...air, name: 'Marine Aircraft Group 14', nation: 'US' },
      group: { ...air, name: 'Wasp Air Group', nation: 'US', kind: 'CVG' },
    },
    ground: {
      marines: { ...ground, name: '1st Marine Division', nation: 'US' },
      whole: { ...ground, name: '2nd Marine Division', nation: 'US' },
      army: { ...ground, name: '41st Division', nation: 'US' },
      paras: { ...ground, name: '503rd Parachute Regiment', nation: 'US', flags: ['para'] },
      split: { ...ground, name: '32nd Division', nation: 'US' },
      'split.1': { ...ground, name: '126th Regiment', nation: 'US', most: 3 },
      'whole.1': { ...ground, name: '6th Marine Regiment', nation: 'US', most: 3 },
      nz: { ...ground, name: '3rd New Zealand Division', nation: 'CW' },
    },
  },
  locations: { noumea: { name: 'Noumea', hex: '5747', control: 'AL', terrain: 'jungle', port: 3 } },
  lost: { sunk: 'sunk' },
  war: WAR,
  own: OWN,
}
const ARRIVALS: Arrivals = [
  ['AL', '1942-09', 0, 'noumea', ['nz']],
  ['AL', '1942-10', 15, 'noumea', ['dd10', 'hornet', 'sunk']],
  ['AL', '1942-11', 0, 'noumea', ['dd2']],
  ['JP', '1942-10', 0, 'truk', ['zuiho']],
]
const pool = (which: Parameters<typeof poolOf>[0], more: Partial<Table> = {}): ReturnType<typeof poolOf> =>
  poolOf(which, { ...TABLE, ...more }, {}, ARRIVALS)
const shown = (...args: Parameters<typeof heaps>): [string, string[]][] =>
  heaps(...args).map(({ head, units }) => [head, units.map(({ name }) => name)])

describe('P14 what comes to a side', () => {
  it('begins with what is due this month, with what waits for a place, and goes on month by month', () => {
    expect(shown(pool('reinforcements'), 'due')).toEqual([
      ['Due this month: October 1942', ['Destroyer Division 10', '3rd New Zealand Division']],
      ['November 1942', ['South Pacific Area', 'Destroyer Division 2']],
      ['December 1942', ['Chicago']],
    ])
  })

  it('says what waits, from which day it acts, and what comes out of the Penalty box', () => {
    const notes = Object.fromEntries(pool('reinforcements').map(({ id, at, notes: said }) => [id, [at, ...said]]))

    expect(notes).toEqual({
      hq_sopac: [''],
      nz: ['noumea', 'waits for a place'],
      dd10: ['noumea', 'may be activated from day 15'],
      dd2: ['noumea'],
      chicago: ['', 'from the Penalty box'],
    })
  })

  it('leaves out what has come, what is lost, and months that are past', () => {
    const ids = pool('reinforcements', { month: '1942-12' }).map(({ id }) => id)

    expect(ids).toEqual(['hq_sopac', 'nz', 'chicago'])
  })

  it('shows nothing of the other side, and nobody who only looks on anything', () => {
    expect(pool('reinforcements').some(({ id }) => id === 'zuiho')).toBe(false)
    expect(['reinforcements', 'repair', 'replacements'].flatMap((one) => pool(one as 'repair', { own: undefined }))).toEqual([])
  })
})

describe('P15, P16 what a side mends', () => {
  it('has damaged ships by the months that they need, and none that is lost', () => {
    expect(shown(pool('repair'), 'due')).toEqual([
      ['1 month at least', ['Chicago']],
      ['2 months at least', ['Wasp']],
    ])
    expect(pool('repair').find(({ id }) => id === 'wasp')).toMatchObject({ at: 'noumea', notes: ['2 of 4 hits', 'crippled'] })
  })

  it('has what lacks steps, most of all what is eliminated and may be raised anew', () => {
    expect(shown(pool('replacements'), 'due')).toEqual([
      ['Eliminated', ['Marine Aircraft Group 14', '41st Division']],
      ['2 steps short', ['67th Fighters']],
      ['1 step short', ['1st Marine Division']],
    ])
  })

  it('names whose steps are left', () => {
    expect(stepsLeft(OWN.means!.steps)).toEqual([
      ['United States 1E', 4],
      ['Commonwealth air', 0],
    ])
  })

  it('names who carries by strategic transport (P13.1)', () => {
    expect(['JP', 'AL_US', 'AL_CW'].map(carrier)).toEqual(['Japan', 'United States', 'Commonwealth'])
  })
})

describe('a pool', () => {
  const all = pool('reinforcements')

  it('is sorted by kind, by nation or by name, where 2 comes before 10', () => {
    expect(shown(all, 'kind').map(([head]) => head)).toEqual(['Headquarters', 'Heavy cruisers', 'Destroyers', 'Divisions'])
    expect(shown(all, 'nation').map(([head]) => head)).toEqual(['Commonwealth', 'Headquarters', 'United States'])
    expect(shown(all, 'name')).toEqual([
      ['', ['3rd New Zealand Division', 'Chicago', 'Destroyer Division 2', 'Destroyer Division 10', 'South Pacific Area']],
    ])
  })

  it('is searched by parts of a name in any order, whatever their case and accents', () => {
    const found = (search: string): string[] => named(all, search).map(({ id }) => id)

    expect(found('')).toHaveLength(all.length)
    expect(found('division ZEALAND')).toEqual(['nz'])
    expect(found('dd 10')).toEqual(['dd10'])
    expect(found('zuiho')).toEqual([])
    expect(named(poolOf('reinforcements', { ...TABLE, own: { ...OWN, side: 'JP' } }, {}, ARRIVALS), 'zuiho')).toHaveLength(1)
  })
})
