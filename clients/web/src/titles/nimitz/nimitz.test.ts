import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NO_MATCH, type TableView } from '../../protocol/wire'
import type { Told } from '../../protocol/wire'
import { AREAS, LINKS } from './atlas'
import { battlePlan, inBattle } from './battle'
import { beatsOf, fates, need, tally, underFire } from './fray'
import { COUNTER, onMap } from './places'
import { boxes, CELL, plan } from './plan'
import { scene } from './scene'
import { BATTLE_AREAS, byPlace, coming, described, supplyLine, tableOf, waiting } from './reading'
import { type Battle, type Counter, type Decision, DECISIONS, type Force } from './shown'
import { bundles, chapter, choice, inTray, where, why } from './words'

const file = join(process.cwd(), '..', '..', 'domain', 'nimitz', 'data', 'nimitz.json')
const data = JSON.parse(readFileSync(file, 'utf8')) as {
  areas: { id: string; name: string; neighbours: string[] }[]
  adjacency: { a: string; b: string }[]
  boxes: { id: string }[]
  forces: Record<string, Record<string, (Counter & { id: string })[]>>
  objectives: Record<string, { areas: string[] }>
  battle_plans: Record<string, { id: string }[]>
}

const YEARS = ['1942', '1943', '1944', '1945']
const ASPECTS = [0.6, 0.95, 1.19, 1.35, 1.45, 1.6, 1.7, 1.8, 2.05]

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

  it('lies the same way in all wide windows: a tray that folds moves no area far', () => {
    const first = plan(1.45)
    for (const aspect of [1.5, 1.55, 1.6, 1.65, 1.7, 1.75, 1.8, 1.85, 1.9, 1.95, 2, 2.05]) {
      const chart = plan(aspect)
      for (const [id, { x, y }] of chart.areas) {
        const was = first.areas.get(id)!
        const moved = Math.hypot(x / chart.width - was.x / first.width, y / chart.height - was.y / first.height)
        expect(moved, `${id} at aspect ${aspect}`).toBeLessThan(0.1)
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
  const view = setUp('1944')
  const ids = Object.keys(tableOf(view).counters)
  const of = (kind: string): string[] => ids.filter((id) => tableOf(view).counters[id]!.kind === kind)
  const battle: Battle = {
    area: 'MA',
    seat: 0,
    turn: 1,
    left: 2,
    plans: 3,
    cup: 22,
    in_force: [],
    screening: false,
    points: 3,
    held: [],
    used: [],
    ships: Object.fromEntries(of('SHIP').map((id, place) => [id, (['JO', 'CO', 'UO'] as const)[place % 3]!])),
    foxhole: of('INF'),
    beach: [],
    transports: { US: [], JA: [] },
    airfields: { US: 4, JA: 2 },
    planes: Object.fromEntries(of('LBA').map((id, place) => [id, place % 2 ? { at: BATTLE_AREAS[place % 4]! } : {}])),
    rooms: {},
  }
  const table = tableOf(setUp('1944', { battle }))
  const PIXELS = 0.88

  it.each([...ASPECTS, 0])('has room for the largest fleets, inside their areas, at aspect %d (0: a telephone)', (aspect) => {
    const ground = battlePlan(table, plan(aspect || 0.8), !aspect)!
    const { singles, stacks } = inBattle(table, ground, aspect ? 0.65 : PIXELS)

    expect([...singles.keys(), ...stacks.flatMap((stack) => stack.ids)].sort()).toEqual([...ids].sort())
    for (const { x, y, scale } of [...singles.values(), ...stacks]) {
      expect(x - (COUNTER.w * scale) / 2).toBeGreaterThanOrEqual(0)
      expect(x + (COUNTER.w * scale) / 2).toBeLessThanOrEqual(ground.width)
      expect(y + (COUNTER.h * scale) / 2).toBeLessThanOrEqual(ground.height)
    }
    expect(Object.keys(ground.areas).sort()).toEqual([...BATTLE_AREAS].sort())
  })

  it('shows each counter of an air battle over the open sea by itself, as large as a ship', () => {
    const [carrier] = of('SHIP').filter((id) => tableOf(view).counters[id]!.type === 'CV' && tableOf(view).counters[id]!.side === 'US')
    const planes = Object.fromEntries(
      of('LBA')
        .slice(0, 12)
        .map((id, place) => [id, place % 2 ? { at: 'UO' as const } : { at: 'JO' as const }]),
    )
    const sea = tableOf(setUp('1944', { battle: { ...battle, ships: { [carrier!]: 'UO' }, planes, rooms: { [carrier!]: 5 } } }))
    const { singles, stacks } = inBattle(sea, battlePlan(sea, plan(1.6), false)!, 0.97)

    expect(stacks.filter(({ id }) => /^(JO|UO) /.test(id))).toEqual([])
    for (const id of Object.keys(planes)) expect(singles.get(id)!.scale, id).toBeGreaterThan(0.9)
  })

  it('is stacked on a telephone, as wide as its window, with counters that a finger finds', () => {
    const ground = battlePlan(table, plan(0.8), true)!
    const { singles, stacks } = inBattle(table, ground, PIXELS)
    const tops = BATTLE_AREAS.map((area) => ground.areas[area].y)

    expect(ground.width * PIXELS).toBeLessThanOrEqual(390)
    expect(tops).toEqual([...tops].sort((a, b) => a - b))
    for (const { scale } of [...singles.values(), ...stacks]) expect(COUNTER.h * scale * PIXELS).toBeGreaterThanOrEqual(39.9)
    for (const zone of ground.zones) expect(zone.y + zone.h).toBeLessThanOrEqual(ground.areas[zone.area].y + ground.areas[zone.area].h)
  })
})

describe('orders that are told', () => {
  const view = setUp('1942')
  const [one, two] = Object.keys(tableOf(view).forces)
  const order = (body: object): Told =>
    ({ seq: 1, type: 'OrderDone', body: JSON.stringify({ type: 'OrderDone', area: 'CI', ...body }), words: '' }) as Told
  const placeOf = (id: string, told: Told[], drawn = false): string =>
    tableOf(scene.ground!(view, setUp('1943'), told, drawn)).forces[id]?.place ?? ''

  it('have moved their forces by then, and no others (N7.6)', () => {
    const told = [order({ went: [one], to: 'SI', aboard: [one] }), order({ to_japan: [two] })]

    expect(placeOf(one!, told)).toBe('SI')
    expect(placeOf(two!, told)).toBe('JA')
    expect(placeOf(two!, told.slice(0, 1))).toBe(tableOf(view).forces[two!]!.place)
    expect(tableOf(view).forces[one!]!.place).not.toBe('SI')
  })
})

describe('ships that wait for a battle', () => {
  const view = setUp('1942')
  const all = tableOf(view)
  const [first, second] = Object.keys(all.forces).filter((id) => all.counters[id]!.kind === 'SHIP' && all.counters[id]!.side === 'US')
  const ashore = Object.keys(all.forces).find((id) => all.counters[id]!.kind === 'INF')!
  const at = (turn: number, ships: Battle['ships']): TableView => ({
    ...view,
    table: {
      ...all,
      forces: { [first!]: { place: 'MI' }, [second!]: { place: 'HI' }, [ashore]: { place: 'MI' } },
      battle: { area: 'MI', turn, ships, planes: {}, foxhole: [], beach: [], transports: { JA: [], US: [] } },
    },
  })

  it('are those that came there, until they are placed or the battle begins', () => {
    expect(waiting(tableOf(at(0, {})))).toEqual([first])
    expect(waiting(tableOf(at(0, { [first!]: 'CO' })))).toEqual([])
    expect(waiting(tableOf(at(1, {})))).toEqual([])
  })

  it('are counted beside all else that is not placed yet (N9.2)', () => {
    const mark = all.counters[ashore]!.side === 'JA' ? '●' : '★'

    expect(coming(tableOf(at(0, { [first!]: 'CO' })))).toBe(`${mark} 1 ground unit`)
    expect(coming(tableOf(at(0, {})))).toContain('★ 1 ship')
    expect(coming(tableOf(at(1, {})))).toBe('')
  })

  it('are picked in the tray', () => {
    expect(inTray(first!, at(0, {}))).toBe(true)
    expect(inTray(second!, at(0, {}))).toBe(false)
  })
})

describe('combat', () => {
  let seq = 0
  const fact = (type: string, body: object): Told => ({ seq: ++seq, type, body: JSON.stringify({ type, ...body }), words: '' }) as Told
  const shot = (subject: string, by: number, face: number): Told =>
    fact('Rolled', { purpose: 'Bomb runs', subject, by, sides: 10, dice: [face], target: '4 or less hits' })
  const facts = [
    fact('CombatBegan', { step: 'Dogfight', area: 'UO' }),
    fact('CombatBegan', { step: 'Bomb runs', area: 'IS' }),
    shot('us-1', 0, 3),
    shot('ja-1', 1, 9),
    fact('Damaged', { target: 'ja-2', why: 'Bomb runs' }),
    fact('Destroyed', { target: 'ja-2', why: 'Bomb runs' }),
    fact('AirfieldsAre', { side: 1, airfields: 2, why: 'hit by Bomb runs' }),
    fact('AirfieldsAre', { side: 1, airfields: 1, why: 'hit by Bomb runs' }),
    fact('PlanVoid', { plan: 'ja.damage_control', why: 'cancels the hit on [ja-3]' }),
    fact('PlanUsed', { plan: 'us.seabees', effect: 'the hit is cancelled', subject: 'US' }), // as told before revision 4
    fact('PlanUsed', { plan: 'us.damage_control', effect: 'the hit is cancelled', subject: 'transport' }),
    fact('AirfieldsAre', { side: 1, airfields: 0, why: 'without aircraft' }),
  ]

  it('is cut into beats: an area, its dice, what is hit', () => {
    const [beat, ...others] = beatsOf(facts, 0)

    expect(others).toEqual([])
    expect(beat).toMatchObject({ kind: 'Bomb runs', area: 'IS' })
    expect(beat!.shots.map(({ id, side, dice }) => [id, side, dice])).toEqual([
      ['us-1', 'US', [3]],
      ['ja-1', 'JA', [9]],
    ])
    expect(fates(beat!.blows).map(({ id, side, fate, count }) => [id, side, fate, count])).toEqual([
      ['ja-2', null, 'destroyed', 2],
      ['airfield', 'JA', 'hit', 2],
      ['ja-3', 'JA', 'spared', 1],
      ['airfield', 'US', 'spared', 1],
      ['transport', 'US', 'spared', 1],
    ])
    expect([...underFire(beat!)]).toContain('IS JA field')
  })

  it('says of its dice what they needed, what came of them, and what modified them', () => {
    const guns = (face: number, by: number, modifiers: object[]): Told =>
      fact('Rolled', {
        purpose: 'Naval guns',
        subject: 'us-1',
        by,
        sides: 10,
        dice: [face],
        target: '5 or less hits, 3 or less twice',
        modifiers,
      })
    const veterans = [{ reason: 'Veterans', amount: 1 }]
    const [beat] = beatsOf(
      [fact('CombatBegan', { step: 'Naval guns', area: 'CO' }), guns(3, 1, veterans), guns(5, 1, veterans), guns(6, 0, [])],
      0,
    )

    expect(beat!.shots.map(({ target }) => need(target))).toEqual(['≤5, ×2 ≤3', '≤5, ×2 ≤3', '≤5, ×2 ≤3'])
    expect(tally(beat!.shots.slice(0, 2))).toBe('2 rolls, 3 hits (+1 Veterans)')
    expect(tally(beat!.shots.slice(2))).toBe('1 roll, 0 hits')
    expect(need('7 or less')).toBe('')
  })

  it('that goes on keeps the dice it began with, and what is old is no beat', () => {
    expect(beatsOf(facts, 5)[0]!.shots).toHaveLength(2)
    expect(beatsOf(facts, 11)).toEqual([])
    expect(beatsOf([], 0)).toEqual([])
  })

  it('of a battle that has ended is told from that of the next', () => {
    const more = [
      ...facts,
      fact('BattleEnded', { area: 'MA' }),
      fact('BattleBegan', { area: 'MI' }),
      fact('CombatBegan', { step: 'Bomb runs', area: 'JO' }),
      shot('us-2', 0, 1),
    ]

    expect(beatsOf(more, 0).map(({ area, over }) => [area, over])).toEqual([
      ['IS', true],
      ['JO', false],
    ])
  })
})

describe('decisions', () => {
  const view = setUp('1942', { supply: { 0: 12 }, battle: undefined })
  const [us] = data.forces['1942']!.US!
  const fields = {
    force: us!.id,
    ship: us!.id,
    aircraft: us!.id,
    area: 'HI',
    target: 'MI',
    plan: 'us.aaa',
    kind: 'SHIP',
    by: 1,
    group: 'bombers:LBA',
    amount: 1,
    subject: '',
  }
  const make = (type: Decision['type'], more: object = {}): ReturnType<typeof choice> =>
    choice({ type, ...fields, ...more } as Decision, view, { 'us.aaa': 'AAA', HI: 'Hawaiian Islands', MI: 'Midway Island' })

  it('all have words', () => {
    for (const tag of DECISIONS) expect(make(tag).label, tag).not.toBe(tag)
  })

  it('that end something are apart, and have no place on the board', () => {
    for (const tag of DECISIONS.filter((one) => /^(Done|Pass|Take)/.test(one))) expect(make(tag)).toMatchObject({ leaves: true, path: [] })
  })

  it('lead over the board: a force, then where it goes', () => {
    expect(make('MoveForce')).toMatchObject({ path: [us!.id, 'MI'] })
    expect(make('Purchase').path.every((id) => inTray(id, view))).toBe(true)
    expect(make('UsePlan').path).toEqual(['us.aaa'])
    expect(make('UsePlan', { subject: us!.id }).path).toEqual(['us.aaa', us!.id])
    expect(make('AllocateHit', { target: 'airfield' })).toMatchObject({ path: ['airfield:'], label: 'Hit an airfield' })
    const hit = { hit: { victim: 'JA', kind: 'Bomb runs', area: 'IS' } }
    expect(choice({ type: 'AllocateHit', target: 'transport' }, setUp('1942', hit), {})).toMatchObject({ path: ['transport:JA'] })
  })

  it('of one kind are gathered behind one button', () => {
    const list = ['42-us-a', '42-us-b'].map((force) => make('MoveForce', { force, target: 'RAID' }))
    const [all] = bundles(list, view, {})

    expect(all).toMatchObject({ label: 'All submarines raid (2)', count: 2 })
    expect(all!.next(list)).toBe(list[0])
    expect(all!.next([])).toBeUndefined()
  })

  it('say what all repairs cost and what is left, and are not gathered where that is too much', () => {
    const two = data.forces['1942']!.US!.slice(0, 2)
    const list = two.map(({ id }) => make('Repair', { force: id }))
    const { counters } = tableOf(view)
    const sum = two.reduce((all, { id }) => all + Math.max(1, Math.floor((counters[id]?.buy ?? 0) / 2)), 0)
    const labels = (points: number) => bundles(list, setUp('1942', { supply: { 0: points } }), {}).map(({ label }) => label)

    expect(labels(sum + 3)).toEqual([`Repair all (2): ${sum} SP, 3 left`])
    expect(labels(sum - 1)).toEqual([])
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
    expect(where(setUp('1942', { date: 'Jan-Feb 1942', step: 2, step_name: 'US resupply' }))).toEqual({
      turn: 'Turn 1 of 6 · Jan-Feb 1942',
      step: 'US resupply',
      side: 0,
    })
  })

  it('tell why the automated side chose', () => {
    const body = {
      type: 'Chose',
      rule: 'N7.5',
      question: 'Destination of [EAST] from',
      candidates: ['MI', 'WI'],
      chosen: ['WI'],
      steps: [{ reason: 'by the die', left: ['WI'] }],
      die: [7],
      about: 'CI',
    }
    const fact = { seq: 1, type: 'Chose', body: JSON.stringify(body), words: '' } as Told

    expect(why(fact)).toMatchObject({ candidates: ['MI', 'WI'], die: [7], chosen: ['WI'] })
    expect(why({ ...fact, type: 'Rolled' })).toBeNull()
    const steps = ['by id', 'lowest value, ties by id', 'the next lower that is legal'].map((reason) => ({ reason, left: [] }))
    const said = why({ ...fact, body: JSON.stringify({ ...body, steps }) })!.steps.map((step) => step.reason)
    expect(said).toEqual([
      'by the fixed order of N0.5',
      'lowest value, ties by the fixed order of N0.5',
      'where it may not fly, the next area downward where it may',
    ])
    expect(chapter({ ...fact, type: 'TurnBegan', body: '{"turn":3}' }, null)).toEqual({ turn: 3, title: '', side: null })
  })
})
