/** What a side waits for: reinforcements by the month in which they come, ships to repair, units that lack steps (P14 to P16). */

import { counted } from '../../../words/count'
import { monthName } from '../../../words/months'
import { AIRCRAFT, CLASS_NAMES, CLASSES } from '../battle/units'
import type { Names } from '../../title'
import { hexOfAny, placeAt, type SideId } from '../reading'
import type { Screen, Table } from '../shown'

export type Pool = 'reinforcements' | 'repair' | 'replacements'
export type Order = 'due' | 'kind' | 'nation' | 'name'

/** Whose units come, the month, the first day of activation, the listed base, their ids: as `printed/` has it. */
export type Arrivals = readonly (readonly [SideId, string, number, string, readonly string[]])[]

export interface Pooled {
  id: string
  name: string
  sign: 'ship' | 'air' | 'ground' | 'hq'
  /** As it is printed: CV, 1E, D. */
  code: string
  /** "fleet carriers"; kinds go in the order of `rank`. */
  kind: string
  rank: number
  nation: string
  /** The month in which it comes, the months of repair, the steps that it lacks; what has the least comes first. */
  due: string
  /** What all have in common that are due at once. */
  when: string
  /** A place on the map, a task force or a box; '' for none. */
  at: string
  notes: string[]
}

export const NATIONS: Readonly<Record<string, string>> = {
  JP: 'Japan',
  US: 'United States',
  CW: 'Commonwealth',
  NL: 'Netherlands',
  CN: 'China',
}
const SIZES: Readonly<Record<string, string>> = { D: 'divisions', B: 'brigades', R: 'regiments' }
const NOW = ''
/** Ground units that do not come back once they are eliminated (P16.6). */
const GONE_FOR_GOOD: ReadonlySet<string> = new Set(['para', 'engineer'])

const plural = (words: string): string => (words.endsWith('s') || words.endsWith('aircraft') ? words : `${words}s`)

/** What a unit is by what is printed on it; undefined for what is none. */
export function printedOf({ roster }: Table, id: string): Pick<Pooled, 'name' | 'sign' | 'code' | 'kind' | 'rank' | 'nation'> | undefined {
  const ship = roster.ships[id]
  if (ship) {
    const kind = plural(CLASS_NAMES[ship.cls] ?? ship.cls)
    return { name: ship.name, sign: 'ship', code: ship.cls, kind, rank: CLASSES.indexOf(ship.cls), nation: ship.nation }
  }
  const air = roster.air[id]
  if (air) {
    const rank = 20 + Object.keys(AIRCRAFT).indexOf(air.kind)
    return { name: air.name, sign: 'air', code: air.kind, kind: plural(AIRCRAFT[air.kind] ?? air.kind), rank, nation: air.nation }
  }
  const ground = roster.ground[id]
  if (!ground) return undefined
  const rank = 40 + Object.keys(SIZES).indexOf(ground.size)
  return { name: ground.name, sign: 'ground', code: ground.size, kind: SIZES[ground.size] ?? 'ground units', rank, nation: ground.nation }
}

function pooled(table: Table, names: Names, id: string, more: Pick<Pooled, 'due' | 'when' | 'at' | 'notes'>): Pooled[] {
  const printed = printedOf(table, id)
  return printed ? [{ ...printed, id, ...more, name: names[id] ?? printed.name }] : []
}

/** What is there in a pool of the reader's own side; nothing of the other one's, nor for who only looks on. */
export function poolOf(pool: Pool, table: Table, names: Names, arrivals: Arrivals): Pooled[] {
  const { own } = table
  if (!own) return []
  if (pool === 'reinforcements') return reinforcements(table, own, names, arrivals)
  return pool === 'repair' ? repair(table, own, names) : replacements(table, own, names)
}

/** Whether 5.1.M of this month is still to end: until then its units come and its ships are repaired. */
export const beforeOperations = ({ phase }: Pick<Table, 'phase'>): boolean => !phase || /^5\.1\.[A-M]$/.test(phase)

/** What is still to come of what is listed for a side; of another side than the reader's it is the list that tells, nothing else. */
export function toCome(table: Table, side: SideId, arrivals: Arrivals): Arrivals {
  const { month, lost } = table
  const own = table.own?.side === side ? table.own : null
  const waiting = new Set(own?.means?.waiting)
  const there = (id: string): boolean =>
    id in lost || (own ? id in own.ships || id in own.air || id in own.ground : !beforeOperations(table))
  return arrivals.flatMap(([whose, comes, day, at, all]) => {
    const ids = whose === side ? all.filter((id) => waiting.has(id) || comes > month || (comes === month && !there(id))) : []
    return ids.length ? [[side, comes, day, at, ids] as const] : []
  })
}

/** What is due this month comes first, and with it what has come and waits for a place. */
function reinforcements(table: Table, own: Screen, names: Names, arrivals: Arrivals): Pooled[] {
  const { month } = table
  const due = (comes: string): Pick<Pooled, 'due' | 'when'> =>
    comes <= month ? { due: NOW, when: `Due this month: ${monthName(month)}` } : { due: comes, when: monthName(comes) }
  const waiting = new Set(own.means?.waiting)
  const coming = toCome(table, own.side, arrivals).flatMap(([, comes, day, at, ids]) =>
    ids.flatMap((id) => {
      const notes = [waiting.has(id) ? 'waits for a place' : '', day ? `may be activated from day ${day}` : '']
      return pooled(table, names, id, { ...due(comes), at, notes: notes.filter(Boolean) })
    }),
  )
  const boxed = Object.entries(own.means?.penalty ?? {}).flatMap(([id, comes]) =>
    pooled(table, names, id, { ...due(comes), at: '', notes: ['from the Penalty box'] }),
  )
  const staffs = Object.entries(table.war?.headquarters ?? {})
    .filter(([, one]) => one.side === own.side && !one.site && one.returns)
    .map(([id, one]): Pooled => ({
      id,
      name: names[id] ?? one.name,
      sign: 'hq',
      code: 'HQ',
      kind: 'headquarters',
      rank: -1,
      nation: '',
      ...due(one.returns!),
      at: '',
      notes: [],
    }))
  return [...staffs, ...coming, ...boxed]
}

