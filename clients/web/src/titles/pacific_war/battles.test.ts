import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NO_MATCH, type TableView, type Told } from '../../protocol/wire'
import { combatIn, quality, sums, troops } from './battle/ground'
import { battleIn, line, sealed, shots, taken } from './battle/naval'
import { missionIn } from './battle/strike'
import { columnFor, columnOf, COLUMNS, columnWords, faceOf, LEAST } from './battle/table'
import { dateOf, phaseOf, PHASES, phasesOf, sideOf } from './cycle/phases'
import { airBy, shipsBy } from './losses/fleet'
import { goalOf, levelNow, SCORING, tally } from './losses/points'
import type { Fact } from './facts'
import { type AirUnit, EMPTY, type NavalUnit, type Table } from './shown'
import { scene } from './scene'
import { chapter, choice, face, inTray, outcome, purpose, silent, weight, where } from './words'

const DATA = join(import.meta.dirname, '../../../../../domain/pacific_war/data')
const data = (name: string): unknown => JSON.parse(readFileSync(join(DATA, name), 'utf8'))

let seq = 0
const told = (fact: { type: Fact['type'] | 'Rolled' } & Record<string, unknown>, words = ''): Told => ({
  seq: ++seq,
  at: 0,
  command: '',
  index: 0,
  ver: 0,
  audience: 7,
  type: fact.type,
  body: JSON.stringify(fact),
  words,
})
const rolled = (purpose: string, by: number, die: number, target: string, subject: string): Told =>
  told({ type: 'Rolled', index: 0, rule: '29.2', purpose, by, sides: 10, dice: [die], target, subject })
const phase = (id: string): Told => told({ type: 'PhaseBegan', phase: id, name: '' })

const ship = (side: 'JP' | 'AL', cls: string, more: Partial<NavalUnit> = {}): NavalUnit => ({
  name: cls,
  side,
  nation: side,
  cls,
  gun: 6,
  torp: 4,
  hits: 4,
  speed: 'F',
  ...more,
})
const group = (side: 'JP' | 'AL'): AirUnit => ({ name: '', side, nation: '', cls: '', kind: 'CVG', range: 4, most: 6 })

const TABLE: Table = {
  ...EMPTY,
  scenario: 'E1',
  month: '1942-05',
  cycle: 2,
  cycles: 3,
  phase: '5.2.E',
  lighting: 'Day',
  advantage: 'AL',
  roster: {
    ships: {
      ca_a: ship('JP', 'CA', { reload: true }),
      bb_a: ship('JP', 'BB', { torp: 0 }),
      cv_a: ship('JP', 'CV', { gun: 1, torp: 0 }),
      ca_b: ship('AL', 'CA'),
      dd_b: ship('AL', 'DD', { hits: 3 }),
    },
    air: { cvg_a: group('JP'), cvg_b: group('AL') },
    ground: {
      jp: { name: 'Ichiki', side: 'JP', nation: '', size: 'R', tq: 7, most: 3 },
      al: { name: 'Defence', side: 'AL', nation: '', size: 'B', tq: 4, most: 3 },
    },
  },
  tfs: {
    J1: { side: 'JP', node: '5143', detected: true, core: ['bb_a', 'cv_a'], screen: ['ca_a'] },
    A1: { side: 'AL', node: '5143', detected: true, screen: ['ca_b', 'dd_b'] },
  },
  ships: {
    ca_a: { tf: 'J1' },
    bb_a: { tf: 'J1' },
    cv_a: { tf: 'J1' },
    ca_b: { tf: 'A1', damage: 2, crippled: true },
    dd_b: { tf: 'A1' },
  },
  locations: {
    midway: { name: 'Midway', hex: '6617', control: 'AL', terrain: 'atoll', fort: 1 },
    port_moresby: { name: 'Port Moresby', hex: '4440', control: 'AL', terrain: 'jungle' },
  },
  ground: { jp: { hex: '6617', steps: 3, landing: true }, al: { hex: '6617', steps: 3 } },
  troops: { JP: ['6617'], AL: ['6617'] },
}
const view = (table: Partial<Table>, asked: number[] = []): TableView => ({
  match: { ...NO_MATCH, title: 'pacific_war', seats: [0, 1].map((side) => ({ name: '', side })) },
  asked,
  table: { ...TABLE, ...table },
})

