import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NO_MATCH, type TableView } from '../../protocol/wire'
import type { Told } from '../../protocol/wire'
import { open, pick, targets } from '../../words/picking'
import type { Choice } from '../title'
import { AREAS, CHITS, EDGES } from './atlas'
import { CELL, plan } from './plan'
import { steady } from './steady'
import { short, tableOf } from './reading'
import { type Decision, DECISIONS } from './shown'
import { bundles, chapter, choice, free, inTray, passing as passes, standing, where } from './words'

const file = join(process.cwd(), '..', '..', 'domain', 'coral_sea', 'data', 'coral-sea.json')
const data = JSON.parse(readFileSync(file, 'utf8')) as {
  areas: { id: string; kind: string; lat: number; lon: number }[]
  edges: { a: string; b: string }[]
  chits: { id: string; count: number }[]
}

const unit = (side: string, area: string) => ({
  name: `${side} regiment`,
  side,
  nationality: side,
  domain: 'ground',
  type: 'infantry',
  status: 'map',
  points: 1,
  area,
  cohesion: 8,
  move: 3,
  tactical: 3,
})
const view = {
  match: {
    ...NO_MATCH,
    title: 'coral_sea',
    seats: [
      { name: 'Japan', side: 0 },
      { name: 'Allies', side: 1 },
    ],
  },
  asked: [0],
  table: {
    sequence: 4,
    units: { j_144: unit('japan', 'rabaul'), j_kure3: unit('japan', 'rabaul'), a_7: unit('allied', 'lae') },
    areas: { rabaul: { rp: { japan: 5 } } },
    stacks: { kavieng: { japan: { top: 'j_shoho', height: 3 } } },
    operation: { side: 'japan', area: 'rabaul', sp: 4, rebuilt: false },
    modes: { japan: 'map', allied: 'card' },
    own: { side: 'japan', hand: { J07: { name: 'Convoy from Palau' } }, chits: [] },
  },
} as unknown as TableView
const names = { rabaul: 'Rabaul', lae: 'Lae', j_144: '144th Regiment', J07: 'Convoy from Palau', j_g_ambush: 'Ambush' }
const make = (decision: Decision): Choice<Decision> => choice(decision, view, names)
const one = (type: Decision['type']): Choice<Decision> =>
  make({
    type,
    unit: 'j_144',
    area: 'rabaul',
    to: 'lae',
    from: 'rabaul',
    card: 'J07',
    chit: 'j_g_ambush',
    item: 'j_144',
    mode: 'map',
    what: 'rebuild',
  } as Decision)

describe('the map', () => {
  it('has every area, way and chit of the data', () => {
    expect(AREAS.map(({ id }) => id)).toEqual(data.areas.map(({ id }) => id))
    expect(EDGES.map(([a, b]) => [AREAS[a]!.id, AREAS[b]!.id])).toEqual(data.edges.map(({ a, b }) => [a, b]))
    expect(CHITS.map(({ id, count }) => [id, count])).toEqual(data.chits.map(({ id, count }) => [id, count]))
  })

  it.each([0.6, 1, 1.2, 1.35, 1.5, 2])('gives every area a place of its own inside the frame, at aspect %d', (aspect) => {
    const { nodes, width, height, track } = plan(aspect)

    expect([...nodes.keys()]).toEqual(data.areas.map(({ id }) => id))
    const all = [...nodes.values()]
    for (const { x, y } of all) {
      expect(x).toBeGreaterThan(CELL.w / 2)
      expect(x).toBeLessThan(width - CELL.w / 2)
      expect(y).toBeGreaterThan(62)
      expect(y).toBeLessThan(track.y - 40)
    }
    expect(height).toBeLessThanOrEqual(1.1 * width)
    // Counters, plates and names keep clear of each other: a cell may give way by a tenth at most.
    const close = all.flatMap((a, place) =>
      all
        .slice(place + 1)
        .filter((b) => Math.abs(a.x - b.x) < 0.9 * CELL.w && Math.abs(a.y - b.y) < 0.9 * CELL.h)
        .map((b) => `${a.id} ${b.id}`),
    )
    expect(close).toEqual([])
  })

  it('keeps west in the west and north in the north where areas are far apart', () => {
    const { nodes } = plan(1.3)
    for (const a of data.areas) {
      for (const b of data.areas) {
        if (b.kind === 'box' || a.kind === 'box') continue
        if (b.lon - a.lon > 6) expect(nodes.get(b.id)!.x, `${a.id} ${b.id}`).toBeGreaterThan(nodes.get(a.id)!.x)
        if (a.lat - b.lat > 6) expect(nodes.get(b.id)!.y, `${a.id} ${b.id}`).toBeGreaterThan(nodes.get(a.id)!.y)
      }
    }
  })

  it('draws coastlines without numbers that are none', () => {
    expect(plan(1.3).coast).toMatch(/^M[-\d. LMZ]+Z$/)
  })
})