/** A hit is repaired in a month, so that a ship needs as many months as it has hits (P15.1). */
function repair(table: Table, own: Screen, names: Names): Pooled[] {
  const escorting = new Set(own.means?.escorting)
  return Object.entries(own.ships).flatMap(([id, ship]) => {
    const { damage = 0 } = ship
    if (!damage || id in table.lost || !(ship.port || ship.tf || escorting.has(id))) return []
    const notes = [
      `${damage} of ${counted(table.roster.ships[id]?.hits ?? 0, 'hit')}`,
      ship.crippled ? 'crippled' : '',
      ship.isolated ? 'Isolated: cannot be repaired' : '',
      escorting.has(id) ? 'on escort duty' : '',
    ]
    const more = { due: sorted(damage), when: `${counted(damage, 'month')} at least`, at: ship.port ?? ship.tf ?? '' }
    return pooled(table, names, id, { ...more, notes: notes.filter(Boolean) })
  })
}

/** Air and ground units with fewer steps than they may have; most of those that are gone may be raised anew (P16.3, P16.6). */
function replacements(table: Table, own: Screen, names: Names): Pooled[] {
  const short = (id: string, steps: number, most: number, at: string, isolated = false): Pooled[] => {
    const lacks = most - steps
    const notes = [steps ? `${steps} of ${counted(most, 'step')}` : 'eliminated: may be raised anew', isolated ? 'Isolated' : '']
    const when = steps ? `${counted(lacks, 'step')} short` : 'Eliminated'
    // What is gone comes first, then those that lack most.
    return pooled(table, names, id, { due: sorted(steps ? 99 - lacks : 0), when, at, notes: notes.filter(Boolean) })
  }
  const air = Object.entries(own.air).flatMap(([id, one]) => {
    const printed = table.roster.air[id]
    const gone = !one.steps && printed?.kind === 'CVG'
    return printed && !gone && one.steps < printed.most ? short(id, one.steps, printed.most, one.steps ? one.home : '', one.isolated) : []
  })
  const ground = Object.entries(own.ground).flatMap(([id, one]) => {
    const { most = 0, flags = [], nation = '' } = table.roster.ground[id] ?? {}
    const hex = hexOfAny(table, id)
    // A division that is broken down is there in its parts.
    const parts = Object.entries(own.ground).some(([part, { steps }]) => steps > 0 && part.startsWith(`${id}.`))
    const never = parts || id.includes('.') || nation === 'CN' || flags.some((flag) => GONE_FOR_GOOD.has(flag))
    return (one.steps || !never) && one.steps < most ? short(id, one.steps, most, placeAt(table, hex) || hex, one.isolated) : []
  })
  return [...air, ...ground]
}

const sorted = (number: number): string => String(number).padStart(2, '0')

/** A name as it is looked for: without accents, in small letters. */
const plain = (words: string): string => words.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Those whose name has all that is looked for, in any order; what is printed on them counts as of their name. */
export function named(units: readonly Pooled[], search: string): Pooled[] {
  const parts = plain(search).split(/\s+/).filter(Boolean)
  return units.filter(({ name, code }) => parts.every((part) => plain(`${name} ${code}`).includes(part)))
}

export interface Heap {
  head: string
  units: Pooled[]
}

/** Names with numbers go by the number: the 2nd before the 10th. */
const collator = new Intl.Collator('en', { numeric: true })

/** Units in groups by what they are sorted by, each group by kind and name; by name they are one group without a head. */
export function heaps(units: readonly Pooled[], order: Order): Heap[] {
  const key = ({ due, rank, nation }: Pooled): string =>
    order === 'due' ? due : order === 'kind' ? sorted(rank + 1) : order === 'nation' ? nationName(nation) : ''
  const head = ({ when, kind, nation }: Pooled): string =>
    order === 'due' ? when : order === 'kind' ? kind.charAt(0).toUpperCase() + kind.slice(1) : order === 'nation' ? nationName(nation) : ''
  const compare = (one: Pooled, other: Pooled): number =>
    (key(one) < key(other) ? -1 : Number(key(one) > key(other))) ||
    (order === 'name' ? 0 : one.rank - other.rank) ||
    collator.compare(one.name, other.name)
  const found: Heap[] = []
  for (const unit of [...units].sort(compare)) {
    const last = found.at(-1)
    if (last?.head === head(unit)) last.units.push(unit)
    else found.push({ head: head(unit), units: [unit] })
  }
  return found
}

function nationName(nation: string): string {
  return NATIONS[nation] ?? (nation || 'Headquarters')
}

/** Who has points of strategic transport: "United States" of `AL_US` (P13.1). */
export const carrier = (purse: string): string => NATIONS[purse.replace('AL_', '')] ?? purse

/** Steps of the month, by whom they are for: "United States 1E" (P16.1). */
export function stepsLeft(steps: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(steps).map(([purse, left]) => {
    const [nation = '', kind = ''] = purse.split('.')
    return [`${NATIONS[nation] ?? nation} ${kind.replace('any_air', 'air')}`, left]
  })
}