describe('the tables of the page', () => {
  it('are those of the data (P3.1)', () => {
    const { uct } = data('tables.json') as { uct: { rows: number[][]; columns: { min: number }[] } }

    expect(COLUMNS).toEqual(uct.rows)
    expect(LEAST).toEqual(uct.columns.map(({ min }) => min))
  })

  it('score as the scenarios do (P1, P33.1)', () => {
    const { scenarios } = data('scenarios.json') as {
      scenarios: {
        id: string
        victory: {
          points: Record<string, unknown>
          levels_JP_minus_AL: { min: number | null; result: string }[]
        }
      }[]
    }
    for (const [id, scoring] of Object.entries(SCORING)) {
      const { points, levels_JP_minus_AL: levels } = scenarios.find((one) => one.id === id)!.victory
      const places = Object.entries(points).filter(([name]) => /^(JP|AL)_/.test(name))

      expect([scoring.sunk, scoring.crippled, scoring.steps]).toEqual([points.sunk, points.crippled, points.air_steps_per_point])
      expect(new Set(scoring.places.map((one) => one.points))).toEqual(new Set(places.map(([, value]) => value)))
      expect(scoring.levels).toEqual(levels.map(({ min, result }) => [min ?? -Infinity, result]))
    }
  })

  it('say from which lead on each side wins (P33.1)', () => {
    expect(goalOf('E1')).toBe('Japan wins with a lead of 10, decisively with 22; the Allies win if Japan leads by less than 8.')
    expect(goalOf('E4')).toBe('Japan wins if it is not behind, decisively with 7; the Allies win with a lead of more than 2.')
    expect(goalOf('B1')).toBe('Japan wins with a lead of 5, decisively with 30; the Allies win if they lead.')
  })

  it('show a recorded 10 as the face 0 (P0.2), and the hits of a column', () => {
    expect([faceOf(10, 10), face(7, 10), face(6, 6)]).toEqual([0, 7, 6])
    expect([columnFor(0), columnFor(4), columnFor(100)]).toEqual([0, 3, 12])
    expect([columnOf('column 3'), columnOf('no column'), columnOf('6 or more')]).toEqual([3, 0, null])
    expect(
      columnWords(2, [
        { reason: 'night', amount: -2 },
        { reason: 'date', amount: 1 },
      ]),
    ).toBe('column 2 after −2 night, +1 date')
    expect([columnWords(3, []), columnWords(0, [{ reason: 'night', amount: -2 }])]).toEqual(['column 3', 'no column after −2 night'])
    expect(outcome({ dice: [0], target: 'column 6', purpose: 'guns' })).toBe('5 hits')
    expect(outcome({ dice: [9], target: 'column 6', purpose: 'guns' })).toBe('no hit')
    expect(outcome({ dice: [0], target: 'no column', purpose: 'flak' })).toBe('no hit')
    expect(outcome({ dice: [3], target: '8 or more fails', purpose: 'finding the target' })).toBe('found')
    expect(outcome({ dice: [3], target: 'the higher die', purpose: 'range' })).toBe('')
  })
})

describe('the battle cycle', () => {
  it('has the phases of the table, and no deactivation in an Engagement (P1)', () => {
    expect(PHASES).toHaveLength(15)
    expect(phasesOf('E1').map(({ letter }) => letter)).not.toContain('M')
    expect(phasesOf('B1')).toHaveLength(15)
  })

  it('says whose phase it is, and which day', () => {
    expect(sideOf(phaseOf('5.2.C'), 'AL')).toBe('AL')
    expect(sideOf(phaseOf('5.2.L'), 'AL')).toBe('JP')
    expect(sideOf(phaseOf('5.2.E'), 'AL')).toBeNull()
    expect(dateOf('E1', 2)).toBe('7 May 1942')
    expect(dateOf('E2', 1)).toBe('7 December 1941')
  })

  it('stands on top of the page', () => {
    expect(where(view({ phase: '5.2.K' }))).toEqual({ turn: 'Cycle 2 of 3 · 7 May 1942 · Day', step: 'K Disadvantage movement', side: 0 })
  })
})

