/** Nimitz's table as the page reads it, and questions about what lies where. */

import type { TableView } from '../../protocol/wire'
import { counted } from '../../words/count'
import { type Battle, type Counter, EMPTY, type Ratings, type Span, type Table } from './shown'

export type SideId = Counter['side']
export type Kind = Counter['kind']
/** An area of the battle board. */
export type Place = Battle['ships'][string]

export const SIDES: readonly SideId[] = ['US', 'JA']
export const SIDE_NAMES: Record<SideId, string> = { US: 'United States', JA: 'Japan' }
export const BATTLE_AREAS: readonly Place[] = ['JO', 'IS', 'CO', 'UO']

export function tableOf(view: TableView): Table {
  return { ...EMPTY, ...(view.table as Partial<Table>) }
}

/** What a counter is, in words. */
const TYPE_NAMES: Record<string, string> = {
  CV: 'fleet carrier',
  CVL: 'light carrier',
  CVE: 'escort carrier',
  BB: 'battleships',
  CRU: 'cruisers',
  DD: 'destroyers',
  SS: 'submarines',
  ARMY: 'infantry',
  MARINE: 'marines',
  BASE: 'base force',
  BN: 'battalion',
  FIGHTER: 'fighters',
  BOMBER: 'bombers',
}

/** What a counter is: a bomber that can fight in a dogfight too would be looked for among the fighters (N1.5). */
export function typeName({ type, ratings }: Pick<Counter, 'type' | 'ratings'>): string {
  return type === 'BOMBER' && ratings.full.dogfight ? 'fighter-bombers' : (TYPE_NAMES[type] ?? type)
}

export const KINDS: readonly Kind[] = ['SHIP', 'INF', 'LBA']
export const CARRIERS: readonly string[] = ['CV', 'CVL', 'CVE']

export function isDamaged(table: Table, id: string): boolean {
  return table.forces[id]?.damaged ?? table.battle?.planes[id]?.damaged ?? false
}

const NO_ATTACK: Ratings = { aaa_sup: 0, dogfight_sup: 0 }

export function ratingsOf(table: Table, id: string): Ratings {
  const faces = table.counters[id]?.ratings
  return (isDamaged(table, id) ? faces?.damaged : faces?.full) ?? NO_ATTACK
}

export const RATINGS: readonly [keyof Ratings, string, string, (keyof Ratings)?][] = [
  ['aaa', 'AA', 'anti-aircraft', 'aaa_sup'],
  ['surface', 'Surf', 'surface'],
  ['depth', 'Depth', 'depth charges'],
  ['dogfight', 'Dog', 'dogfight', 'dogfight_sup'],
  ['bomb_ship', 'Ships', 'bombs on ships'],
  ['bomb_ground', 'Land', 'bombs on land'],
  ['infantry', 'Inf', 'infantry'],
]

/** Each rating of a face that attacks at all: its short and its long name, and the value, the superior one behind a stroke. */
export function ratingList(ratings: Ratings): { short: string; long: string; value: string }[] {
  return RATINGS.flatMap(([key, short, long, superior]) => {
    const value = ratings[key]
    const twice = superior ? ratings[superior] : 0
    return value ? [{ short, long, value: `${value}${twice ? `/${twice}` : ''}` }] : []
  })
}

/** A counter in words: what it is, how it stands, its ratings. */
export function described(table: Table, id: string, names: Record<string, string>): string {
  const counter = table.counters[id]
  const name = names[id] ?? counter?.name ?? id
  if (!counter) return name
  const force = table.forces[id]
  const plane = table.battle?.planes[id]
  const parts = [
    `${name}, ${SIDE_NAMES[counter.side]} ${typeName(counter)}`,
    isDamaged(table, id) ? 'damaged' : '',
    force?.aboard ? 'on transports' : '',
    stays(table, id),
    plane?.flown ? 'has flown' : '',
    `value ${counter.value}`,
    ...ratingList(ratingsOf(table, id)).map(({ long, value }) => `${long} ${value}`),
  ]
  return parts.filter(Boolean).join(', ')
}

const MOVEMENT = 4

/** Why a force on the map may not move now, as far as one sees it there (N5.1, N6.4); '' if nothing speaks against it. */
export function stays(table: Table, id: string): string {
  const { side, kind } = table.counters[id]!
  const { place, moved } = table.forces[id] ?? {}
  if (moved) return side === 'US' ? 'has moved' : 'may not move any more'
  if (table.step !== MOVEMENT || table.battle || side !== 'US' || kind !== 'INF' || !table.map[place ?? '']) return ''
  const met = Object.entries(table.forces).some(([other, force]) => force.place === place && table.counters[other]?.side === 'JA')
  return met ? 'may not move: Japanese forces are here' : ''
}

