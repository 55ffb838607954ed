import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NO_MATCH, type TableView, type Told } from '../../protocol/wire'
import { ALLOWANCE, ANCHORS, GRID, PLACES } from './atlas'
import { card } from './card'
import { fleetLabel, nodeLabel, placeLabel } from './labels'
import { mapBundles, mapChoice } from './map/choices'
import { coursesOf, subjectOf } from './map/courses'
import { anchor, beside, cell, centre, courses, distance, flood, hexOf, kind, nameOf, nodes, rimOf, seaward, within } from './map/hexes'
import { AT, SAIL } from './map/ids'
import { trails } from './map/trails'
import { type Box, layingOut, layOut, levelOf, spotOf } from './places'
import { plan } from './plan'
import { byClass, fleets, moves, rangesOf, risksOn, tableOf } from './reading'
import { type Decision, EMPTY, type Headquarters, type Location, type Table, type War } from './shown'

const file = (name: string): string => readFileSync(join(process.cwd(), '..', '..', 'domain', 'pacific_war', 'data', name), 'utf8')
const hexes = JSON.parse(file('hexes.json')) as {
  check: { nodes: number; sea_edges: number }
  coasts: Record<string, string[]>
  ports: Record<string, string>
}
const all = Array.from({ length: GRID.columns * GRID.rows }, (_, place) => nameOf(Math.floor(place / GRID.rows), place % GRID.rows))

/** Hexes round the Coral Sea. */
const AREA = all.filter((hex) => {
  const [column, row] = [Number(hex.slice(0, 2)), Number(hex.slice(2))]
  return column >= 41 && column <= 59 && row >= 34 && row <= 48
})
const area = new Set(AREA)

const air = (side: 'JP' | 'AL', kindOf: string, range: number) => ({
  name: kindOf,
  side,
  nation: side,
  cls: kindOf,
  kind: kindOf,
  range,
  most: 4,
})
const ship = (side: 'JP' | 'AL', cls: string, more: object = {}) => ({ name: cls, side, nation: side, cls, hits: 3, speed: 'F', ...more })

function table(more: Partial<Table> = {}): Table {
  return {
    ...EMPTY,
    scenario: 'E1',
    cycle: 1,
    cycles: 3,
    phase: '5.2.C',
    advantage: 'AL',
    area: AREA,
    roster: {
      ships: { cv: ship('AL', 'CV'), ca: ship('AL', 'CA'), dd: ship('AL', 'DD'), j_cv: ship('JP', 'CV'), j_aa: ship('JP', 'AA') },
      air: { group: air('AL', 'CVG', 3), fighters: air('AL', '1E', 4), flying: air('AL', 'LRA', 9) },
      ground: {},
    },
    locations: {
      port_moresby: { name: 'Port Moresby', hex: '4440', control: 'AL', terrain: 'jungle', port: 2, airbase: 2, aircraft: ['AL'] },
      rabaul: { name: 'Rabaul', hex: '4737', control: 'JP', terrain: 'jungle', port: 3, airbase: 3, airbase_damage: 1, aircraft: ['JP'] },
    },
    tfs: {
      A1: { side: 'AL', node: '5143' },
      J1: { side: 'JP', node: '5142', detected: true, core: ['j_cv'], speed: 'F' },
      J2: { side: 'JP', node: '4939', seen: ['j_aa'], seen_cycle: 1 },
    },
    troops: { AL: [], JP: [] },
    patrols: { '5341': { side: 'JP' } },
    own: {
      side: 'AL',
      fleets: { A1: { core: ['cv'], screen: ['ca', 'dd'], speed: 'F', used: 1 } },
      ships: { cv: { tf: 'A1', damage: 1 }, ca: { tf: 'A1' }, dd: { tf: 'A1' } },
      air: {
        group: { home: 'cv', steps: 4, level: 1, ready: 2, cap: 1 },
        fighters: { home: 'port_moresby', steps: 2, level: 1, ready: 2 },
        flying: { home: 'port_moresby', steps: 1, level: 1, ready: 1 },
      },
      ground: {},
    },
    ...more,
  }
}
const viewOf = (one: Table): TableView => ({ match: { ...NO_MATCH, title: 'pacific_war' }, asked: [1], table: one })