const NAVAL = { node: '5143', forces: { JP: ['J1'], AL: ['A1'] }, ports: { JP: '', AL: '' }, phase: 1, range: 1 }
const battle = (what: string, more: Record<string, unknown> = {}): Told =>
  told({ type: 'NavalBattleIs', battle: { node: '5143', forces: [['J1'], ['A1']], phase: 1, range: 1, ...more }, what })
const BEGUN = [phase('5.2.E'), battle('The combat begins at long range', { phase: 0 }), battle('Combat phase 1')]
const FIRE = [...BEGUN, battle('Range: [side:0] holds, [side:1] closes'), battle('The range is medium')]

describe('a naval battle', () => {
  it('has the screens fire first, then battleships, then all (P29.2)', () => {
    const taking = (number: number): string[] => {
      const naval = { ...NAVAL, phase: number }
      const fight = battleIn(view({ naval }), BEGUN)!
      return line({ ...TABLE, naval }, fight, 'JP')
        .filter((one) => one.takesPart)
        .map(({ id }) => id)
    }

    expect([taking(1), taking(2), taking(3)]).toEqual([['ca_a'], ['bb_a', 'ca_a'], ['bb_a', 'cv_a', 'ca_a']])
  })

  it('halves what is crippled has, and counts salvos', () => {
    const fight = battleIn(view({ naval: NAVAL }), [...BEGUN, battle('Torpedoes are in the water', { salvos: { ca_a: 1 } })])!
    const [cruiser] = line(TABLE, fight, 'AL')

    expect(line(TABLE, fight, 'JP').map(({ salvos }) => salvos)).toEqual([0, 0, 1])
    expect([cruiser?.guns, cruiser?.torpedoes, cruiser?.salvos]).toEqual([3, 2, 1])
  })

  it('tells which window is open, and what each side does in it', () => {
    const range = battleIn(view({ naval: NAVAL }, [1]), BEGUN)!
    const fire = battleIn(view({ naval: NAVAL }, [0, 1]), FIRE)!

    expect([range.window, range.picks]).toEqual(['range', ''])
    expect([sealed(view({ naval: NAVAL }, [1]), range, 'JP'), sealed(view({ naval: NAVAL }, [1]), range, 'AL')]).toEqual([
      'sealed',
      'choosing',
    ])
    expect([fire.window, fire.picks]).toEqual(['fire', '[side:0] holds, [side:1] closes'])
    const given = [...FIRE, told({ type: 'OrdersGiven', side: 1, orders: {}, torpedoes: [] })]
    expect(battleIn(view({ naval: NAVAL }), given)!.window).toBe('')
  })

  it('says that whoever is surprised does not choose', () => {
    const naval = { ...NAVAL, surprise: 'JP' as const }
    const fight = battleIn(view({ naval }, [0]), BEGUN)!

    expect(sealed(view({ naval }, [0]), fight, 'AL')).toBe('none')
  })

  it('reads who fired at whom, with what came of it', () => {
    const facts = [
      ...FIRE,
      told({ type: 'OrdersGiven', side: 1, orders: { dd_b: 'ca_a' }, torpedoes: [] }),
      told({ type: 'OrdersGiven', side: 0, orders: { ca_a: 'ca_b' }, torpedoes: ['ca_a'] }),
      rolled('guns', 1, 9, 'no column at [ca_a]', 'dd_b'),
      rolled('guns', 0, 10, 'column 4 at [ca_b]', 'ca_a'),
      rolled('torpedoes', 0, 8, 'column 3 at [ca_b]', 'ca_a'),
      told({ type: 'ShipHit', ship: 'ca_b', hits: 3, damage: 4, of: 4 }),
      told({ type: 'UnitLost', unit: 'ca_b', side: 1, how: 'sunk' }),
      battle('Combat phase 2', { phase: 2 }),
    ]
    const fight = battleIn(view({ naval: { ...NAVAL, phase: 2 } }), facts)!
    const left = Object.entries(TABLE.ships).filter(([id]) => id !== 'ca_b')
    const after = { ...TABLE, ships: Object.fromEntries(left), tfs: { ...TABLE.tfs, A1: { ...TABLE.tfs.A1!, screen: ['dd_b'] } } }

    expect(shots(TABLE, fight.facts).map(({ from, how, roll }) => [from, how, roll?.face, roll?.hits])).toEqual([
      ['dd_b', 'guns', 9, 0],
      ['ca_a', 'guns', 0, 3],
      ['ca_a', 'torpedoes', 8, 0],
    ])
    expect([...taken(fight.facts)]).toEqual([['ca_b', 3]])
    expect(line(after, fight, 'AL').map(({ id, sunk }) => [id, sunk])).toEqual([
      ['dd_b', false],
      ['ca_b', true],
    ])
  })

  it('stays in sight when it is over, until the next phase', () => {
    const facts = [...FIRE, told({ type: 'NavalBattleIs', battle: null, what: 'The combat is over' })]

    expect(battleIn(view({}), facts)?.over).toBe(true)
    expect(battleIn(view({}), [...facts, phase('5.2.F')])).toBeNull()
  })
})

