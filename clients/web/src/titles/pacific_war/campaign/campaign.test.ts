import { beforeAll, describe, expect, it } from 'vitest'
import { NO_MATCH, type TableView, type Told } from '../../../protocol/wire'
import { monthName } from '../../../words/months'
import { coursesOf, unpicked } from '../map/courses'
import { gathers } from '../gathers'
import { title } from '../index'
import { fleets, moves } from '../reading'
import { type Decision, EMPTY, type Table, type War } from '../shown'
import { bundles, chapter, choice, inTray, silent, weight, where } from '../words'
import { score } from '../losses/points'
import { affords, holder, lasting, pointsOf, posts, reserves } from './figures'
import { actsIn, monthOfPhases, stepOf } from './months'
import { loadCampaign } from './words.svelte'

beforeAll(loadCampaign)

const WAR: War = {
  ends: '1942-12',
  day: 12,
  initiative: -1,
  headquarters: {
    hq_cf: { name: 'Combined Fleet', side: 'JP', site: 'truk', radius: 15, op_cost: 4, most: 60 },
    hq_sea: { name: 'Southeast Area', side: 'JP', site: 'truk', radius: 10, op_cost: 3, most: 40 },
    hq_sopac: { name: 'South Pacific Area', side: 'AL', site: 'noumea', radius: 15, op_cost: 4, most: 60 },
    hq_swpa: { name: 'Southwest Pacific Area', side: 'AL', site: 'brisbane', radius: 15, op_cost: 4, most: 90 },
  },
  operations: 2,
  totals: { JP: 36, AL: 58 },
  damage: { JP: 3, AL: 5 },
  places: { JP: 10, AL: 22 },
}
const ground = { side: 'AL' as const, nation: 'US', size: 'D', tq: 7, most: 3 }
const TABLE: Table = {
  ...EMPTY,
  scenario: 'C1',
  month: '1942-08',
  phase: '5.1.P',
  area: ['5740', '5741', '5844', '5845'],
  roster: {
    ships: { ca: { name: 'Chicago', side: 'AL', nation: 'US', cls: 'CA', hits: 4, speed: 'F' } },
    air: { fg: { name: '67th Fighters', side: 'AL', nation: 'US', cls: '1E', kind: '1E', range: 4, most: 3 } },
    ground: { marines: { name: '1st Marines', ...ground }, raiders: { name: '1st Raiders', ...ground } },
  },
  locations: {
    noumea: { name: 'Noumea', hex: '5747', control: 'AL', terrain: 'jungle', port: 3 },
    truk: { name: 'Truk', hex: '4630', control: 'JP', terrain: 'atoll', port: 4 },
    brisbane: { name: 'Brisbane', hex: '4851', control: 'AL', terrain: 'clear', port: 3 },
  },
  tfs: { A1: { side: 'AL', node: '5740' }, A2: { side: 'AL', node: '5741' } },
  war: WAR,
  own: {
    side: 'AL',
    fleets: { A1: { screen: ['ca'], speed: 'F', used: 1 } },
    ships: { ca: { port: 'noumea' } },
    air: { fg: { home: 'noumea', steps: 3, level: 1 } },
    ground: { marines: { hex: '5747', steps: 3 }, raiders: { hex: '4851', steps: 1 } },
  },
}
const viewOf = (more: Partial<Table> = {}): TableView => ({
  match: { ...NO_MATCH, title: 'pacific_war' },
  asked: [1],
  table: { ...TABLE, ...more },
})
const NAMES = { marines: '1st Marine Division', fg: '67th Fighter Squadron', ca: 'Chicago', hq_sopac: 'South Pacific Area' }
const said = (decision: object, question = ''): ReturnType<typeof choice> => choice(decision as Decision, viewOf(), NAMES, question)

