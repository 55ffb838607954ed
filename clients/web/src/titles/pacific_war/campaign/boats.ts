/** The special submarines (P34): what the map and their card say of them, and what is decided about them. */

import type { CardText, Choice as ChoiceOf, Names } from '../../title'
import { airWords, targetName } from '../labels'
import { hexOf, type Point } from '../map/hexes'
import type { Box, Laid } from '../places'
import { basedAt, SIDE_NAMES, whereIs } from '../reading'
import type { Decision, SpecialBoat, Table } from '../shown'

/** Hits that sink one. */
const HITS = 2

/** Those that are afloat. */
export function boatsOf(table: Table): [string, SpecialBoat][] {
  return Object.entries(table.war?.special ?? {}).filter(([, { hits = 0 }]) => hits < HITS)
}

/** What everybody knows of one, and its owner that it is Activated. */
export function boatNotes(table: Table, id: string, names: Names): string[] {
  const boat = table.war?.special?.[id]
  if (!boat) return []
  const known = basedAt(table, id).map((unit) => airWords(table, unit, names))
  const there = known.length ? known.join('; ') : boat.aircraft ? 'an air unit, not known which' : 'nobody there'
  return [
    `at ${whereIs(table, boat.node)}`,
    boat.hits ? `${boat.hits} of ${HITS} hits` : '',
    boat.base ? `keeps a seaplane base: ${there}` : '',
    table.own?.means?.roused?.includes(id) ? 'Activated' : '',
  ].filter(Boolean)
}

export function boatLabel(table: Table, id: string, names: Names): string {
  return `${names[id] ?? id} of ${SIDE_NAMES[table.war?.special?.[id]?.side ?? 'JP']}: ${boatNotes(table, id, names).join(', ')}`
}

export function boatCard(table: Table, id: string, names: Names): CardText | null {
  const boat = table.war?.special?.[id]
  if (!boat) return null
  return { name: names[id] ?? id, what: `special submarine of ${SIDE_NAMES[boat.side]}`, notes: boatNotes(table, id, names), ratings: [] }
}

/** Where the mark of one may lie, from where it is: round it, the nearest first. */
const ROUND: readonly Point[] = [
  { x: 0, y: 0 },
  { x: -34, y: -15 },
  { x: 34, y: -15 },
  { x: -34, y: 17 },
  { x: 34, y: 17 },
  { x: -46, y: 0 },
  { x: 46, y: 0 },
  { x: 0, y: -30 },
  { x: 0, y: 34 },
]

/** What is on the map already, about a point: places with their names, task forces and patrols, all as marks are large. */
export function takenBy({ plates, chips, boats }: Laid, { x, y }: Point, scale: number): Box[] {
  const seen = (one: Point): Point => ({ x: (one.x - x) / scale, y: (one.y - y) / scale })
  const names = plates.flatMap((plate) => {
    const { label, place } = plate
    if (!label) return []
    const at = seen(plate)
    const w = place.name.length * 5.9
    return [{ x: at.x + label.x + { start: w / 2, middle: 0, end: -w / 2 }[label.anchor], y: at.y + label.y - 4, w, h: 12 }]
  })
  const sized = [...plates, ...chips].map((one) => ({ ...seen(one), w: one.w, h: one.h }))
  return [...names, ...sized, ...boats.map((one) => ({ ...seen(one), w: 26, h: 13 }))]
}

/** The spot round a point where a mark covers least. */
export function clearSpot(size: { w: number; h: number }, taken: readonly Box[]): Point {
  const covered = (spot: Point): number =>
    taken.reduce((sum, one) => {
      const across = (one.w + size.w) / 2 - Math.abs(one.x - spot.x)
      const down = (one.h + size.h) / 2 - Math.abs(one.y - spot.y)
      return sum + (across > 0 && down > 0 ? across * down : 0)
    }, 0)
  return ROUND.reduce((best, spot) => (covered(spot) < covered(best) ? spot : best))
}

type Make = (label: string, path?: string[], more?: Partial<ChoiceOf<Decision>>) => ChoiceOf<Decision>

const STRUCK = { strike_tf: '', strike_port: 'the port of ', strike_airbase: 'the airbase of ' }

/** A decision about them; null for another one. */
export function boatChoice(decision: Decision, table: Table, names: Names, make: Make): ChoiceOf<Decision> | null {
  const name = (id: string): string => names[id] ?? id
  switch (decision.type) {
    case 'move_boat':
      return make(`Move ${name(decision.piece)}`, [decision.piece])
    case 'open_seaplane_base':
      return make(`Open a seaplane base at ${whereIs(table, hexOf(decision.hex))}`, [], { short: 'Open a seaplane base', main: false })
    case 'hunt_submarine':
      return make(`Hunt with ${name(decision.tf)}`, [decision.tf])
    case 'sto_strike': {
      const what = `${STRUCK[decision.kind]}${targetName(table, decision.target, names)}`
      const act = `do:${decision.piece}:${decision.kind}:${decision.target}`
      return make(`Let ${name(decision.piece)} strike ${what}`, [decision.piece, act], { short: `Strike ${what}`, whole: true })
    }
    default:
      return null
  }
}
