/** The calendar of a campaign: what is due this month and in those to come, as far as the reader may know it. */

import type { Names } from '../../title'
import { counted } from '../../../words/count'
import { type SideId, SIDES } from '../reading'
import type { Table, War } from '../shown'
import { changes, type Dated, type Dues, type Group, judged, rules } from './dated'
import { later } from './months'
import { type Arrivals, beforeOperations, type Pool, type Pooled, poolOf, printedOf, toCome } from './pools'

/** What comes at one place. */
export interface Landing {
  /** A place, or a box beyond the map. */
  at: string
  says: string
}

export interface Due extends Dated {
  key: string
  /** Where it comes, with what. */
  places: Landing[]
  /** The pool of the reader's own in which it is. */
  pool: Pool | ''
}

export interface MonthAhead {
  month: string
  dues: Due[]
}

export const GROUPS: readonly { group: Group; called: string }[] = [
  { group: 'units', called: 'Arrivals' },
  { group: 'repairs', called: 'Repairs' },
  { group: 'raids', called: 'Raids' },
  { group: 'points', called: 'Points' },
  { group: 'rules', called: 'Rules' },
  { group: 'victory', called: 'Evaluation' },
]

/** Ships that are called by name; all others are counted. */
const NAMED: ReadonlySet<string> = new Set(['CV', 'CVL', 'BB', 'BC'])
/** The month in which S1 begins has no repair (S1.1). */
const WITHOUT_REPAIR = '1941-12'
/** In the tables of dates: when the STO comes, which has been chosen or not, and where (P34.2). */
const STO = 'sto'

/** "Hornet, Washington, 5 other ships, 1 air unit". */
export function mustered(table: Table, ids: readonly string[], names: Names): string {
  const great = ids.filter((id) => NAMED.has(table.roster.ships[id]?.cls ?? ''))
  const count = { ship: 0, air: 0, ground: 0, hq: 0 }
  for (const id of ids) {
    const printed = printedOf(table, id)
    if (printed && !great.includes(id)) count[printed.sign]++
  }
  return [
    ...great.map((id) => names[id] ?? table.roster.ships[id]!.name),
    count.ship ? counted(count.ship, great.length ? 'other ship' : 'ship') : '',
    count.air ? counted(count.air, 'air unit') : '',
    count.ground ? counted(count.ground, 'ground unit') : '',
  ]
    .filter(Boolean)
    .join(', ')
}

type Entry = Omit<Due, 'key'>
const entry = (month: string, side: SideId, group: Group, more: Pick<Entry, 'called' | 'rule'> & Partial<Entry>): Entry => ({
  month,
  side,
  group,
  says: '',
  places: [],
  pool: '',
  ...more,
})

/** The months of things that are due together, in their order. */
function byMonth<T>(all: readonly T[], monthOf: (one: T) => string): [string, T[]][] {
  const found = new Map<string, T[]>()
  for (const one of all) found.set(monthOf(one), [...(found.get(monthOf(one)) ?? []), one])
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1))
}

function reinforcements(table: Table, side: SideId, names: Names, arrivals: Arrivals): Entry[] {
  const pool = table.own?.side === side ? 'reinforcements' : ''
  const rows = toCome(table, side, arrivals)
  return byMonth(rows, ([, comes]) => (comes < table.month ? table.month : comes)).map(([month, some]) => {
    const days = some.flatMap(([, , day, at]) => (day ? [`${names[at] ?? at}: to be activated from day ${day}`] : []))
    const places = byMonth(some, ([, , , at]) => at).map(([at, those]) => ({
      at,
      says: mustered(
        table,
        those.flatMap(([, , , , ids]) => ids),
        names,
      ),
    }))
    return entry(month, side, 'units', { called: 'Reinforcements', rule: 'P14.1', says: days.join('; '), places, pool })
  })
}

/** Headquarters of either side are public. */
function headquarters({ own, month: now }: Table, { headquarters: all }: War, names: Names): Entry[] {
  const due = Object.entries(all).filter(([, { site, returns }]) => !site && returns)
  return byMonth(due, ([, { side, returns }]) => `${returns! < now ? now : returns!} ${side}`).map(([when, some]) => {
    const [month, side] = when.split(' ') as [string, SideId]
    const says = some.map(([id, { name }]) => names[id] ?? name).join(', ')
    const pool = own?.side === side ? 'reinforcements' : ''
    return entry(month, side, 'units', { called: 'Headquarters to be placed', rule: 'P11.2.1.3', says, pool })
  })
}