describe('an air strike', () => {
  const raid = (side: number, strike: number, more: Record<string, unknown> = {}): Record<string, unknown> => ({
    side,
    kind: 'strike_tf',
    target: side ? 'J1' : 'A1',
    strike: { [side ? 'cvg_b' : 'cvg_a']: strike },
    found: true,
    ...more,
  })
  const raids = (what: string, ...some: Record<string, unknown>[]): Told => told({ type: 'RaidsAre', raids: some, what })
  const lost = (unit: string, side: number, how: string): Told => told({ type: 'AirStepsLost', unit, side, steps: 1, how })
  const cap = (side: number, steps: Record<string, number>): Told => told({ type: 'CapIs', side, hex: '', steps })
  const FACTS = [
    phase('5.2.D'),
    raids('A mission flies', raid(1, 3, { found: false })),
    rolled('finding the target', 1, 4, '9 or more fails', 'J1'),
    raids('A strike answers', raid(1, 3), raid(0, 2, { answer: true })),
    cap(0, { cvg_a: 2 }),
    rolled('free CAP fire', 0, 1, 'column 2', 'J1'),
    lost('cvg_b', 1, 'in air combat'),
    cap(1, { cvg_b: 1 }),
    rolled('free CAP fire', 1, 9, 'column 1', 'A1'),
    rolled('flak', 0, 5, 'column 2', 'J1'),
    rolled('flak', 1, 1, 'column 2', 'A1'),
    lost('cvg_a', 0, 'to flak'),
    raids('After flak', raid(1, 2), raid(0, 1, { answer: true })),
    raids(
      'The aircraft pick their targets',
      raid(1, 2, { allotted: [{ unit: 'cvg_b', ship: 'cv_a', steps: 2 }] }),
      raid(0, 1, { answer: true, allotted: [{ unit: 'cvg_a', ship: 'ca_b', steps: 1 }] }),
    ),
    rolled('air attack', 1, 3, 'column 5', 'cv_a'),
    rolled('air attack', 0, 10, 'no column', 'ca_b'),
    told({ type: 'ShipHit', ship: 'cv_a', hits: 2, damage: 2, of: 4 }),
    raids('The mission is over'),
  ]

  it('and its answer each have their dice, losses and targets', () => {
    const mission = missionIn(view({}), FACTS)!
    const seen = mission.raids.map(({ side, strike, cap: guards, stages, targets }) => ({
      side,
      left: strike.map((one) => `${one.left} of ${one.steps}`),
      cap: guards.map((one) => `${one.left} of ${one.steps}`),
      dice: stages.map(({ rolls }) => rolls.length),
      losses: stages.map(({ losses }) => losses.map(({ unit }) => unit).join()),
      targets: targets.map(({ ship: id, roll, hits }) => [id, roll?.hits, hits]),
    }))

    expect(mission.over).toBe(true)
    expect(seen).toEqual([
      { side: 'AL', left: ['2 of 3'], cap: ['2 of 2'], dice: [1, 1, 1, 1], losses: ['', 'cvg_b', '', ''], targets: [['cv_a', 2, 2]] },
      { side: 'JP', left: ['1 of 2'], cap: ['1 of 1'], dice: [0, 1, 1, 1], losses: ['', '', 'cvg_a', ''], targets: [['ca_b', 0, 0]] },
    ])
  })

  it('is at the run while targets are chosen', () => {
    const [, , , flying] = FACTS
    const mission = missionIn(
      view({ raids: [{ side: 'AL', kind: 'strike_tf', target: 'J1' }] }),
      FACTS.slice(0, FACTS.indexOf(flying!) + 10),
    )!

    expect(mission.raids[0]?.stages.find(({ now }) => now)?.name).toBe('run')
  })
})

