/** What Japan lives on in the war (P8 to P10): merchant ships, resources, the homeland; month by month, as facts told it. */

import { bodyOf } from '../../../protocol/body'
import type { Told } from '../../../protocol/wire'
import { takenBack } from '../../../words/facts'
import type { BaseIs, HomelandIs, MonthIs, MonthsSetUp, SetUp, ShippingFought, TotalsAre } from '../facts'
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

type Held = Readonly<Record<string, boolean>>
const kept = (control: number, damage = 0): boolean => control === 0 && !damage
const count = (held: Held): number => RESOURCES.filter((place) => held[place]).length

export function history(table: Table, facts: readonly Told[]): Account[] {
  const gone = takenBack(facts)
  const found: Account[] = []
  let held: Record<string, boolean> = {}
  for (const fact of facts) {
    if (gone.has(fact.seq)) continue
    const now = found.at(-1)
    switch (fact.type) {
      case 'SetUp':
        for (const [place, base] of Object.entries(bodyOf<SetUp>(fact).bases)) held[place] = kept(base.control, base.resource_damage)
        break
      case 'MonthsSetUp': {
        const { month, msp = 0, hrl = 0 } = bodyOf<MonthsSetUp>(fact).war
        found.push({ month, msp, hrl, resources: count(held), points: undefined, lost: undefined })
        break
      }
      case 'MonthIs':
        if (now) found.push({ ...now, month: bodyOf<MonthIs>(fact).month, points: undefined, lost: undefined })
        break
      case 'BaseIs': {
        const { location, base } = bodyOf<BaseIs>(fact)
        held = { ...held, [location]: kept(base.control, base.resource_damage) }
        if (now) now.resources = count(held)
        break
      }
      default:
        if (now) told(now, fact)
    }
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

function told(now: Account, fact: Told): void {
  if (fact.type === 'HomelandIs') {
    const { msp, hrl } = bodyOf<HomelandIs>(fact)
    now.msp = msp ?? now.msp
    now.hrl = hrl ?? now.hrl
  } else if (fact.type === 'TotalsAre') [now.points] = bodyOf<TotalsAre>(fact).totals
  else if (fact.type === 'ShippingFought') {
    const { merchants_lost, marine, escorts_lost, boats_lost } = bodyOf<ShippingFought>(fact)
    now.lost = { submarines: merchants_lost, sea: marine, escorts: escorts_lost, boats: boats_lost }
  }
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
