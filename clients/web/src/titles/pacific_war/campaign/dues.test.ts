import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { monthName } from '../../../words/months'
import { EMPTY, type Screen, type Table, type War } from '../shown'
import { DUES as DUES_OF_C1 } from '../printed/C1'
import { ARRIVALS as ARRIVALS_OF_S1, DUES as DUES_OF_S1 } from '../printed/S1'
import { type Dated, FIXED, FORTS, FORTS_RULE } from './dated'
import { calendar, type Due, mustered, nextRepair } from './dues'
import { later } from './months'
import type { Arrivals } from './pools'

const ship = { side: 'AL' as const, nation: 'US', hits: 4, speed: 'F' }
const WAR: War = {
  ends: '1942-12',
  day: 0,
  initiative: 0,
  headquarters: {
    hq_sopac: { name: 'South Pacific Area', side: 'AL', returns: '1942-11', radius: 15, op_cost: 4, most: 60 },
    hq_sea: { name: 'Southeast Area', side: 'JP', returns: '1942-09', radius: 10, op_cost: 3, most: 40 },
    hq_cf: { name: 'Combined Fleet', side: 'JP', site: 'truk', radius: 15, op_cost: 4, most: 60 },
  },
  operations: 0,
  totals: { JP: 0, AL: 0 },
  damage: { JP: 0, AL: 0 },
  places: { JP: 0, AL: 0 },
}
const OWN: Screen = {
  side: 'AL',
  fleets: {},
  ships: {
    wasp: { port: 'noumea', damage: 2, crippled: true },
    chicago: { port: 'noumea', damage: 1 },
    cut: { port: 'noumea', damage: 1, isolated: true },
  },
  air: {},
  ground: {},
  means: {
    points: {},
    level: 0,
    links: {},
    submarines: {},
    penalty: { quincy: '1942-12' },
    waiting: ['nz'],
    transport: {},
    steps: {},
  },
}
const TABLE: Table = {
  ...EMPTY,
  scenario: 'C1',
  month: '1942-10',
  phase: '5.1.G',
  roster: {
    ships: {
      hornet: { ...ship, name: 'Hornet', cls: 'CV' },
      wasp: { ...ship, name: 'Wasp', cls: 'CV' },
      chicago: { ...ship, name: 'Chicago', cls: 'CA' },
      quincy: { ...ship, name: 'Quincy', cls: 'CA' },
      cut: { ...ship, name: 'Astoria', cls: 'CA' },
      dd2: { ...ship, name: 'Destroyer Division 2', cls: 'DD' },
      zuiho: { ...ship, side: 'JP', nation: 'JP', name: 'Zuiho', cls: 'CVL' },
      dd10: { ...ship, side: 'JP', nation: 'JP', name: 'Destroyer Division 10', cls: 'DD' },
    },
    air: {},
    ground: { nz: { side: 'AL', size: 'D', tq: 7, most: 9, name: '3rd New Zealand Division', nation: 'CW' } },
  },
  locations: { noumea: { name: 'Noumea', hex: '5747', control: 'AL', terrain: 'jungle', port: 3 } },
  war: WAR,
  own: OWN,
}
const ARRIVALS: Arrivals = [
  ['AL', '1942-09', 0, 'noumea', ['nz']],
  ['AL', '1942-11', 15, 'noumea', ['dd2', 'hornet']],
  ['JP', '1942-10', 0, 'truk', ['zuiho']],
  ['JP', '1942-12', 0, 'truk', ['dd10']],
]
const NAMES = { noumea: 'Noumea', truk: 'Truk' }
const months = (more: Partial<Table> = {}, options = {}): ReturnType<typeof calendar> =>
  calendar({ ...TABLE, ...more }, NAMES, { arrivals: ARRIVALS, dues: DUES_OF_C1 }, options)
const told = ({ side, called, says, places }: Due): string =>
  [side, called, says, ...places.map(({ at, says: what }) => `${at} ${what}`)].filter(Boolean).join(' | ')
/** What is due of a sort, by the month. */
const due = (group: Dated['group'], more: Partial<Table> = {}, options = {}): [string, string[]][] =>
  months(more, options)
    .map(({ month, dues }): [string, string[]] => [month, dues.filter((one) => one.group === group).map(told)])
    .filter(([, some]) => some.length)

