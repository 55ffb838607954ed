/** What Japan lives on in the war (P8 to P10): merchant ships, resources, the homeland; month by month, as the chapters of its match tell it. */

import type { Chapter, Told } from '../../../protocol/wire'
import { monthOf } from '../../../words/months'
import { RESOURCES } from '../printed/places'
import type { Location, Table } from '../shown'

/** How a month ended; the last one, how it stands now. */
export interface Account {
  month: string
  msp: number
  hrl: number
  /** Resource hexes that Japan controls and that are intact, Linked or not. */
  resources: number
  /** Japan's Command Points; undefined until they are told. */
  points: number | undefined
  /** Lost in the month's attrition; undefined until it is told. */
  lost: { submarines: number; sea: number; escorts: number; boats: number } | undefined
}

/** The facts after which a month's account is another. */
const NEWS: ReadonlySet<string> = new Set(['MonthsSetUp', 'MonthIs', 'TotalsAre', 'HomelandIs', 'ShippingFought', 'BaseIs'])

/** The last fact that the chapters must tell of, for the accounts to be those of now. */
export function newsIn(facts: readonly Told[]): number {
  return facts.findLast(({ type }) => NEWS.has(type))?.seq ?? 0
}

/** The months up to fact `seq`, from what the server tells of the chapters; that of the table is as it stands there. */
export function history(table: Table, chapters: readonly Chapter[], seq: number): Account[] {
  const found: Account[] = []
  for (const chapter of chapters) {
    if (chapter.since > seq) break
    if (chapter.kind === 'month') {
      const { msp, hrl, resources } = found.at(-1) ?? { msp: 0, hrl: 0, resources: 0 }
      found.push({ month: monthOf(chapter.named), msp, hrl, resources, points: undefined, lost: undefined })
    }
    const now = found.at(-1)
    // What comes of the one under way is told up to now, which in a replay is later than its moment.
    if (now && chapter.upto <= seq) add(now, chapter)
  }
  const last = found.at(-1)
  if (last && table.war) {
    Object.assign(last, {
      msp: table.war.msp ?? 0,
      hrl: table.war.hrl ?? 0,
      resources: resourcesOf(table).filter(({ counts }) => counts).length,
    })
  }
  return found
}

function add(now: Account, { figures, counts }: Chapter): void {
  const { msp = now.msp, hrl = now.hrl, resources = now.resources, merchants, marine = 0, escorts = 0, boats = 0 } = figures
  const lost = merchants === undefined ? now.lost : { submarines: merchants - marine, sea: marine, escorts, boats }
  Object.assign(now, { msp, hrl, resources, points: counts.command?.[0] ?? now.points, lost } satisfies Partial<Account>)
}

export interface Resource {
  id: string
  place: Location
  /** Japan controls it and it is intact. */
  counts: boolean
  /** By what Japan was told; undefined for other readers. */
  linked: boolean | undefined
}

/** The resource hexes as they stand, those that count first (P10.1). */
export function resourcesOf({ locations, own }: Table): Resource[] {
  const links = own?.side === 'JP' && own.means ? new Set(Object.values(own.means.links).flat()) : undefined
  return RESOURCES.flatMap((id) => {
    const place = locations[id]
    if (!place) return []
    return [{ id, place, counts: place.control === 'JP' && !place.resource_damage, linked: links?.has(place.hex) }]
  }).sort((one, other) => Number(other.counts) - Number(one.counts) || one.place.name.localeCompare(other.place.name))
}

/** Japan's Command Points of a month, and what they are made of (P10.1). */
export function commandPoints(
  msp: number,
  hrl: number,
  resources: number,
): { base: number; ships: number; resources: number; hrl: number; all: number } {
  const parts = { base: 10, ships: Math.floor(msp / 2), resources: 2 * Math.min(resources, Math.floor(msp / 4)), hrl }
  return { ...parts, all: parts.base + parts.ships + parts.resources + parts.hrl }
}

export interface Drawn {
  /** The line from month to month. */
  d: string
  dots: { x: number; y: number; month: string; value: number }[]
  /** Where years begin. */
  years: { x: number; year: string }[]
}

/** A row of months as a line in a box: 0 at its foot, `most` at its head; a single month is in the middle. */
export function lineOf(row: readonly { month: string; value: number }[], most: number, width: number, height: number): Drawn {
  const step = row.length > 1 ? width / (row.length - 1) : 0
  const round = (value: number): number => Math.round(value * 10) / 10
  const dots = row.map(({ month, value }, place) => ({
    month,
    value,
    x: round(row.length > 1 ? place * step : width / 2),
    y: round(height - (height * Math.min(value, most)) / Math.max(1, most)),
  }))
  const d = dots.map(({ x, y }, place) => `${place ? 'L' : 'M'}${x} ${y}`).join('')
  const years = dots.filter(({ month }) => month.endsWith('-01')).map(({ x, month }) => ({ x, year: month.slice(0, 4) }))
  return { d, dots, years }
}