describe('the table', () => {
  it('gathers stacks by area and side, hidden ones with their height', () => {
    expect(tableOf(view).heaps.map(({ id, units, count, rp }) => [id, units, count, rp])).toEqual([
      ['stack:rabaul:japan', ['j_144', 'j_kure3'], 2, 5],
      ['stack:lae:allied', ['a_7'], 1, 0],
      ['stack:kavieng:japan', [], 3, 0],
    ])
    expect(tableOf(view).mine).toBe('japan')
  })

  it('tells two cards of one name in a hand by their numbers, and only those', () => {
    const hand = { J07: {}, J12: {}, J20: {} }
    const held = { ...view, table: { ...(view.table as object), own: { side: 'japan', hand, chits: [] } } } as unknown as TableView
    const cards = { J07: 'Convoy from Palau', J12: 'Air Attack', J20: 'Air Attack' }
    const label = (type: 'play_card' | 'discard_for_rp' | 'play_reaction', card: string) => choice({ type, card }, held, cards).label

    expect([label('play_card', 'J07'), label('play_card', 'J12'), label('play_reaction', 'J20'), label('discard_for_rp', 'J20')]).toEqual([
      'Play Convoy from Palau',
      'Play Air Attack (J12)',
      'Play Air Attack (J20)',
      'Discard Air Attack (J20) for a resource point',
    ])
  })

  it('names a unit on its counter as shortly as it can be told', () => {
    expect(['Allied Destroyer Sqn 4', 'Destroyer Sqn 6', 'TF 62 Cruisers (Turner)'].map(short)).toEqual([
      'Des Sqn 4',
      'Des Sqn 6',
      'TF 62 CA',
    ])
  })

  it('knows who leads a unit, and says what is left of the move under way', () => {
    const move = { how: 'sail', units: ['j_144'], from: 'rabaul', at: 'lae', left: 4 }
    const window = { id: 'op_open', rule: 'C6.5', name: 'An operation is open, before its first action' }
    const leaders = { l_horii: { name: 'Tomitaro Horii', unit: 'j_144' } }
    const sailing = { ...view, table: { ...(view.table as object), move, leaders, window } } as unknown as TableView

    expect(tableOf(sailing).led.get('j_144')).toEqual({ id: 'l_horii', name: 'Tomitaro Horii' })
    expect(where(sailing).step).toBe('Japan sails from Rabaul, Range 4 left · An operation is open, before its first action')
  })

  it('says what the side passes in until the operation ends, and what its answers in such a window mean', () => {
    const kind = 'An operation is open, before its first action'
    const table = view.table as { own?: object }
    const window = { id: 'op_open', rule: 'C6.5', name: kind }
    const passing = { ...view, table: { ...table, window, own: { ...table.own, passing: { op_open: kind } } } } as unknown as TableView
    const labels = (at: TableView) => (['pass', 'pass_on', 'ask_again'] as const).map((type) => choice({ type }, at, {}).label)

    expect(standing(view)).toBeNull()
    expect(labels(view)).toEqual(['Pass', 'Pass, and pass for me here until this operation ends', 'Pass, and ask me in every window again'])
    expect(standing(passing)).toMatchObject({ rule: 'C6.9', words: expect.stringContaining('“An operation is open”') as string })
    expect(labels(passing).slice(0, 2)).toEqual(['Pass, and ask me here again', 'Pass, and go on passing here'])
    const all = (['pass', 'pass_on', 'ask_again'] as const).map((type) => make({ type }))
    expect([view, passing].map((at) => passes.pass(all, at)?.decision.type)).toEqual(['pass', 'pass_on'])
  })

  it('says until when windows may be passed', () => {
    const table = view.table as object
    const fought = { ...view, table: { ...table, battle: {} } } as unknown as TableView

    expect([view, fought].map(passes.until)).toEqual(['a battle begins or the operation ends', 'this battle ends'])
    expect(passes.pass([one('pick_unit')], view)).toBeUndefined()
  })

  it('says where the match stands', () => {
    expect(where(view)).toEqual({ turn: 'Sequence 4', step: 'Japan operates at Rabaul, 4 SP', side: 0 })
    const operation = { side: 'allied', area: 'noumea', sp: 2, rebuilt: false }
    const allied: TableView = { ...view, table: { ...(view.table as object), operation } }
    expect(where(allied).step).toBe('Allies operate at Noumea, 2 SP')
  })
})

describe('a steady list', () => {
  it('keeps what is as it was, and no more', () => {
    const same = steady<{ id: string; units: string[]; lit: boolean }>()
    const first = same([
      { id: 'lae', units: ['a_7'], lit: false },
      { id: 'wau', units: [], lit: false },
    ])
    const second = same([
      { id: 'lae', units: ['a_7'], lit: false },
      { id: 'wau', units: [], lit: true },
    ])

    expect(second[0]).toBe(first[0])
    expect(second[1]).toEqual({ id: 'wau', units: [], lit: true })
  })
})