describe('a decision of a campaign', () => {
  it.each<[Decision, string, string[]]>([
    [{ type: 'place_osb', location: 'noumea' }, 'Place a support base at Noumea', ['noumea']],
    [{ type: 'bid_from', hq: 'hq_sopac' }, 'Bid from South Pacific Area', ['hq:hq_sopac']],
    [{ type: 'bid', amount: 1 }, 'Bid 1 Command Point', ['many:1']],
    [{ type: 'pay_from', hq: 'hq_sopac' }, 'Pay from South Pacific Area', ['noumea']],
    [{ type: 'allocate_cp', purse: 'US', hq: 'hq_sopac' }, 'American Command Points for South Pacific Area', ['hq:hq_sopac']],
    [{ type: 'command_points', points: 12 }, '12 Command Points', ['many:12']],
    [{ type: 'activate', unit: 'marines' }, 'Activate 1st Marine Division', ['marines', 'on:marines']],
    [{ type: 'undo_activation', unit: 'ca' }, 'Do not activate Chicago after all', ['ca', 'back:ca']],
    [{ type: 'assign_to_tf', tf: 'A1', slot: 'screen' }, 'To A1, in the screen', ['A1', 'join:A1:screen']],
    [{ type: 'time_multiple', k: 2 }, 'Plan for 42 days', []],
    [{ type: 'ferry', air: 'fg' }, 'Ferry 67th Fighter Squadron', ['fg', 'ferry:fg']],
    [{ type: 'standing_order', n: 6 }, 'Pass until a Detected enemy task force is within 6 hexes', []],
    [{ type: 'patrol_from', command: 'brisbane' }, 'Send a patrol from Brisbane', ['brisbane']],
    [
      { type: 'establish_ecl', location: 'noumea', kind: 'destroyer', hq: 'hq_sopac' },
      'Emergency link by destroyers to Noumea, paid by South Pacific Area',
      ['noumea', 'do:noumea:establish_ecl:noumea:destroyer:South_Pacific_Area'],
    ],
    [{ type: 'patrol_at', hex: '4737' }, 'Patrol at hex 4737', ['hex:4737']],
  ])('%o has its words and its place', (decision, label, path) => {
    const made = said(decision)

    expect([made.label, made.path]).toEqual([label, path])
  })

  it.each<[Decision, string, string | undefined]>([
    [{ type: 'raid', base: 'noumea', mode: 'mining' }, 'Mining from Noumea', 'Mining'],
    [{ type: 'raid', base: 'chengtu', mode: 'precision' }, 'Precision bombing from Chengtu airfields', undefined],
    [{ type: 'bombing_points', points: 2 }, '2 Strategic Bombing Points', undefined],
    [{ type: 'lift_sbp', base: 'noumea', n: 1 }, 'Lift 1 Strategic Bombing Point from Noumea', 'Lift 1 point'],
    [{ type: 'place_sbp', base: 'noumea' }, 'Base Strategic Bombing Points at Noumea', 'Base bombers here'],
    [{ type: 'assign_escort', dd: 'ca' }, 'Put Chicago on escort duty', 'On escort duty'],
    [{ type: 'release_escort', dd: 'ca', port: 'truk' }, 'Take Chicago off escort duty, to Truk', 'Off duty'],
    [{ type: 'priority', what: 'merchants' }, 'Go for merchant ships', undefined],
    [
      { type: 'establish_ecl', location: 'noumea', kind: 'air', hq: 'hq_sopac' },
      'Emergency link by air to Noumea, paid by South Pacific Area',
      'Emergency link by air',
    ],
    [
      { type: 'maintain_ecl', location: 'noumea', hq: 'hq_sopac' },
      'Keep up the link to Noumea, paid by South Pacific Area',
      'Keep the link up',
    ],
    [{ type: 'drop_ecl', location: 'noumea' }, 'Drop the link to Noumea', 'Drop the link'],
  ])('%o says on its button what is ordered (P8, P9, P11.7)', (decision, label, short) => {
    const made = choice(decision, viewOf(), { ...NAMES, chengtu: 'Chengtu airfields' })

    expect([made.label, made.short]).toEqual([label, short])
  })

  it('has a headquarters as a button alone where another one stands beside it', () => {
    const { path, button, short } = said({ type: 'pay_from', hq: 'hq_cf' })

    expect([path, button, short]).toEqual([[], true, 'Combined Fleet'])
  })

  it('says how many points a headquarters has that may pay', () => {
    const means = { level: 1, points: { hq_sopac: 29 }, links: {}, submarines: {}, penalty: {}, transport: {}, steps: {} }
    const view = viewOf({ own: { ...TABLE.own!, means } })

    expect(choice({ type: 'pay_from', hq: 'hq_sopac' }, view, NAMES).short).toBe('South Pacific Area: 29')
  })

  it('says what is proposed (P0.9.1)', () => {
    const question = '58 Command Points to share out. Proposed: [hq_sopac] 29, [hq_swpa] 29.'

    expect(said({ type: 'suggested' }, question).label).toBe('As proposed: South Pacific Area 29, Southwest Pacific Area 29')
    expect(said({ type: 'suggested' }).label).toBe('As proposed')
  })

  it('leaves the proposal to the board where it has more than three shares (P10.3)', () => {
    const asked = (...shares: string[]): string => title.asks!(`34 Command Points to share out; or not. Proposed: ${shares.join(', ')}.`)

    expect(asked('[a] 1', '[b] 2', '[c] 3')).toBe('34 Command Points to share out; or not. Proposed: [a] 1, [b] 2, [c] 3.')
    expect(asked('[a] 1', '[b] 2', '[c] 3', '[d] 4')).toBe('34 Command Points to share out; or not. The board can be set as proposed.')
    expect(title.asks!('Patrols. Proposed: 4 from [a], 2 from [b], 1, 1, 1.')).toContain('Proposed: 4 from')
  })

  it('says what the house proposes for the rest of a chapter, the first of it on its button (P0.9.1, P16.1)', () => {
    const { label, short } = said({ type: 'suggested', picks: ['a step to [fg]', 'a step to [fg]', 'a step to [marines]'] })

    expect(label).toBe('As proposed: a step to 67th Fighter Squadron ×2; a step to 1st Marine Division')
    expect(short).toBe('As proposed: a step to 67th Fighter Squadron ×2, and 1 more')
    expect(said({ type: 'suggested', picks: ['repair [ca]'] }).short).toBe('As proposed: repair Chicago')
    const carried = ['transport [fg] to [noumea]', 'transport [marines] to [noumea]']
    expect(said({ type: 'suggested', picks: carried }).label).toBe(
      'As proposed: transport 67th Fighter Squadron to Noumea; transport 1st Marine Division to Noumea',
    )
    expect(said({ type: 'suggested', picks: ['to [noumea]'] }).label).toBe('As proposed: to Noumea')
  })

  it('ends a step where it declines', () => {
    const ends = (type: string): boolean => said({ type, yes: false }).leaves

    expect(['no_bid', 'forfeit', 'end_contact', 'claim_operation'].map(ends)).toEqual([true, true, true, true])
    expect(['end_day', 'suggested', 'continue'].map(ends)).toEqual([false, false, false])
  })

  it('is said by what it holds where nobody has words for it', () => {
    const labels = [
      { type: 'build_airbase', location: 'noumea' },
      { type: 'place_reinforcement', unit: 'marines', location: 'noumea' },
      { type: 'transport', unit: 'fg', origin: 'noumea', to: 'brisbane' },
      { type: 'assign_subs', command: 'brisbane', points: 2 },
      { type: 'to', place: '5740' },
      { type: 'move_hq', hq: 'hq_swpa', site: 'noumea' },
      { type: 'raise_level', unit: 'fg', free: true },
    ].map((one) => said(one).label)

    expect(labels).toEqual([
      'Build airbase at Noumea',
      'Place reinforcement: 1st Marine Division to Noumea',
      'Transport: 67th Fighter Squadron from Noumea to Brisbane',
      'Assign submarines: 2 points at Brisbane',
      'To hex 5740',
      'Move headquarters: Southwest Pacific Area to Noumea',
      'Raise level: 67th Fighter Squadron, free',
    ])
  })

  it('names a headquarters alone that may be moved, so that what ends the step has room beside four of them', () => {
    expect(said({ type: 'move_hq', hq: 'hq_swpa' })).toMatchObject({
      label: 'Move headquarters: Southwest Pacific Area',
      short: 'Southwest Pacific Area',
    })
  })

  it('is told from others of its kind by what is picked', () => {
    const [repairs, builds] = [
      { type: 'repair_port', location: 'noumea' },
      { type: 'build_port', location: 'noumea' },
    ].map((one) => said(one))

    expect(repairs!.path[0]).toBe('noumea')
    expect(repairs!.path[1]).not.toBe(builds!.path[1])
    expect([repairs!.whole, inTray(repairs!.path[1]!, viewOf())]).toEqual([true, true])
    expect(said({ type: 'place_reinforcement', unit: 'marines', location: 'noumea' }).path).toEqual(['marines', 'noumea'])
  })

  it('is one click on the map where something comes that was picked before (P14.1)', () => {
    const { path, whole } = said({ type: 'to', place: 'noumea' })

    expect([path, whole]).toEqual([['noumea'], false])
  })

  it('is picked in the tray where a unit does it', () => {
    const view = viewOf()

    expect(['on:marines', 'back:ca', 'many:3', 'ferry:fg', 'marines', 'hq:hq_sopac'].every((id) => inTray(id, view))).toBe(true)
    expect(inTray('noumea', view)).toBe(false)
  })
})