describe('a ground combat', () => {
  const FACTS = [
    phase('5.2.H'),
    told({ type: 'GroundBattleIs', battle: { hex: '6617', attacker: 0, attackers: ['jp'] }, what: '[side:0] attacks at 6617' }),
    rolled('attack', 0, 2, 'column 3', '6617'),
    rolled('defence', 1, 10, 'column 1', '6617'),
    told({ type: 'GroundStepsLost', unit: 'al', side: 1, steps: 1, broken: false }),
    rolled('troop quality', 1, 6, '4 or less holds', 'al'),
    told({ type: 'GroundStepsLost', unit: 'al', side: 1, steps: 0, broken: true }),
  ]

  it('is read with its dice, losses and tests', () => {
    const combat = combatIn(view({ landed: { hex: '6617', attacker: 'JP', attackers: ['jp'] } }), FACTS)!

    expect(combat.results.map(({ purpose: what, face: fell, hits }) => [what, fell, hits])).toEqual([
      ['attack', 2, 1],
      ['defence', 0, 1],
    ])
    expect([[...combat.lost], [...combat.broken], combat.tests.map(({ holds }) => holds)]).toEqual([[['al', 1]], ['al'], [false]])
    expect(troops(TABLE, 'AL', '6617', combat).map(({ steps, left }) => [steps, left])).toEqual([[4, 3]])
  })

  it('is summed up in words before it is fought (P31.3)', () => {
    const attacking = troops(TABLE, 'JP', '6617', null)
    const { attack, defence } = sums(TABLE, 'JP', '6617', attacking)

    expect(quality(attacking)).toBe(7)
    expect(attack.terms.map(({ words, amount }) => `${amount} ${words}`)).toEqual([
      '-2 every attack',
      '0 odds 3 to 3',
      '1 troop quality 7 against 4',
      '-1 fort 1',
      '-1 all have just landed',
      '1 atoll',
    ])
    expect([attack.from, attack.column, defence.column]).toEqual([3, 1, 1])
  })
})

describe('points and losses', () => {
  it('count what is sunk, crippled, lost and held', () => {
    const table = { ...TABLE, lost: { dd_b: 'sunk' }, steps_lost: { JP: 3, AL: 5 } }
    const [japan, allies] = [tally(table, 'JP'), tally(table, 'AL')]

    expect([japan.sunk, japan.crippled].map((items) => items.map(({ id, points }) => [id, points]))).toEqual([[['dd_b', 2]], [['ca_b', 1]]])
    expect([japan.steps?.points, allies.steps?.points]).toEqual([2, 1])
    expect([japan.total, allies.total]).toEqual([5, 25])
    expect(levelNow(table)).toBe('Allied decisive')
  })

  it('list ships by class, with what is not in sight', () => {
    const table: Table = { ...TABLE, ships: {}, lost: { ca_b: 'sunk' }, tfs: { A1: { side: 'AL', node: '', seen: ['dd_b'] } } }

    expect(shipsBy(table, 'AL').map(({ cls, ships, left }) => [cls, left, ships[0]?.state, ships[0]?.unknown, ships[0]?.at])).toEqual([
      ['CA', 0, 'sunk', false, ''],
      ['DD', 1, '', true, 'A1'],
    ])
    expect(airBy(table, 'JP').map(({ unknown }) => unknown)).toEqual([true])
  })
})