describe('decisions', () => {
  it.each(DECISIONS)('%s has words of its own', (tag) => {
    const { label } = one(tag)

    expect(label).not.toBe(tag.replaceAll('_', ' '))
    expect(label).not.toMatch(/undefined|\bj_|\[/)
  })

  it.each(DECISIONS)('%s can be clicked, or is a button, or is free and in the list', (tag) => {
    const { path, button } = one(tag)

    expect(path.length > 0 || button !== false || tag === 'set_top').toBe(true)
  })

  it('tell what is done with a card from what is done with the same card otherwise', () => {
    const both = [make({ type: 'play_card', card: 'J07' }), make({ type: 'discard_for_rp', card: 'J07' })]

    expect(pick(both, [], 'J07')).toEqual({ picked: ['J07'] })
    expect([...targets(both, ['J07'])]).toEqual(['act:play', 'act:discard'])
    expect(pick(both, ['J07'], 'act:discard')).toEqual({ choice: both[1] })
  })

  it('never give a card away by a single click', () => {
    const only = [make({ type: 'discard_for_rp', card: 'J07' })]

    expect(pick(only, [], 'J07')).toEqual({ picked: ['J07'] })
    expect(pick(only, ['J07'], 'act:discard')).toEqual({ choice: only[0] })
  })

  it('tell sailing into a port from landing there', () => {
    const both = [make({ type: 'step', to: 'lae' }), make({ type: 'land_at', area: 'lae' })]

    expect(open(both, ['lae'])).toHaveLength(2)
    expect([...targets(both, ['lae'])]).toEqual(['act:enter', 'act:land'])
    expect(pick([both[0]!], [], 'lae')).toEqual({ choice: both[0] })
  })

  it('are picked in the tray or on the map', () => {
    expect(['J07', 'A32', 'j_g_ambush', 'a_n_gunnery', 'pile:deck', 'mode:card', 'act:play'].every(inTray)).toBe(true)
    expect(['rabaul', 'j_144', 'a_1m', 'act:march', 'stack:lae:japan'].some(inTray)).toBe(false)
  })

  it('set a top by its stack and then a counter of it, and do not call for it', () => {
    const both = [make({ type: 'set_top', area: 'rabaul', item: 'j_144' }), make({ type: 'set_top', area: 'rabaul', item: 'rp' })]

    expect(pick(both, [], 'top:rabaul')).toEqual({ picked: ['top:rabaul'] })
    expect([...targets(both, ['top:rabaul'])]).toEqual(['j_144', 'rp:rabaul'])
    expect(pick(both, ['top:rabaul'], 'rp:rabaul')).toEqual({ choice: both[1] })
    expect([...targets(both, [])].every(free)).toBe(true)
  })

  it('are gathered pick by pick', () => {
    const picks = [make({ type: 'pick_unit', unit: 'j_144' }), make({ type: 'pick_unit', unit: 'j_kure3' }), make({ type: 'done' })]
    const [all] = bundles(picks, view)

    expect(all?.count).toBe(2)
    expect(all?.next(picks.slice(1))).toBe(picks[1])
    expect(all?.next(picks.slice(2))).toBeUndefined()
  })

  it('are gathered under what it is to pick all: to take them along, to land, to embark', () => {
    const picks = [make({ type: 'pick_unit', unit: 'j_144' }), make({ type: 'pick_unit', unit: 'j_kure3' })]
    const called = (move: object): string | undefined => bundles(picks, { ...view, table: { ...(view.table as object), move } })[0]?.label
    const sailing = { how: 'sail', units: ['j_shoho'], from: 'rabaul', at: 'huon_gulf', left: 1 }

    expect(bundles(picks, view)[0]?.label).toBe('Take all along (2)')
    expect(called({ ...sailing, cargo: ['j_144', 'j_kure3'] })).toBe('Land all (2)')
    expect(called(sailing)).toBe('Take all aboard (2)')
    expect(called({ ...sailing, how: 'march' })).toBe('Take all along (2)')
  })
})

describe('chapters', () => {
  const told = (type: string, body: object): Told => ({
    seq: 1,
    at: 0,
    command: '',
    index: 0,
    ver: 1,
    audience: 7,
    type,
    body: JSON.stringify(body),
    words: '',
  })

  it('count sequences, and name operations and battles', () => {
    const first = chapter(told('SequenceBegan', { number: 7 }), null)

    expect(first).toEqual({ turn: 7, title: 'Secret choice', side: null })
    expect(chapter(told('OperationOpened', { side: 1, area: 'noumea' }), first)).toEqual({
      turn: 7,
      title: 'Allies operate at Noumea',
      side: 1,
    })
    expect(chapter(told('BattleBegan', { attacker: 0, area: 'lae' }), first)?.title).toBe('Battle of Lae')
  })
})