describe('P14.1, P11.2.1.3, P20.2.3.F who comes', () => {
  it('is named by the month, side and place: what waits is due now, and the Penalty box opens for its owner alone', () => {
    expect(due('units')).toEqual([
      [
        '1942-10',
        [
          'JP | Headquarters to be placed | Southeast Area',
          'JP | Reinforcements | truk Zuiho',
          'AL | Reinforcements | noumea 1 ground unit',
        ],
      ],
      [
        '1942-11',
        [
          'AL | Headquarters to be placed | South Pacific Area',
          'AL | Reinforcements | Noumea: to be activated from day 15 | noumea Hornet, 1 other ship',
        ],
      ],
      ['1942-12', ['JP | Reinforcements | truk 1 ship', 'AL | Back from the Penalty box | Quincy']],
    ])
  })

  it('is of the other side what the scenario lists, until its units have come', () => {
    const now = (phase: string): string[] => due('units', { phase })[0]![1]

    expect(now('5.1.M')).toContain('JP | Reinforcements | truk Zuiho')
    expect(now('5.1.N')).not.toContain('JP | Reinforcements | truk Zuiho')
  })

  it('shows who only looks on the lists of both sides, and nothing that one side alone knows', () => {
    const all = months({ own: undefined }).flatMap(({ dues }) => dues)

    expect(all.filter(({ pool }) => pool)).toEqual([])
    expect(all.some(({ group }) => group === 'repairs')).toBe(false)
    expect(JSON.stringify(all)).not.toMatch(/Penalty|Quincy|Wasp|Chicago|ground unit/)
  })

  it('leads to the pool of the own side alone', () => {
    const pools = months().flatMap(({ dues }) => dues.map(({ side, pool }) => [side, pool]))

    expect(pools.filter(([side, pool]) => side !== 'AL' && pool)).toEqual([])
    expect(pools).toContainEqual(['AL', 'reinforcements'])
  })

  it('names great ships, and counts the others', () => {
    expect(mustered(TABLE, ['hornet', 'chicago', 'quincy', 'nz'], {})).toBe('Hornet, 2 other ships, 1 ground unit')
  })
})

describe('P15.1 what is repaired', () => {
  it('is due when each hit has had a month, and what is Isolated is not due', () => {
    expect(due('repairs')).toEqual([
      ['1942-10', ['AL | Repaired at the earliest | noumea Chicago']],
      ['1942-11', ['AL | Repaired at the earliest | noumea Wasp']],
    ])
  })

  it('is due a month later once 5.1.K is over, and not at all after the end', () => {
    expect(due('repairs', { phase: '5.2.C', month: '1942-11' })).toEqual([['1942-12', ['AL | Repaired at the earliest | noumea Chicago']]])
    expect(nextRepair({ month: '1941-12', phase: '5.1.G', scenario: 'S1' })).toBe('1942-01')
  })
})

describe('P33 what is judged', () => {
  const ofWar = (month: string, ends = '1945-09'): [string, string[]][] => due('victory', { scenario: 'S1', month, war: { ...WAR, ends } })

  it('is in C1 the locations of each month, and then the campaign', () => {
    expect(due('victory').map(([month, [says]]) => [month, says!.split(' | ')[1]])).toEqual([
      ['1942-10', 'locations score'],
      ['1942-11', 'locations score'],
      ['1942-12', 'locations score for the last time, and the campaign is decided'],
    ])
  })

  it('is in the war outposts for a year, then nothing until collapse may come, each month to the end', () => {
    const all = ofWar('1941-12')

    expect(all.map(([month]) => month)).toEqual([
      ...Array.from({ length: 13 }, (_, place) => later('1942-12', place)),
      ...Array.from({ length: 16 }, (_, place) => later('1944-06', place)),
    ])
    expect(all[12]![1]).toEqual(['At the end of the month | Japan wins if it holds five of its eleven outposts, for the last time'])
    expect(ofWar('1945-09')[0]![1]).toEqual([
      'At the end of the month | collapse points of Japan are counted; a surrender is a draw; the war is decided',
    ])
  })
})