describe('a scene', () => {
  const hit = told({ type: 'ShipHit', ship: 'ca_a', hits: 2, damage: 2, of: 4 })

  it('shows a ship hit when her dice have fallen, and not before', () => {
    const before = view({})
    const shown = scene.ground!(before, view({}), [hit], false).table as Table

    expect(scene.ground!(before, view({}), [], false)).toBe(before)
    expect(shown.ships.ca_a).toEqual({ tf: 'J1', damage: 2, crippled: true })
  })

  it('is where the ship is, and sounds like guns, bombs and what sinks', () => {
    const sunk = told({ type: 'UnitLost', unit: 'ca_a', side: 0, how: 'sunk' })

    expect(scene.near!('ca_a', view({}))).toEqual(['J1', '5143'])
    expect([hit, sunk, rolled('guns', 0, 1, '', ''), rolled('rally', 0, 1, '', '')].map((fact) => scene.sound!(fact))).toEqual([
      'hit',
      'sinking',
      'flak',
      'dice',
    ])
  })
})

describe('words', () => {
  const names = { ca_a: 'Chokai-Maya', ca_b: 'Vincennes-Quincy' }

  it('are those of fire orders, and end them as what they are', () => {
    const now = view({ naval: NAVAL })
    const label = (decision: Parameters<typeof choice>[0]): string[] => {
      const { label: words, path } = choice(decision, now, names)
      return [words, ...path]
    }

    expect(label({ type: 'fire', unit: 'ca_a' })).toEqual(['Chokai-Maya fires', 'ca_a'])
    expect(label({ type: 'at', target: 'ca_b', torpedoes: true })).toEqual(['At Vincennes-Quincy, with torpedoes', 'torpedoes:ca_b'])
    expect(label({ type: 'at', target: 'fort:wake', torpedoes: false })).toEqual(['At the fort, guns alone', 'fort:wake'])
    expect(label({ type: 'done' })).toEqual(['Give the fire orders'])
    expect(['ca_a', 'torpedoes:ca_b', 'fort:wake', 'J1', 'at:5143'].map((id) => inTray(id, now))).toEqual([true, true, true, false, false])
  })

  it('group the log by cycle, phase, strike and battle', () => {
    const titlesOf = (facts: readonly Told[]): string[] => facts.flatMap((fact) => chapter(fact, null)?.title ?? [])
    const begins = (place: string): Told =>
      told({ type: 'NavalBattleIs', battle: NAVAL, what: 'The combat begins at long range' }, `At ${place} the combat begins at long range`)
    const attack = (what: string): Told => told({ type: 'GroundBattleIs', battle: { hex: '6617', attacker: 0, attackers: [] }, what })

    expect(titlesOf([told({ type: 'CycleBegan', cycle: 2 }), phase('5.2.E'), begins('hex 5143'), battle('Combat phase 1')])).toEqual([
      '',
      'E',
      'Naval battle at hex 5143',
      'Combat phase 1',
    ])
    expect(titlesOf([begins('[guadalcanal]')])).toEqual(['Naval battle at [guadalcanal]'])
    expect(titlesOf(['[side:0] attacks at [lae]', 'Both would attack at 6617: [side:0] has the Advantage'].map(attack))).toEqual([
      'Ground combat at [lae]',
      'Ground combat at hex 6617',
    ])
  })

  it('pass over what keeps the books, and weigh what is lost', () => {
    const shown = told({ type: 'Shown', ships: { ca_a: { tf: 'J1' } } })
    const seen = told({ type: 'Shown', contents: { J1: { screen: ['ca_a'] } } })

    expect([shown, seen, battle('Torpedoes are in the water'), told({ type: 'OwnUnits', side: 0 })].map(silent)).toEqual([
      true,
      false,
      true,
      true,
    ])
    expect(weight(told({ type: 'UnitLost', unit: 'ca_a', side: 0, how: 'sunk' }))).toBe('grave')
    expect([purpose('guns'), purpose('free CAP fire')]).toEqual(['Guns', 'Free CAP fires'])
  })
})