describe('many at once', () => {
  const all = (...units: string[]): ReturnType<typeof choice>[] => units.map((unit) => said({ type: 'activate', unit }))

  it('are the air and ground units of a place, without its ships', () => {
    const [one, ...more] = bundles(all('ca', 'fg', 'marines', 'raiders'), viewOf())

    expect([one?.label, one?.count, more]).toEqual(['Activate all at Noumea (2)', 2, []])
    expect(one?.next(all('ca', 'raiders', 'marines'))?.label).toBe('Activate 1st Marine Division')
    expect(one?.next(all('ca', 'raiders'))).toBeUndefined()
  })

  it('are not offered outside a campaign', () => {
    expect(bundles(all('fg', 'marines'), viewOf({ war: undefined }))).toEqual([])
  })
})

describe('contact movement', () => {
  const operation = { player: 'AL' as const, bid: 20, planned: 14, moved: 6, damage: { JP: 0, AL: 0 } }
  const at = (phase: string): Table => ({ ...TABLE, phase, war: { ...WAR, operation } })

  it('is that of who leads the Operation, then of the other (P23.4, P23.5.1)', () => {
    expect([moves(at('5.1.R')), moves(at('5.1.T')), moves(at('5.1.P'))]).toEqual(['AL', 'JP', null])
  })

  it('goes three hexes a day (P23.4)', () => {
    const left = (phase: string): number | undefined => fleets(at(phase)).find(({ id }) => id === 'A1')?.left

    expect([left('5.1.R'), left('5.1.P')]).toEqual([2, -1])
  })

  it('has its ways and what may happen on them', () => {
    const patrols = { '5741': { side: 'JP' as const } }
    const ways = coursesOf({ ...viewOf(), table: { ...at('5.1.R'), patrols } }, { ...at('5.1.R'), patrols }, 'A1')

    expect(ways.get('5741')?.risks.map(({ words }) => words)).toEqual(['submarine patrol at hex 5741'])
  })
})