const listed = (units: readonly Pooled[], names: Names): Landing[] =>
  byMonth(units, ({ at }) => at).map(([at, some]) => ({ at: at in names ? at : '', says: some.map(({ name }) => name).join(', ') }))

/** Own ships in the Penalty box, by the month in which they may be placed (P20.2.3.F). */
function returning(table: Table, names: Names): Entry[] {
  const { own, month: now, roster } = table
  const boxed = Object.entries(own?.means?.penalty ?? {})
  return byMonth(boxed, ([, comes]) => (comes < now ? now : comes)).map(([month, some]) =>
    entry(month, own!.side, 'units', {
      called: 'Back from the Penalty box',
      rule: 'P20.2.3.F',
      says: some.map(([id]) => names[id] ?? roster.ships[id]?.name ?? id).join(', '),
      pool: 'reinforcements',
    }),
  )
}

/** The first month with a 5.1.K that is still to come. */
export function nextRepair({ month, phase, scenario }: Pick<Table, 'month' | 'phase' | 'scenario'>): string {
  const none = scenario === 'S1' && month === WITHOUT_REPAIR
  return beforeOperations({ phase }) && !none ? month : later(month)
}

/** Own damaged ships, by the month in which they are whole if a hit is repaired in each (P15.1). */
function repairs(table: Table, names: Names): Entry[] {
  const { own } = table
  if (!own) return []
  const first = nextRepair(table)
  const docked = poolOf('repair', table, names, []).filter(({ id }) => !own.ships[id]?.isolated)
  return byMonth(docked, ({ id }) => later(first, own.ships[id]!.damage! - 1)).map(([month, some]) =>
    entry(month, own.side, 'repairs', {
      called: 'Repaired at the earliest',
      rule: 'P15.1',
      places: listed(some, names),
      pool: 'repair',
    }),
  )
}

/** Bombers that stand ready fly in the next 5.1.C (P8.2). */
function bombing({ month, phase, war }: Table): Entry[] {
  const points = Object.values(war?.bombers ?? {}).reduce((sum, one) => sum + one, 0)
  if (!points) return []
  const next = !phase || /^5\.1\.[A-C]$/.test(phase) ? month : later(month)
  const says = `${counted(points, 'Strategic Bombing Point')} may fly`
  return [entry(next, 'AL', 'raids', { called: 'Raids on the homeland', rule: 'P8.2', says })]
}

/** The STO, where it was chosen and has not come yet. */
function chosen(dues: Dues, { month: now }: Table, { special = {} }: War, options: Readonly<Record<string, unknown>>): Entry[] {
  if (!options[STO] || Object.keys(special).some((id) => id.startsWith(STO))) return []
  return dues
    .filter(([month, , of]) => of === STO && now <= month)
    .map(([month, side, , at]) => entry(month, side, 'units', { called: 'STO submarines', rule: 'P34.2', places: [{ at, says: '' }] }))
}

/** All that is due, month by month; a month in which nothing is due is left out. */
export function calendar(
  table: Table,
  names: Names,
  printed: { arrivals: Arrivals; dues: Dues },
  options: Readonly<Record<string, unknown>> = {},
): MonthAhead[] {
  const { war } = table
  if (!war) return []
  const entries: Entry[] = [
    ...headquarters(table, war, names),
    ...SIDES.flatMap((side) => reinforcements(table, side, names, printed.arrivals)),
    ...returning(table, names),
    ...repairs(table, names),
    ...bombing(table),
    ...chosen(printed.dues, table, war, options),
    ...[...changes(printed.dues, table, names), ...rules(table), ...judged(table, war.ends)].map((one) => ({
      ...one,
      places: [],
      pool: '' as const,
    })),
  ]
  const order = (one: Entry): number => GROUPS.findIndex(({ group }) => group === one.group)
  return byMonth(entries, ({ month }) => month)
    .filter(([month]) => month <= war.ends)
    .map(([month, some]) => ({
      month,
      dues: [...some].sort((one, other) => order(one) - order(other)).map((one, place) => ({ ...one, key: `${month} ${place}` })),
    }))
}
