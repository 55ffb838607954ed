/** What is due by the calendar alone: what tables of dates change, rules that begin or end in a month, and when victory is judged. */

import { counted } from '../../../words/count'
import type { Names } from '../../title'
import type { SideId } from '../reading'
import type { Table } from '../shown'
import { later } from './months'
import { NATIONS } from './pools'

export type Group = 'units' | 'repairs' | 'raids' | 'points' | 'rules' | 'victory'

/** Something that is due in a month. */
export interface Dated {
  month: string
  /** Whose it is; '' for both. */
  side: SideId | ''
  group: Group
  called: string
  says: string
  rule: string
}

/** A row of the tables of dates: month, whose, of which table, which part, before, from then on; as `printed/` has it. */
export type Dues = readonly (readonly [string, SideId, string, string, number, number])[]

const SHIFTS: Readonly<Record<string, string>> = {
  flak_shift: 'flak',
  cap_shift: 'combat air patrol',
  ship_torpedo_shift: 'torpedoes of ships',
  night_gun_shift: 'guns at night',
  sub_torpedo_shift: 'torpedoes of submarines',
  night_search_mod: 'search at night',
  ground_attack_materiel: 'ground attack',
  ground_defence_doctrine: 'on who attacks its ground units',
  jungle_attack_shift: 'attack in jungle',
}
const POINTS: Readonly<Record<string, string>> = {
  msp: 'Merchant Shipping Point',
  al_submarines: 'submarine point',
  jp_submarines: 'submarine point',
  jp_escort_points: 'escort point',
  al_strategic_bombing_points: 'Strategic Bombing Point',
}

const signed = (number: number): string => (number > 0 ? `+${number}` : `${number}`.replace('-', '−'))
const partOf = (part: string): string => {
  const [nation = '', kind = ''] = part.split('.')
  if (!kind) return nation.length === 2 && nation !== 'JP' && nation !== 'AL' ? NATIONS[nation]! : ''
  return [nation === 'JP' ? '' : NATIONS[nation], kind.replace('any_air', 'air')].filter(Boolean).join(' ')
}
const figures = (part: string, was: number, now: number): string => [partOf(part), `${now}, before ${was}`].filter(Boolean).join(' ')
const shifted = (part: string, was: number, now: number): string => `${SHIFTS[part] ?? part} ${signed(now)}, before ${signed(was)}`
const row = (): string => 'goes by another row of its table'

interface Written {
  group: Group
  called: string
  rule: string
  says(part: string, was: number, now: number, names: Names): string
}
const TABLES: Readonly<Record<string, Written>> = {
  shifts: { group: 'rules', called: 'Shifts', rule: 'P3.2', says: shifted },
  kamikaze: { group: 'rules', called: 'Kamikaze', rule: 'P28.13', says: () => 'may be flown from now on' },
  intelligence: { group: 'rules', called: 'Strategic Intelligence', rule: 'P7.1', says: row },
  points: { group: 'points', called: 'Command Points', rule: 'P10.2', says: figures },
  transport: { group: 'points', called: 'Strategic transport', rule: 'P13.1', says: figures },
  replacements: { group: 'points', called: 'Replacement steps', rule: 'P16.1', says: figures },
  escorts: { group: 'rules', called: 'Destroyers on escort duty', rule: 'P9.1', says: (_, was, now) => `at most ${now}, before ${was}` },
  hunters: {
    group: 'rules',
    called: 'Escorts against submarines',
    rule: 'P9.3',
    says: (_, was, now) => `shift ${signed(now)}, before ${signed(was)}`,
  },
  seas: { group: 'rules', called: 'What the sea takes of merchant ships', rule: 'P9.3', says: row },
  comes: { group: 'points', called: 'Points that come', rule: 'P14.3', says: (part, _, now) => counted(now, POINTS[part] ?? part) },
  raids: { group: 'raids', called: 'Raids on the homeland', rule: 'P8.2', says: (part) => `${part} raids from now on` },
  leaves: { group: 'units', called: 'Headquarters that leave', rule: 'P11.2.1.3', says: (part, _, __, names) => names[part] ?? part },
}
const BOMBERS = 'al_strategic_bombing_points'

/** What the tables change from this month on; what is changed at once in one table is one thing. */
export function changes(dues: Dues, { month: since }: Pick<Table, 'month'>, names: Names): Dated[] {
  const found = new Map<string, Dated>()
  for (const [month, side, of, part, was, now] of dues) {
    const table = TABLES[of]
    if (!table || month < since) continue
    const group = part === BOMBERS ? 'raids' : table.group
    const key = [month, side, of, group].join()
    const says = table.says(part, was, now, names)
    const known = found.get(key)
    if (known) known.says += `; ${says}`
    else found.set(key, { month, side, group, called: table.called, says, rule: table.rule })
  }
  return [...found.values()]
}