/** Ids by place: weighty ships first, then by id. */
export function byPlace(table: Table): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const ids = Object.keys(table.forces).sort((a, b) => order(table, a) - order(table, b) || (a < b ? -1 : 1))
  for (const id of ids) {
    const { place } = table.forces[id]!
    const there = found.get(place)
    if (there) there.push(id)
    else found.set(place, [id])
  }
  return found
}

/** While a battle is set up: ids of what is in its area and not on its board yet. */
function unplaced({ battle, forces }: Table): string[] {
  if (!battle || battle.turn) return []
  const { ships, planes, foxhole, beach, transports } = battle
  const there = new Set([...Object.keys(ships), ...Object.keys(planes), ...foxhole, ...beach, ...transports.JA, ...transports.US])
  return Object.keys(forces).filter((id) => forces[id]!.place === battle.area && !there.has(id))
}

/** Ships that came to a battle and are not yet placed on its board. */
export function waiting(table: Table): string[] {
  return unplaced(table)
    .filter((id) => table.counters[id]?.kind === 'SHIP')
    .sort((a, b) => order(table, a) - order(table, b) || (a < b ? -1 : 1))
}

const COMING: readonly [Kind, string, string][] = [
  ['SHIP', 'ship', 'ships'],
  ['LBA', 'aircraft', 'aircraft'],
  ['INF', 'ground unit', 'ground units'],
]

/** What is still to be placed in a battle that is set up, of each side, in words; '' if nothing. */
export function coming(table: Table): string {
  const counters = unplaced(table).map((id) => table.counters[id])
  return (['JA', 'US'] as const)
    .map((side) => {
      const of = (kind: Kind): number => counters.filter((one) => one?.side === side && one.kind === kind).length
      const parts = COMING.flatMap(([kind, one, many]) => (of(kind) ? [counted(of(kind), one, many)] : []))
      return parts.length ? `${side === 'JA' ? '●' : '★'} ${parts.join(', ')}` : ''
    })
    .filter(Boolean)
    .join('  ')
}

const TYPES = ['CV', 'CVL', 'CVE', 'BB', 'CRU', 'DD', 'SS', 'MARINE', 'ARMY', 'BASE', 'BN', 'FIGHTER', 'BOMBER']

export function order(table: Table, id: string): number {
  return TYPES.indexOf(table.counters[id]?.type ?? '')
}

export function repairPrice(counter: Counter | undefined): number {
  return Math.max(1, Math.floor((counter?.buy ?? 0) / 2))
}

/** The way supply comes to an area, from the West Coast through areas that are held; empty if it does not come. */
export function supplyLine(table: Table, to: string): string[] {
  if (!table.supplied.includes(to)) return []
  const from = new Map<string, string>([['WC', '']])
  const edge = ['WC']
  while (edge.length && !from.has(to)) {
    const here = edge.shift()!
    if (!table.held.includes(here)) continue
    for (const next of table.map[here]?.neighbours ?? []) {
      if (from.has(next) || !table.supplied.includes(next)) continue
      from.set(next, here)
      edge.push(next)
    }
  }
  const way: string[] = []
  for (let here: string | undefined = to; here; here = from.get(here)) way.unshift(here)
  return way[0] === 'WC' ? way : []
}

export function spanWords({ lo, hi }: Span): string {
  if (lo === undefined) return `≤ ${hi}`
  if (hi === undefined) return `≥ ${lo}`
  return lo === hi ? `${lo}` : `${lo}–${hi}`
}

export function holds(span: Span, number: number): boolean {
  return (span.lo === undefined || span.lo <= number) && (span.hi === undefined || number <= span.hi)
}

/** The short name that fits on a counter. */
export function shortName(table: Table, id: string): string {
  const counter = table.counters[id]
  if (!counter) return id
  if (counter.kind === 'CAG') return id.replace(/^.*:\d+/, '')
  if (counter.type === 'BN') return `Bn ${id.slice(-2)}`
  const first = counter.name
    .split('/')[0]!
    .replace('Destroyer Gp', 'Des')
    .replace('DESRON', 'DesRon')
    .replace(/Kokutai/, 'Kk')
    .replace(/Sentai/, 'St')
    .replace(/Division/, 'Div')
  return first.length > 12 ? `${first.slice(0, 11)}.` : first
}
