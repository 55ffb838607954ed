import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NO_MATCH, type TableView } from '../../protocol/view'
import type { Told } from '../../protocol/wire'
import type { Decision } from '../title'
import { AREAS, LINKS } from './atlas'
import { COUNTER, inBattle, onMap } from './places'
import { battleAreas, boxes, CELL, plan } from './plan'
import { BATTLE_AREAS, byPlace, described, supplyLine, tableOf, type Battle, type Counter, type Force } from './table'
import { bundles, chapter, choice, inTray, prompt, where, why } from './words'

const domain = join(process.cwd(), '..', '..', 'domain', 'nimitz')
const data = JSON.parse(readFileSync(join(domain, 'data', 'nimitz.json'), 'utf8')) as {
  areas: { id: string; name: string; neighbours: string[] }[]
  adjacency: { a: string; b: string }[]
  boxes: { id: string }[]
  forces: Record<string, Record<string, (Counter & { id: string; start: string })[]>>
  objectives: Record<string, { areas: string[] }>
  battle_plans: Record<string, { id: string }[]>
}
const tags = [...readFileSync(join(domain, 'decisions.py'), 'utf8').matchAll(/^class (\w+)\(Decision/gm)].map((found) => found[1]!)

const YEARS = ['1942', '1943', '1944', '1945']
const ASPECTS = [0.6, 0.95, 1.19, 1.35, 1.8]

function setUp(year: string, more: object = {}): TableView {
  const list = Object.values(data.forces[year]!).flat()
  const counters = Object.fromEntries(list.map((one) => [one.id, one]))
  const forces: Record<string, Force> = Object.fromEntries(
    list.map((one) => [one.id, { place: one.start === 'RE' ? (one.side === 'US' ? 'US_RE' : 'JA_RE') : one.start }]),
  )
  return {
    match: { ...NO_MATCH, title: 'nimitz', seats: [{ name: 'United States', side: 0 }] },
    asked: [0],
    table: {
      year: Number(year),
      turn: 1,
      turns: 6,
      supply: { 0: 21 },
      map: Object.fromEntries(data.areas.map((one) => [one.id, one])),
      counters,
      forces,
      charts: { objectives: data.objectives[year]!.areas, us_plans: {}, ja_plans: {}, orders: {}, evaluation: [] },
      ...more,
    },
  }
}

describe('the map', () => {
  it.each(ASPECTS)('has a place inside the frame for every area, none over another, at aspect %d', (aspect) => {
    const chart = plan(aspect)

    expect([...chart.areas.keys()].sort()).toEqual(data.areas.map(({ id }) => id).sort())
    for (const [id, one] of chart.areas) {
      expect(one.x).toBeGreaterThanOrEqual(CELL.w / 2)
      expect(one.x).toBeLessThanOrEqual(chart.width - CELL.w / 2)
      expect(one.y).toBeGreaterThan(CELL.h / 2)
      expect(one.y).toBeLessThanOrEqual(chart.height - CELL.h / 2)
      for (const [other, two] of chart.areas) {
        if (other <= id) continue
        const apart = Math.abs(one.x - two.x) >= CELL.w - 4 || Math.abs(one.y - two.y) >= CELL.h - 4
        expect(apart, `${id} and ${other}`).toBe(true)
      }
    }
  })

  it('has every link of the data', () => {
    const written = data.adjacency.map(({ a, b }) => `${a} ${b}`).sort()

    expect(LINKS.map(([a, b]) => `${a} ${b}`).sort()).toEqual(written)
    expect(AREAS).toHaveLength(20)
  })

  it.each(YEARS)('has a spot for every force that begins %s on the map or in a box', (year) => {
    const table = tableOf(setUp(year))
    const chart = plan(1.2)
    const { singles, stacks } = onMap(table, chart)
    const shown = [...singles.keys(), ...stacks.flatMap((stack) => stack.ids)].sort()
    const known = new Set([...chart.areas.keys(), ...boxes(chart, Number(year)).keys(), 'JA_RE'])
    const present = Object.keys(table.forces).filter((id) => known.has(table.forces[id]!.place))

    expect(shown).toEqual(present.sort())
    expect(present).toHaveLength(Object.keys(table.forces).length)
  })

  it.each(YEARS)('has every box of %s inside the frame', (year) => {
    for (const aspect of ASPECTS) {
      const chart = plan(aspect)
      for (const rect of boxes(chart, Number(year)).values()) {
        expect(rect.y + rect.h).toBeLessThan(chart.height)
        expect(rect.x + rect.w).toBeLessThan(chart.width)
        expect(rect.y).toBeGreaterThan(0)
      }
    }
  })
})

describe('the battle board', () => {
  it.each(ASPECTS)('has room for the largest fleets, inside their areas, at aspect %d', (aspect) => {
    const view = setUp('1944')
    const ids = Object.keys(tableOf(view).counters)
    const battle: Battle = {
      area: 'MA', seat: 0, turn: 1, left: 2, plans: 3, cup: 22, in_force: [], screening: false, points: 3, held: [], used: [],
      ships: Object.fromEntries(ids.filter((id) => tableOf(view).counters[id]!.kind === 'SHIP').map((id, place) => [id, (['JO', 'CO', 'UO'] as const)[place % 3]!])),
      foxhole: ids.filter((id) => tableOf(view).counters[id]!.kind === 'INF'),
      beach: [],
      transports: { US: [], JA: [] },
      airfields: { US: 4, JA: 2 },
      planes: Object.fromEntries(ids.filter((id) => tableOf(view).counters[id]!.kind === 'LBA').map((id, place) => [id, place % 2 ? { at: BATTLE_AREAS[place % 4]! } : {}])),
      rooms: {},
    }
    const table = tableOf(setUp('1944', { battle }))
    const chart = plan(aspect)
    const { singles, stacks } = inBattle(table, chart, 0.65, aspect < 0.95)

    expect([...singles.keys(), ...stacks.flatMap((stack) => stack.ids)].sort()).toEqual([...ids].sort())
    for (const { x, y, scale } of [...singles.values(), ...stacks]) {
      expect(x - (COUNTER.w * scale) / 2).toBeGreaterThanOrEqual(0)
      expect(x + (COUNTER.w * scale) / 2).toBeLessThanOrEqual(chart.width)
      expect(y + (COUNTER.h * scale) / 2).toBeLessThanOrEqual(chart.height)
    }
    expect(Object.keys(battleAreas(chart, { JO: 0, UO: 0 }))).toEqual([...BATTLE_AREAS])
  })
})

describe('decisions', () => {
  const view = setUp('1942', { supply: { 0: 12 }, battle: undefined })
  const [us] = data.forces['1942']!.US!
  const fields = { force: us!.id, ship: us!.id, aircraft: us!.id, area: 'HI', target: 'MI', plan: 'us.aaa', kind: 'SHIP', by: 1, group: 'bombers:LBA', amount: 1, subject: '' }
  const make = (type: string, more: object = {}): ReturnType<typeof choice> => choice({ type, ...fields, ...more } as Decision, view, { 'us.aaa': 'AAA', HI: 'Hawaiian Islands', MI: 'Midway Island' })

  it('all have words', () => {
    expect(tags.length).toBeGreaterThanOrEqual(38)
    for (const tag of tags) expect(make(tag).label, tag).not.toBe(tag)
  })

  it('that end something are apart, and have no place on the board', () => {
    for (const tag of tags.filter((one) => /^(Done|Pass|Take)/.test(one))) expect(make(tag)).toMatchObject({ leaves: true, path: [] })
  })

  it('lead over the board: a force, then where it goes', () => {
    expect(make('MoveForce')).toMatchObject({ path: [us!.id, 'MI'] })
    expect(make('Purchase').path.every(inTray)).toBe(true)
    expect(make('UsePlan').path).toEqual(['us.aaa'])
    expect(make('UsePlan', { subject: us!.id }).path).toEqual(['us.aaa', us!.id])
    expect(make('AllocateHit', { target: 'airfield' })).toMatchObject({ path: [], label: 'Hit an airfield' })
  })

  it('of one kind are gathered behind one button', () => {
    const list = ['42-us-a', '42-us-b'].map((force) => make('MoveForce', { force, target: 'RAID' }))
    const [all] = bundles(list, view, {})

    expect(all).toMatchObject({ label: 'All submarines raid (2)', count: 2 })
    expect(all!.next(list)).toBe(list[0])
    expect(all!.next([])).toBeUndefined()
  })

  it('have a prompt in words', () => {
    const ask = (...types: string[]): string => prompt({ seat: 0, rule: 'N4.2', text: 'text of the rules', options: types.map((type) => ({ type, ...fields })) }, view)

    expect(ask('Purchase', 'DoneResupply')).toContain('12 SP')
    expect(ask('SendAircraft', 'DoneAir')).toContain('choose one')
    // These never stand alone: what ends their step is on the list, too.
    const others = ['GiveSupply', 'LendForce', 'Purchase', 'Repair', 'PlaceScout', 'ReserveForInvasion', 'MoveForce', 'BuyPoints', 'BuyPlan', 'PassFirstLight', 'PassPlan', 'TakeHit']
    for (const one of tags) if (!others.includes(one)) expect(ask(one), one).not.toBe('text of the rules')
  })
})

describe('words', () => {
  it('trace supply from the West Coast through what is held', () => {
    const table = tableOf(setUp('1942', { held: ['WC', 'HI', 'SA'], supplied: ['WC', 'HI', 'SA', 'NC', 'AK'] }))

    expect(supplyLine(table, 'NC')).toEqual(['WC', 'HI', 'SA', 'NC'])
    expect(supplyLine(table, 'SI')).toEqual([])
  })

  it('say what a counter is', () => {
    const table = tableOf(setUp('1942'))
    const enterprise = Object.keys(table.counters).find((id) => table.counters[id]!.name === 'Enterprise')!

    expect(described(table, enterprise, {})).toMatch(/^Enterprise, United States fleet carrier, value 1, anti-aircraft/)
    expect(byPlace(table).get('HI')!.length).toBeGreaterThan(3)
  })

  it('say where the campaign stands', () => {
    expect(where(setUp('1942', { date: 'Jan-Feb 1942', step: 2, step_name: 'US resupply' }))).toEqual({ turn: 'Turn 1 of 6 · Jan-Feb 1942', step: 'US resupply', side: 0 })
  })

  it('tell why the automated side chose', () => {
    const body = { type: 'Chose', rule: 'N7.5', question: 'Destination of [EAST] from', candidates: ['MI', 'WI'], chosen: ['WI'], steps: [{ reason: 'random area', left: ['WI'] }], die: [7], about: 'CI' }
    const fact = { seq: 1, type: 'Chose', body: JSON.stringify(body), words: '' } as Told

    expect(why(fact)).toMatchObject({ candidates: ['MI', 'WI'], die: [7], chosen: ['WI'] })
    expect(why({ ...fact, type: 'Rolled' })).toBeNull()
    expect(chapter({ ...fact, type: 'TurnBegan', body: '{"turn":3}' }, null)).toEqual({ turn: 3, title: '', side: null })
  })
})