describe('the hexes', () => {
  it('have the nodes and edges that the rules count', () => {
    const every = all.flatMap(nodes)
    const edges = every.reduce((sum, node) => sum + seaward(node).length, 0)

    expect([every.length, edges / 2]).toEqual([hexes.check.nodes, hexes.check.sea_edges])
  })

  it('lie a hundred miles apart, six round each', () => {
    for (const other of beside('5143')) {
      const [one, two] = [centre('5143'), centre(other)]
      expect(Math.hypot(one.x - two.x, one.y - two.y)).toBeCloseTo(100, 6)
      expect(distance('5143', other)).toBe(1)
    }
    expect(within('5143', 2).size).toBe(19)
  })

  it('have every edge both ways', () => {
    const oneWay = all.flatMap(nodes).flatMap((node) =>
      seaward(node)
        .filter((other) => !seaward(other).includes(node))
        .map((other) => `${node} ${other}`),
    )
    expect(oneWay).toEqual([])
  })

  it('let a fleet lie in its own hex, on its own coast', () => {
    for (const [hex, coasts] of Object.entries(hexes.coasts)) {
      const spots = coasts.map(anchor)
      const middle = centre(hex)
      for (const { x, y } of spots) expect(Math.hypot(x - middle.x, y - middle.y)).toBeLessThan(62)
      expect(new Set(spots.map(({ x, y }) => `${x} ${y}`)).size).toBe(coasts.length)
    }
    expect(ANCHORS.split(' ').every((one) => kind(one.slice(0, 4)) === 'h')).toBe(true)
  })

  it('are cut into the parts of their coasts, which together fill them', () => {
    const size = (points: readonly { x: number; y: number }[]): number =>
      Math.abs(points.reduce((sum, { x, y }, place) => sum + x * points.at(place - 1)!.y - points.at(place - 1)!.x * y, 0)) / 2
    const whole = size(cell('5143'))
    for (const coasts of Object.values(hexes.coasts)) {
      const parts = coasts.map((node) => size(cell(node)))
      expect(Math.min(...parts)).toBeGreaterThan(0)
      const sum = parts.reduce((one, other) => one + other, 0)
      expect(sum).toBeLessThanOrEqual(whole + 1)
      expect(sum).toBeGreaterThan(whole * 0.85)
    }
  })

  it('have a rim of the sides that lead out', () => {
    expect(rimOf(new Set(['5143'])).match(/M/g)).toHaveLength(6)
    expect(rimOf(within('5143', 1)).match(/M/g)).toHaveLength(18)
  })
})