describe('what the calendar alone changes', () => {
  const war = (month: string, more: Partial<War> = {}, options = {}): Due[] =>
    calendar(
      { ...TABLE, scenario: 'S1', month, phase: '5.1.G', own: undefined, war: { ...WAR, ends: '1945-09', headquarters: {}, ...more } },
      {},
      { arrivals: ARRIVALS_OF_S1, dues: DUES_OF_S1 },
      options,
    ).find((one) => one.month === month)?.dues ?? []
  const of = (group: Dated['group'], ...args: Parameters<typeof war>): string[] =>
    war(...args)
      .filter((one) => one.group === group)
      .map(told)

  it('P10.2 says the points of a campaign, as they were and as they are', () => {
    expect(due('points')).toEqual([
      ['1942-10', ['JP | Command Points | 48, before 40', 'AL | Command Points | 46, before 40']],
      ['1942-11', ['AL | Command Points | 54, before 46']],
      ['1942-12', ['JP | Command Points | 34, before 48', 'AL | Command Points | 48, before 54']],
    ])
  })

  it('P3.2, P10.2, P14.3, P16.1 has what changes in the war at once in one table as one thing', () => {
    expect(of('points', '1942-07')).toEqual([
      'AL | Command Points | United States 50, before 45; Commonwealth 12, before 14',
      'JP | Replacement steps | 1E 4, before 3',
      expect.stringMatching(/^AL \| Replacement steps \| United States 1E 5, before 3; .*Commonwealth air 3, before 2/),
    ])
    expect(of('points', '1942-06')).toContain('JP | Points that come | 1 Merchant Shipping Point; 1 submarine point; 1 escort point')
    expect(of('rules', '1943-09')).toEqual(['AL | Shifts | torpedoes of ships 0, before −1; torpedoes of submarines −1, before −2'])
  })

  it('P8.2 raids are due when their mode begins, and when bombers stand ready', () => {
    expect(of('raids', '1945-03')).toEqual([
      'AL | Points that come | 2 Strategic Bombing Points',
      'AL | Raids on the homeland | incendiary raids from now on; mining raids from now on',
    ])
    expect(of('raids', '1944-08', { bombers: { chengtu: 2 } })).toEqual([])
    const next = calendar(
      { ...TABLE, scenario: 'S1', month: '1944-08', war: { ...WAR, ends: '1945-09', bombers: { chengtu: 2 } } },
      {},
      { arrivals: [], dues: [] },
    ).find(({ month }) => month === '1944-09')!
    expect(next.dues.filter(({ group }) => group === 'raids').map(told)).toEqual([
      'AL | Raids on the homeland | 2 Strategic Bombing Points may fly',
    ])
  })

  it('P34.2 the STO comes where it was chosen', () => {
    expect(of('units', '1945-02', {}, { sto: true })).toContain('JP | STO submarines | kure ')
    expect(of('units', '1945-02')).not.toContain('JP | STO submarines | kure ')
  })

  it('P7.1, P28.13 of what no number says, it says that it changes', () => {
    expect(of('rules', '1944-10')).toEqual(
      expect.arrayContaining(['JP | Kamikaze | may be flown from now on', expect.stringContaining('JP | Forts | ')]),
    )
    expect(of('rules', '1942-05')).toEqual(['AL | Strategic Intelligence | goes by another row of its table'])
  })

  const book = readFileSync('../../docs/rules/pacific-war.md', 'utf8').split('\n')
  const paragraph = (rule: string): string => book.find((line) => line.startsWith(`**${rule} `)) ?? ''

  /** What no table has, as the calendar says it, and as the rulebook does. */
  const HELD = [
    ['P9.4', '1942-01', 'attrition is rolled for the first time', 'attrition is rolled for the first time in January 1942'],
    ['P15.2.4', '1942-01', 'may be fitted out for assault from now on', 'may be upgraded from January 1942: it becomes assault'],
    [
      'P14.3',
      '1942-07',
      'half as many points come if fewer than 4 resource hexes count',
      'From July 1942 on the MSP of a month are halved if fewer than 4 resource hexes count',
    ],
    ['P15.2.4', '1943-01', 'may be upgraded from now on', 'from January 1943, an Allied AA unit in a Linked port may be upgraded'],
    ['P16.3.4', '1943-01', 'no unit is raised to level 2 any more', 'Japan may not go up to 2 from January 1943 on'],
    ['P16.3.4', '1944-07', 'no unit is raised at all any more', 'and not at all from July 1944'],
  ] as const

  it('what no table has is said as the rulebook does, with its month', () => {
    expect(FIXED.map(([month, , , says, rule]) => [rule, month, says])).toEqual(HELD.map(([rule, month, says]) => [rule, month, says]))
    for (const [rule, month, , sentence] of HELD) {
      expect(sentence).toContain(monthName(month))
      expect(paragraph(rule), rule).toContain(sentence)
    }
  })

  it('P33.3 as many outposts as the rulebook names, and as many of them as it asks for', () => {
    const outposts = book.find((line) => line.startsWith('- at a month end from December 1942 on, five of '))!

    expect(outposts.split(/, (?!five)| and /)).toHaveLength(11)
    expect(of('victory', '1942-12').map((one) => one.split(' | ')[1])).toContain('Japan wins if it holds five of its eleven outposts')
  })

  it.each(['S1', 'S2'])('the forts of %s rise as the rulebook says, and no others (S1.8, S2.1)', (scenario) => {
    const rise = FORTS.filter(([, , scenarios]) => scenarios.includes(scenario)).flatMap(([month, says]) =>
      says.split(', ').map((fort) => `${fort} (${monthName(month)})`),
    )

    expect(paragraph(FORTS_RULE[scenario]!)).toContain(`: ${rise.join(', ')}.`)
  })
})
