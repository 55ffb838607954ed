import { beforeAll, describe, expect, it } from 'vitest'
import { NO_MATCH, type TableView } from '../../../protocol/wire'
import { card } from '../card'
import { hexOfAny } from '../reading'
import { type Decision, EMPTY, type Table } from '../shown'
import { choice, inTray } from '../words'
import type { Laid } from '../places'
import { boatLabel, boatsOf, clearSpot, takenBy } from './boats'
import { loadCampaign } from './words.svelte'

beforeAll(loadCampaign)

const NAMES = { krs_1: 'KRS submarines', sto_1: 'STO submarines', toko: 'Toko Air Group', A1: 'TF A1', ca: 'Chicago' }
const ownOf = (roused: string[]): Table['own'] => ({
  side: 'JP',
  fleets: {},
  ships: {},
  air: { toko: { home: 'krs_1', steps: 2, level: 1, ready: 2 } },
  ground: {},
  means: { level: 1, points: {}, links: {}, submarines: {}, penalty: {}, transport: {}, steps: {}, roused },
})
const TABLE: Table = {
  ...EMPTY,
  scenario: 'S1',
  phase: '5.2.C',
  area: ['3630', '3419'],
  roster: {
    ...EMPTY.roster,
    air: { toko: { name: 'Toko', side: 'JP', nation: 'JP', cls: 'JP_LRA', kind: 'LRA', range: 10, most: 3 } },
  },
  locations: { palau: { name: 'Palau', hex: '3630', control: 'JP', terrain: 'atoll', port: 2 } },
  war: {
    ends: '1945-08',
    day: 3,
    initiative: 0,
    headquarters: {},
    operations: 1,
    totals: { JP: 0, AL: 0 },
    damage: { JP: 0, AL: 0 },
    places: { JP: 0, AL: 0 },
    special: {
      krs_1: { side: 'JP', node: '3419', hits: 1, base: true, aircraft: true },
      sto_1: { side: 'JP', node: '3630', hits: 2 },
    },
  },
}
const viewOf = (more: Partial<Table> = {}): TableView => ({
  match: { ...NO_MATCH, title: 'pacific_war' },
  asked: [0],
  table: { ...TABLE, ...more },
})

describe('a special submarine on the map (P34)', () => {
  it('is there until it is sunk', () => {
    expect(boatsOf(TABLE).map(([id]) => id)).toEqual(['krs_1'])
    expect(boatsOf({ ...TABLE, war: undefined })).toEqual([])
  })

  it('says to everybody where it is, its hits and that somebody is at its base', () => {
    expect(boatLabel(TABLE, 'krs_1', NAMES)).toBe(
      'KRS submarines of Japan: at hex 3419, 1 of 2 hits, keeps a seaplane base: an air unit, not known which',
    )
  })

  it('says to its owner who is at its base, and that it is Activated', () => {
    const { own, ...rest } = { ...TABLE, own: ownOf(['krs_1']) }
    const notes = card('krs_1', viewOf({ ...rest, own }), NAMES)?.notes

    expect(notes).toEqual(['at hex 3419', '1 of 2 hits', 'keeps a seaplane base: Toko Air Group, 2 steps (2 ready)', 'Activated'])
    expect(card('krs_1', viewOf({ own: ownOf([]) }), NAMES)?.notes).not.toContain('Activated')
  })

  it('is where the air unit at its base is', () => {
    expect(hexOfAny({ ...TABLE, own: ownOf([]) }, 'toko')).toBe('3419')
  })
})

describe('the mark of a special submarine', () => {
  const size = { w: 46, h: 16 }
  const plate = { x: 0, y: 0, w: 16, h: 15 }

  it('lies where it is if nothing else does, and else beside that', () => {
    expect(clearSpot(size, [])).toEqual({ x: 0, y: 0 })
    expect(clearSpot(size, [plate])).toEqual({ x: -34, y: -15 })
    expect(clearSpot(size, [plate, { x: -34, y: -15, ...size }])).toEqual({ x: 34, y: -15 })
  })

  it('keeps clear of places and of their names, of task forces and of patrols', () => {
    const place = { name: 'Palau' }
    const label = { x: 0, y: 20, anchor: 'middle' as const }
    const laid = { plates: [{ ...plate, x: 100, place, label }], chips: [{ x: 140, y: 0, w: 25, h: 15 }], boats: [{ x: 60, y: 0 }] }

    expect(takenBy(laid as unknown as Laid, { x: 100, y: 0 }, 2)).toEqual([
      { x: 0, y: 16, w: 29.5, h: 12 },
      { x: 0, y: 0, w: 16, h: 15 },
      { x: 20, y: 0, w: 25, h: 15 },
      { x: -20, y: 0, w: 26, h: 13 },
    ])
  })
})

describe('a decision about a special submarine', () => {
  it.each<[Decision, string, string[]]>([
    [{ type: 'move_boat', piece: 'krs_1' }, 'Move KRS submarines', ['krs_1']],
    [{ type: 'open_seaplane_base', hex: '3630' }, 'Open a seaplane base at Palau', []],
    [{ type: 'hunt_submarine', tf: 'A1' }, 'Hunt with TF A1', ['A1']],
    [
      { type: 'sto_strike', piece: 'sto_1', kind: 'strike_tf', target: 'ca' },
      'Let STO submarines strike Chicago',
      ['sto_1', 'do:sto_1:strike_tf:ca'],
    ],
    [
      { type: 'sto_strike', piece: 'sto_1', kind: 'strike_port', target: 'palau' },
      'Let STO submarines strike the port of Palau',
      ['sto_1', 'do:sto_1:strike_port:palau'],
    ],
  ])('%o has its words and its place', (decision, label, path) => {
    const made = choice(decision, viewOf(), NAMES)

    expect([made.label, made.path]).toEqual([label, path])
    expect(path.slice(1).every((id) => inTray(id, viewOf()))).toBe(true)
  })
})