const told = (type: string, body: object): Told =>
  ({ seq: 1, type, body: JSON.stringify({ type, ...body }), words: '', command: '' }) as unknown as Told

describe('what a question is about', () => {
  const question = "Force the end of the enemy's contact movement, or let him go on. You have found [A2], [A1]."

  it('is the first task force that was found, where nothing on the map answers (P23.5)', () => {
    expect(unpicked(TABLE, question, new Set())).toBe('A2')
    expect(unpicked(TABLE, question, new Set(['A1']))).toBe('')
    expect(unpicked(TABLE, 'Pay from [hq_sopac]?', new Set())).toBe('')
  })
})

describe('where a campaign stands', () => {
  const operation = { player: 'AL' as const, bid: 20, planned: 14, damage: { JP: 0, AL: 0 } }
  const at = (phase: string, more: Partial<Table> = {}): ReturnType<typeof where> =>
    where(viewOf({ phase, war: { ...WAR, operation }, lighting: 'Night', cycle: 2, ...more }))

  it('is its month and day, and the phase', () => {
    expect(at('5.1.R')).toEqual({ turn: 'August 1942, day 12', step: 'R Contact movement', side: 1 })
    expect(at('5.1.S').side).toBe(0)
    expect(at('5.1.G', { war: { ...WAR, day: 0 } })).toEqual({ turn: 'August 1942, month begins', step: 'G Command Points', side: null })
  })

  it('is also its cycle while one is fought', () => {
    expect(at('5.2.C', { advantage: 'JP' })).toEqual({
      turn: 'August 1942, day 12 · cycle 2 · Night',
      step: 'C Advantage movement',
      side: 0,
    })
  })

  it('knows the phases that each side goes through by itself as one (R-44)', () => {
    expect(['5.1.I', '5.1.J', '5.1.M'].map((id) => stepOf(id)?.letter)).toEqual(['I–M', 'I–M', 'I–M'])
    expect(actsIn(stepOf('5.2.K'), 'JP', 'JP')).toBe('AL')
    expect(monthName('1943-01')).toBe('January 1943')
  })

  it('has in the war the phases of the homeland and of shipping, with whose they are (P5.1)', () => {
    const letters = (scenario: string): string[] => monthOfPhases(scenario).map(({ letter }) => letter)

    expect(letters('S1')).toEqual(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I–M', 'N'])
    expect(letters('C1')).toEqual(['B', 'G', 'H', 'I–M', 'N'])
    expect(['C', 'D', 'E', 'F'].map((letter) => actsIn(stepOf(`5.1.${letter}`), undefined, undefined))).toEqual(['AL', 'JP', 'AL', null])
  })
})

describe('the log of a campaign', () => {
  type Read = NonNullable<ReturnType<typeof chapter>>
  const read = (...facts: Told[]): Read[] => {
    const found: Read[] = []
    let now: Read | null = null
    for (const fact of facts) {
      const next: Read | null = chapter(fact, now)
      if (next) found.push(next)
      now = next ?? now
    }
    return found
  }
  const short = (found: Read[]): unknown[] => found.map(({ turn, named, title, side }) => [turn, named, title, side])
  const began = (phase: string): Told => told('PhaseBegan', { phase, name: 'as the server says' })
  const led = (more: object, why = 'leads'): Told => told('OperationIs', { operation: { player: 1, ...more }, why })

  it('counts no turn twice before its words are loaded, when its cycles are taken for those of a battle', () => {
    const cycle = told('CycleBegan', { cycle: 1 })

    expect(chapter(cycle, { turn: 2, title: '', side: null })).toMatchObject({ turn: 2 })
    expect(chapter(cycle, { turn: 0, title: '', side: null })).toMatchObject({ turn: 1 })
  })

  it('has months and Operations as its turns', () => {
    const found = read(
      told('MonthsSetUp', { war: { month: '1942-08' } }),
      began('5.1.G'),
      began('5.1.O'),
      told('OperationIs', { operation: { player: 1, hq: '' }, why: 'leads', begun: true }),
      began('5.1.P'),
      led({ hq: 'hq_sopac' }, 'An Operation of Level 1'),
      began('5.1.S'),
      told('CycleBegan', { cycle: 1 }),
      began('5.2.C'),
      told('OperationIs', { operation: null, why: 'The Operation is over' }),
      told('MonthIs', { month: '1942-09' }),
    )

    expect(short(found)).toEqual([
      [1, 'August 1942', '', null],
      [1, 'August 1942', 'G Command Points', null],
      [2, 'Bids', '', null],
      [2, 'Operation 1: [side:1]', '', 1],
      [2, 'Operation 1: [side:1]', 'P Activation', 1],
      [2, 'Operation 1: [side:1], from [hq_sopac]', '', 1],
      [2, 'Operation 1: [side:1], from [hq_sopac]', 'S Reaction', 0],
      [2, 'Operation 1: [side:1], from [hq_sopac]', 'Cycle 1', null],
      [2, 'Operation 1: [side:1], from [hq_sopac]', 'Cycle 1, C Advantage movement', null],
      [3, 'September 1942', '', null],
    ])
  })

  it('goes on with an Operation after a month end, and counts one that is claimed (P5.4.2)', () => {
    const found = read(
      told('MonthsSetUp', { war: { month: '1942-08' } }),
      began('5.1.O'),
      told('OperationIs', { operation: { player: 0, hq: 'hq_cf' }, why: 'leads', begun: true }),
      told('MonthIs', { month: '1942-09' }),
      led({ player: 0, hq: 'hq_cf' }, 'The Operation goes on'),
      told('OperationIs', { operation: { player: 1, hq: 'hq_swpa' }, why: 'leads', begun: true }),
    )

    expect(short(found).slice(3)).toEqual([
      [3, 'September 1942', '', null],
      [4, 'Operation 1: [side:0], from [hq_cf], goes on', '', 0],
      [5, 'Operation 2: [side:1], from [hq_swpa]', '', 1],
    ])
  })

  it('keeps the cycles of a battle as its turns', () => {
    const found = read(told('CycleBegan', { cycle: 2 }), began('5.2.C'))

    expect(found.map(({ turn, named, title }) => [turn, named, title])).toEqual([
      [2, undefined, ''],
      [2, undefined, 'C as the server says'],
    ])
  })

  it('passes over what keeps the books', () => {
    const books = [
      told('LinksAre', {}),
      told('PicksKept', {}),
      told('SearchesMade', {}),
      told('MeansAre', { points: { hq_cf: 3 }, why: 'activating' }),
    ]

    expect(books.every(silent)).toBe(true)
    expect(silent(led({}, 'The task forces have had 6 hexes of contact movement'))).toBe(true)
  })

  it('tells a player what came where in the steps I to M, several in one line (P5.1, P14.1)', () => {
    const own = (why: string, words = ''): Told => ({ ...told('OwnUnits', { side: 1, why }), words })
    const comes = own('come as reinforcements', 'Own units of [side:1], come as reinforcements: in port at [noumea]: [ca]')

    expect(silent(comes)).toBe(false)
    expect(gathers(comes)).toEqual({ what: 'units come as reinforcements', item: '[ca] at [noumea]' })
    expect(gathers(own('replacements'))).toEqual({ what: 'replacements' })
    for (const why of ['at sea', 'on CAP', '']) expect([silent(own(why)), gathers(own(why))]).toEqual([true, null])
  })

  it('tells a player his level, his Condition and what he allotted', () => {
    const heard = [{ level: 0 }, { condition: 'A' }, { points: { hq_cf: 18 }, why: 'allocated' }].map((one) => told('MeansAre', one))

    expect(heard.some(silent)).toBe(false)
    expect(silent(led({}, 'The Condition is Ambush'))).toBe(false)
    expect(weight(told('BidsOpened', {}))).toBe('heavy')
  })
})

describe('the figures of a month', () => {
  it('say who has the initiative, and by how much (P19.1)', () => {
    expect([holder({ initiative: 4 }), holder({ initiative: -1 }), holder({ initiative: 0 })]).toEqual([
      { side: 'JP', by: 4 },
      { side: 'AL', by: 1 },
      { side: null, by: 0 },
    ])
  })

  it('count what locations and damage are worth so far (P33.2)', () => {
    expect([pointsOf(WAR, 'JP'), pointsOf(WAR, 'AL').total]).toEqual([{ places: 10, damage: 3, total: 13 }, 27])
  })

  it('say what a headquarters could afford: its Operation cost falls due past ten points (P20.2.5)', () => {
    const of = (points: number): unknown => Object.values(affords(points, { op_cost: 4 }))

    expect([0, 8, 10, 12, 29, 40].map(of)).toEqual([
      [0, 0],
      [8, 1],
      [10, 1],
      [10, 1],
      [25, 2],
      [36, 3],
    ])
  })

  it('show the points of own headquarters alone', () => {
    const means = {
      points: { hq_sopac: 30 },
      level: 2,
      links: { hq_sopac: ['5747', '4851'] },
      submarines: {},
      penalty: {},
      transport: {},
      steps: {},
    }
    const table: Table = {
      ...TABLE,
      own: { ...TABLE.own!, means },
      war: { ...WAR, operation: { player: 'AL', hq: 'hq_sopac', bid: 9, planned: 14, damage: { JP: 0, AL: 0 } } },
    }

    expect(posts(table, 'AL').map(({ id, points, full, linked, leads }) => [id, points, full, linked, leads])).toEqual([
      ['hq_sopac', 30, 50, 2, true],
      ['hq_swpa', 0, 0, undefined, false],
    ])
    expect(posts(table, 'JP').map(({ points }) => points)).toEqual([undefined, undefined])
  })

  it('are the score of a side', () => {
    expect([score(viewOf(), 0), score(viewOf(), 1)]).toEqual(['13 points so far', '27 points so far'])
    expect(score(viewOf({ scenario: 'S1' }), 0), 'the war is won without points').toBe('')
  })

  it('say when an Operation is in overtime (P20.2.5), and its Condition', () => {
    expect(lasting({ days: 14, planned: 14 })).toEqual({ days: 14, planned: 14, overtime: false, condition: '' })
    expect(lasting({ days: 15, planned: 14, condition: 'I' })).toMatchObject({ overtime: true, condition: 'Intercept' })
  })

  it('leave out what a side has none of, and tell who returns first', () => {
    const found = reserves({
      submarines: { brisbane: 4, noumea: 0 },
      penalty: { bb: '1943-01', ca: '1942-11' },
      transport: {},
      steps: { 'US.1E': 2 },
    })

    expect(found).toEqual({
      submarines: [['brisbane', 4]],
      penalty: [
        ['ca', '1942-11'],
        ['bb', '1943-01'],
      ],
      transport: [],
      steps: [['US.1E', 2]],
    })
  })
})