type Fixed = readonly [month: string, side: SideId | '', called: string, says: string, rule: string]

/** What the text of the rules dates, in no table. */
export const FIXED: readonly Fixed[] = [
  ['1942-01', 'JP', 'Merchant shipping', 'attrition is rolled for the first time', 'P9.4'],
  ['1942-01', 'JP', 'Better transports', 'may be fitted out for assault from now on', 'P15.2.4'],
  ['1942-07', 'JP', 'Merchant shipping', 'half as many points come if fewer than 4 resource hexes count', 'P14.3'],
  ['1943-01', 'AL', 'Better transports', 'may be upgraded from now on', 'P15.2.4'],
  ['1943-01', 'JP', 'Training', 'no unit is raised to level 2 any more', 'P16.3.4'],
  ['1944-07', 'JP', 'Training', 'no unit is raised at all any more', 'P16.3.4'],
]
/** S1.8, S2.1: forts that rise, and in which scenarios. */
export const FORTS: readonly (readonly [month: string, says: string, scenarios: string])[] = [
  ['1943-06', 'Tarawa to 2, Rabaul to 2, Kwajalein to 1', 'S1'],
  ['1944-03', 'Saipan-Tinian to 1', 'S1 S2'],
  ['1944-08', 'Iwo Jima to 3', 'S1 S2'],
  ['1944-10', 'Okinawa (Naha) to 2', 'S1 S2'],
  ['1944-12', 'Manila-Cavite to 1', 'S1 S2'],
]
export const FORTS_RULE: Readonly<Record<string, string>> = { S1: 'S1.8', S2: 'S2.1' }

/** Rules of the war that begin or end in a month. */
export function rules({ scenario, month: since }: Pick<Table, 'scenario' | 'month'>): Dated[] {
  if (!scenario.startsWith('S')) return []
  const fixed = FIXED.map(([month, side, called, says, rule]): Dated => ({ month, side, group: 'rules', called, says, rule }))
  const forts = FORTS.filter(([, , scenarios]) => scenarios.includes(scenario)).map(([month, places]): Dated => ({
    month,
    side: 'JP',
    group: 'rules',
    called: 'Forts',
    says: `rise without cost where Japan has the place: ${places}`,
    rule: FORTS_RULE[scenario]!,
  }))
  return [...fixed, ...forts].filter(({ month }) => month >= since)
}

/** P33.3, P33.4: from when to when. */
const [OUTPOSTS, AT_ONCE_UNTIL, COLLAPSE, BOMBS] = ['1942-12', '1943-12', '1944-06', '1945-08']
/** The last month in which a surrender is worth as much. */
const WORTH: Readonly<Record<string, string>> = {
  '1945-04': 'the last month in which a surrender is an Allied decisive victory',
  '1945-06': 'the last month in which a surrender is an Allied substantial victory',
  '1945-08': 'the last month in which a surrender is an Allied marginal victory',
  '1945-09': 'a surrender is a draw',
}

/** What is judged at the end of each month to come, the present one first. */
export function judged({ scenario, month: since }: Pick<Table, 'scenario' | 'month'>, ends: string): Dated[] {
  const found: Dated[] = []
  const add = (month: string, says: string, rule: string, called = 'At the end of the month'): void => {
    found.push({ month, side: '', group: 'victory', called, says, rule })
  }
  const war = scenario.startsWith('S')
  for (let month = since; month <= ends; month = later(month)) {
    const last = month === ends
    if (!war) add(month, last ? 'locations score for the last time, and the campaign is decided' : 'locations score', 'P33.2')
    if (war && month <= AT_ONCE_UNTIL && month >= OUTPOSTS) {
      const until = month === AT_ONCE_UNTIL ? ', for the last time' : ''
      add(month, `Japan wins if it holds five of its eleven outposts${until}`, 'P33.3')
    }
    if (war && month === BOMBS) add(month, 'atomic bombs and the Soviet Union count for the collapse of Japan', 'P33.4', 'From now on')
    if (war && month >= COLLAPSE) {
      add(
        month,
        ['collapse points of Japan are counted', WORTH[month], last ? 'the war is decided' : ''].filter(Boolean).join('; '),
        'P33.4',
      )
    }
  }
  return found
}