describe('a way', () => {
  // From, to, what is shunned, and the way that the server takes (`atlas.course`).
  it.each([
    ['5144', '5241', '5140 5142 5145 5242', '5143 5142 5141 5241'],
    ['4642', '4242', '4141 4444 4643 4741', '4542 4443 4342 4242'],
    ['4947', '5144', '', '4946 4945 5045 5144'],
    ['4241', '4844', '4241 4242 4642', '4341 4442 4542 4643 4743 4844'],
    ['4739', '5240', '4640', '4839 4938 5039 5139 5240'],
    ['4235', '4638b', '', '4335 4436 4536 4637 4638b'],
    ['4638b', '4236', '4537', '4537 4437 4336 4236'],
    ['5639', '5041', '5242 5339 5439 5540', '5539 5440 5340 5241 5141 5041'],
  ])('from %s to %s, past %s, is the way of the rules', (from, to, past, way) => {
    expect(
      courses(from, 6, area, new Set(past.split(' ')))
        .get(to)
        ?.join(' '),
    ).toBe(way)
  })

  it('is as long as the shortest, to all that can be reached, and only there', () => {
    const [near, ways] = [flood('5143', 4, area), courses('5143', 4, area, new Set())]

    expect([...ways.keys()].sort()).toEqual([...near.keys()].filter((node) => node !== '5143').sort())
    for (const [node, way] of ways) {
      expect(way).toHaveLength(near.get(node)!)
      expect(way.at(-1)).toBe(node)
      way.forEach((one, place) => expect(seaward(place ? way[place - 1]! : '5143')).toContain(one))
    }
  })

  it('goes round what is shunned where that is as short (P23.4.1)', () => {
    const straight = courses('5143', 4, area, new Set()).get('5240')!
    const round = courses('5143', 4, area, new Set([straight[1]!])).get('5240')!

    expect(round).toHaveLength(straight.length)
    expect(round).not.toContain(straight[1])
  })

  it('names patrols and fleets on it before it is sailed', () => {
    const now = table()

    expect(risksOn(now, 'AL', ['5142']).map(({ words }) => words)).toEqual(['J1 may stop it (1 CV)'])
    expect(risksOn(now, 'AL', ['5340', '5341'])).toHaveLength(1)
    expect(risksOn(now, 'AL', ['5144'])).toEqual([])
  })

  it('leads no farther than what is left of the allowance', () => {
    const ways = coursesOf(viewOf(table()), table(), 'A1')

    expect(Math.max(...[...ways.values()].map(({ way }) => way.length))).toBe(ALLOWANCE.F! - 1)
  })
})

describe('a choice', () => {
  const question = 'Choose where [A1] sails: 4 hexes left.'
  const of = (decision: Decision, now = table()) => mapChoice(decision, viewOf(now), {}, question)!

  it('knows from the question which task force sails', () => {
    expect(subjectOf(question)).toBe('A1')
    expect(subjectOf('Declare a mission.')).toBe('')
  })

  it('is a click on the goal, and another where something may happen on the way', () => {
    expect(of({ type: 'sail_to', node: '5144' })).toMatchObject({ path: [`${AT}5144`], label: 'Sail to hex 5144, 1 hex' })
    expect(of({ type: 'sail_to', node: '5142' })).toMatchObject({ path: [`${AT}5142`, SAIL], whole: true })
    expect(of({ type: 'sail_to', node: '5142' }).label).toContain('J1 may stop it')
  })

  it('of many steps goes as one: each unit with all of them', () => {
    const cap = (unit: string, steps: number) => of({ type: 'assign_cap', unit, steps })
    const list = [cap('group', 1), cap('group', 2), cap('fighters', 1), cap('fighters', 2)]
    const [bundle] = mapBundles(list)

    expect(bundle!.count).toBe(2)
    expect(bundle!.next(list)).toBe(list[1])
  })

  it('belongs elsewhere where it is none of the map', () => {
    expect(mapChoice({ type: 'engage' }, viewOf(table()), {})).toBeNull()
  })
})

describe('the table', () => {
  it('has own fleets with what is in them, and others as they were seen', () => {
    const [a1, j1, j2] = fleets(table())

    expect(a1).toMatchObject({ mine: true, ships: ['cv', 'ca', 'dd'], left: 4 })
    expect(j1).toMatchObject({ mine: false, detected: true, ships: ['j_cv'], left: -1 })
    expect(j2).toMatchObject({ ships: [], seen: ['j_aa'], seenCycle: 1 })
    expect(fleetLabel(table(), j2!, {})).toContain('seen in cycle 1: 1 AA')
  })

  it('says whose movement it is', () => {
    expect(moves(table())).toBe('AL')
    expect(moves(table({ phase: '5.2.K' }))).toBe('JP')
    expect(moves(table({ phase: '5.2.D' }))).toBeNull()
  })

  it('counts ships by class, the weightiest first', () => {
    expect(byClass(table(), ['dd', 'cv', 'ca', 'dd'])).toBe('1 CV, 1 CA, 2 DD')
  })

  it('knows how far what is at a place flies and searches', () => {
    expect(rangesOf(table(), 'port_moresby').map(({ what, hexes: far }) => `${what} ${far}`)).toEqual(['search 10', 'fly 4', 'search 3'])
    // A carrier group searches only where a step of it is told to.
    expect(rangesOf(table(), 'A1').map(({ what }) => what)).toEqual(['fly'])
  })

  it('reads a place and a goal aloud', () => {
    expect(placeLabel(table(), 'rabaul', {})).toContain('airbase 2 of 3, Japan: air units, not known which')
    expect(nodeLabel(table(), '4740a')).toMatch(/^hex 4740, coast a, shore/)
    expect(card('A1', viewOf(table()), {})!.notes).toContain('speed F, 4 hexes left')
  })

  it('may be empty', () => {
    expect(tableOf({ match: NO_MATCH, asked: [], table: {} }).area).toEqual([])
    expect(layOut(EMPTY, [], 40)).toEqual({ boats: [], chips: [], plates: [], camps: [], names: [] })
  })
})

describe('the sheet', () => {
  it.each([0.6, 0.8, 1, 1.4, 1.8, 2.2])('holds the whole area in a window of any shape: %d', (aspect) => {
    const chart = plan(AREA, aspect)

    expect(chart.width / chart.height).toBeCloseTo(Math.max(0.62, aspect), 5)
    for (const hex of AREA) {
      const { x, y } = centre(hex)
      expect(x).toBeGreaterThan(chart.left)
      expect(x).toBeLessThan(chart.left + chart.width)
      expect(y).toBeGreaterThan(chart.top)
      expect(y).toBeLessThan(chart.top + chart.height)
    }
    expect(plan(AREA, aspect)).toBe(chart)
  })

  it('has the whole map before anything is played', () => {
    expect(plan([], 1.4).width).toBeGreaterThan(7000)
  })

  it('puts places into their hexes', () => {
    for (const [id, , hex] of PLACES) {
      const [{ x, y }, middle] = [spotOf(id, hex), centre(hex)]
      expect(Math.hypot(x - middle.x, y - middle.y)).toBeLessThan(62)
    }
  })

  it.each([20, 45, 100, 270])('lays marks out so that none covers another, at %d pixels a hex', (pixels) => {
    const { chips, plates } = layOut(table(), [], pixels)

    expect(chips.map(({ id }) => id).sort()).toEqual(['A1', 'J1', 'J2'])
    const boxes = [...chips, ...plates]
    const per = pixels / 100
    const covers = boxes.flatMap((one, place) =>
      boxes.slice(place + 1).filter((other) => {
        const [across, down] = [Math.abs(one.x - other.x) * per, Math.abs(one.y - other.y) * per]
        return across < (one.w + other.w) / 2 - 0.5 && down < (one.h + other.h) / 2 - 0.5
      }),
    )
    expect(covers).toEqual([])
  })

  it.each([9, 11, 13, 18, 25])('names on the whole map only what there is room for, at %d pixels a hex', (pixels) => {
    const places = PLACES.map(([id, name, hex, , , port, airbase]) => {
      const place: Location = { name, hex, control: 'AL', terrain: 'clear', port, airbase, ships: port > 3 ? ['AL'] : [] }
      return [id, place] as const
    })
    const post = (site: string): Headquarters => ({ name: '', side: 'AL', site, radius: 15, op_cost: 4, most: 60 })
    const sites = ['tokyo', 'truk', 'saigon', 'manila', 'singapore', 'pearl_harbor', 'surabaya', 'colombo', 'sydney']
    const war = { headquarters: Object.fromEntries(sites.map((site) => [site, post(site)])) } as unknown as War
    const { plates } = layOut({ ...EMPTY, locations: Object.fromEntries(places), war }, [], pixels)
    const per = pixels / 100
    const labels = plates.flatMap(({ id, x, y, label, place: { name } }) => {
      if (!label) return []
      const w = name.length * 5.9 + 4
      const dx = label.x + { start: w / 2, middle: 0, end: -w / 2 }[label.anchor]
      return [{ id, x: x * per + dx, y: y * per + label.y - 4, w, h: 12 }]
    })
    const marks = plates.map((one) => ({ ...one, x: one.x * per, y: one.y * per }))
    const shared = (one: Box, other: Box): number =>
      Math.max(0, (one.w + other.w) / 2 - Math.abs(one.x - other.x)) * Math.max(0, (one.h + other.h) / 2 - Math.abs(one.y - other.y))
    const covered = (one: Box & { id: string }, others: readonly (Box & { id: string })[]): number =>
      others.reduce((sum, other) => sum + Math.min(shared(one, other), one.w * one.h), 0)

    const named = new Set(labels.map(({ id }) => id))
    expect(named.size).toBeGreaterThan(20)
    expect(sites.filter((id) => !named.has(id))).toEqual([])
    for (const one of labels) {
      const around = [...labels.filter((other) => other !== one), ...marks.filter(({ id }) => id !== one.id)]
      expect(covered(one, around), one.id).toBeLessThanOrEqual(sites.includes(one.id) ? 0.16 * one.w * one.h : 1)
    }
  })

  it('lays out anew only where something that lies on the map has changed', () => {
    const [lay, of, names] = [layingOut(), table(), []]
    const laid = lay(of, names, 45)

    expect(lay({ ...of, month: '1945-08' }, names, 45)).toBe(laid)
    expect(lay({ ...of, troops: { ...of.troops } }, names, 45)).not.toBe(laid)
    expect(lay(of, names, 45)).toEqual(laid)
    expect(lay({ ...of, phase: '5.2.C', advantage: 'JP' }, names, 45)).not.toBe(laid)
    const again = lay(of, names, 45)
    expect(lay({ ...of, war: { headquarters: {} } as War }, names, 45)).not.toBe(again)
  })

  it('covers little where there is no room, and lies as near as it can', () => {
    const of = table()
    const id = of.tfs.A1 ? 'A1' : ''
    const crowd = Object.fromEntries(Array.from({ length: 9 }, (_, place) => [`A${place + 10}`, { ...of.tfs[id]! }]))
    const { chips } = layOut({ ...of, tfs: { ...of.tfs, ...crowd } }, [], 45)
    const boxes = chips.filter((chip) => chip.fleet.node === of.tfs[id]!.node)

    expect(boxes).toHaveLength(10)
    for (const [place, one] of boxes.entries()) {
      for (const other of boxes.slice(place + 1)) {
        expect(Math.abs(one.x - other.x) >= (one.w - 1) / 0.45 || Math.abs(one.y - other.y) >= (one.h - 1) / 0.45).toBe(true)
      }
    }
  })

  it('shows more the closer it is seen', () => {
    expect([20, 45, 100, 270].map(levelOf)).toEqual([0, 1, 2, 3])
    const [close] = layOut(table(), [], 270).chips.filter(({ id }) => id === 'A1')
    expect(close!.rows.map(({ id }) => id)).toEqual(['cv', 'group', 'ca', 'dd'])
    expect(close!.rows[1]!.pips).toEqual({ ready: 2, cap: 1, used: 1 })
  })
})

it('draws the ways of the last movement phase, each from where it began', () => {
  const told = (type: string, body: object): Told =>
    ({ seq: 1, type, body: JSON.stringify(body), words: '', command: '' }) as unknown as Told
  const facts = [
    told('SetUp', { tfs: { A1: { side: 1, node: '5143' }, J1: { side: 0, node: '5142' } } }),
    told('PhaseBegan', { phase: '5.2.C' }),
    told('Sailed', { tf: 'J1', path: ['5141'] }),
    told('PhaseBegan', { phase: '5.2.K' }),
    told('Sailed', { tf: 'A1', path: ['5144'] }),
    told('Sailed', { tf: 'A1', path: ['5145', '5146'] }),
  ]

  const [only, ...others] = trails(facts)

  expect(others).toEqual([])
  expect(only).toMatchObject({ tf: 'A1', side: 'AL' })
  expect(only!.d.match(/[ML]/g)).toEqual(['M', 'L', 'L', 'L'])
  expect(hexOf('4740a')).toBe('4740')
})
