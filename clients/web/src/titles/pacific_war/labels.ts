/** What the map says where it is read out, and for whoever points at it. */

import { counted } from '../../words/count'
import type { Names } from '../title'
import type { Course } from './map/courses'
import { distance, hexOf, kind, terrain } from './map/hexes'
import {
  aboard,
  airOf,
  basedAt,
  byClass,
  closed,
  type Fleet,
  groundOf,
  hexOfAny,
  inPort,
  SIDE_NAMES,
  type SideId,
  SIDES,
  standing,
  troopsAt,
  whereIs,
} from './reading'
import type { Table } from './shown'

export const KINDS: Record<string, string> = {
  strike_tf: 'Strike on a task force',
  strike_airbase: 'Strike on an airbase',
  strike_port: 'Strike on a port',
  strike_ships_in_port: 'Strike on ships in port',
  strike_fort: 'Strike on a fort',
  strike_ground: 'Strike on ground units',
  ferry: 'Ferry flight',
  supply: 'Supply flight',
  paradrop: 'Paradrop',
}

const GROUNDS = { s: 'sea', h: 'shore', l: 'land' } as const

/** A node or a hex as a goal, with what may happen on the way there. */
export function nodeLabel(table: Table, node: string, course?: Course): string {
  const hex = hexOf(node)
  const ground = kind(hex) === 's' ? 'open sea' : `${GROUNDS[kind(hex)]}, ${terrain(hex)}`
  const parts = [whereIs(table, node), ground]
  if (course) {
    parts.push(counted(course.way.length, 'hex', 'hexes'))
    parts.push(...course.risks.map(({ words }) => words))
  }
  return parts.join(', ')
}

export function airWords(table: Table, id: string, names: Names): string {
  const air = airOf(table, id)
  const printed = table.roster.air[id]
  if (!air || !printed) return names[id] ?? id
  const own = table.own?.air[id]
  const used = own ? air.steps - (own.ready ?? 0) - (own.cap ?? 0) : 0
  const now = own
    ? [own.ready ? `${own.ready} ready` : '', own.cap ? `${own.cap} on CAP` : '', used ? `${used} used` : ''].filter(Boolean).join(', ')
    : ''
  return `${names[id] ?? printed.name}, ${counted(air.steps, 'step')}${now ? ` (${now})` : ''}`
}

export function groundWords(table: Table, id: string, names: Names): string {
  const ground = groundOf(table, id)
  if (!ground) return names[id] ?? id
  const marks = [ground.broken ? 'Broken' : '', ground.landing ? 'landing' : '', ground.inactive ? 'inactive' : ''].filter(Boolean)
  return `${names[id] ?? id}, ${counted(ground.steps, 'step')}${marks.length ? ` (${marks.join(', ')})` : ''}`
}

export function shipWords(table: Table, id: string, names: Names): string {
  const ship = table.own?.ships[id] ?? table.ships[id]
  const hits = table.roster.ships[id]?.hits ?? 0
  const hurt = ship?.damage ? `, ${ship.damage} of ${hits} hits${ship.crippled ? ', crippled' : ''}` : ''
  return `${table.roster.ships[id]?.cls ?? ''} ${names[id] ?? id}${hurt}`.trim()
}

/** What one knows of a task force, one thing each. */
export function fleetNotes(table: Table, fleet: Fleet, names: Names): string[] {
  const core = fleet.ships.filter((id) => !fleet.screen.includes(id))
  const list = (ids: readonly string[]): string => ids.map((id) => shipWords(table, id, names)).join('; ')
  const groups = fleet.ships.flatMap((id) => basedAt(table, id))
  const cargo = aboard(table, fleet.ships)
  return [
    `at ${whereIs(table, fleet.node)}`,
    fleet.detected ? 'Detected' : 'Undetected',
    fleet.speed ? `speed ${fleet.speed}${fleet.left >= 0 ? `, ${counted(fleet.left, 'hex', 'hexes')} left` : ''}` : '',
    fleet.stopped ? 'stopped in this phase' : '',
    core.length ? `core: ${list(core)}` : '',
    fleet.screen.length ? `screen: ${list(fleet.screen)}` : '',
    groups.length ? `aircraft: ${groups.map((id) => airWords(table, id, names)).join('; ')}` : '',
    cargo.length ? `aboard: ${cargo.map((id) => groundWords(table, id, names)).join('; ')}` : '',
    !fleet.ships.length && fleet.seen.length ? `seen in cycle ${fleet.seenCycle}: ${byClass(table, fleet.seen)}` : '',
    !fleet.ships.length && !fleet.seen.length ? 'nothing is known of what is in it' : '',
  ].filter(Boolean)
}

export function fleetLabel(table: Table, fleet: Fleet, names: Names): string {
  return `${names[fleet.id] ?? fleet.id} of ${SIDE_NAMES[fleet.side]}: ${fleetNotes(table, fleet, names).join(', ')}`
}

const THERE = { ships: 'ships in port', aircraft: 'air units', troops: 'ground units' } as const

export function placeNotes(table: Table, id: string, names: Names): string[] {
  const place = table.locations[id]!
  const known = (side: SideId): string[] => {
    const of = (list: readonly string[], roster: Record<string, { side: SideId }>): string[] =>
      list.filter((one) => roster[one]?.side === side)
    const ships = of(inPort(table, id), table.roster.ships)
    const air = of(basedAt(table, id), table.roster.air)
    const ground = of(troopsAt(table, place.hex), table.roster.ground)
    const said = [
      ...ships.map((one) => shipWords(table, one, names)),
      ...air.map((one) => airWords(table, one, names)),
      ...ground.map((one) => groundWords(table, one, names)),
    ]
    const hidden = [
      !ships.length && place.ships?.includes(side) ? THERE.ships : '',
      !air.length && place.aircraft?.includes(side) ? THERE.aircraft : '',
      !ground.length && table.troops[side].includes(place.hex) ? THERE.troops : '',
    ].filter(Boolean)
    const all = [...said, ...(hidden.length ? [`${hidden.join(', ')}, not known which`] : [])]
    return all.length ? [`${SIDE_NAMES[side]}: ${all.join('; ')}`] : []
  }
  return [
    `hex ${place.hex}, ${place.terrain}`,
    place.port ? `port ${standing(place.port, place.port_damage)}` : '',
    place.airbase ? `airbase ${standing(place.airbase, place.airbase_damage)}${closed(place) ? ', nothing flies from it' : ''}` : '',
    place.fort ? `fort ${place.fort}${place.fort_hit ? ', hit' : ''}` : '',
    table.struck?.includes(id) ? 'what is there is seen until the next cycle' : '',
    ...SIDES.flatMap(known),
  ].filter(Boolean)
}

export function placeLabel(table: Table, id: string, names: Names): string {
  const place = table.locations[id]!
  return `${place.name}, held by ${SIDE_NAMES[place.control]}: ${placeNotes(table, id, names).join(', ')}`
}

export function campLabel(table: Table, hex: string, names: Names): string {
  const known = troopsAt(table, hex).map((id) => groundWords(table, id, names))
  const sides = SIDES.filter((side) => table.troops[side].includes(hex)).map((side) => SIDE_NAMES[side])
  return `Ground units of ${sides.join(' and of ')} at ${whereIs(table, hex)}${known.length ? `: ${known.join('; ')}` : ''}`
}

export function patrolLabel(table: Table, hex: string, points: number): string {
  const side = table.patrols[hex]?.side ?? 'JP'
  return `Submarine patrol of ${SIDE_NAMES[side]} at ${whereIs(table, hex)}: ${points ? counted(points, 'point') : 'its points are not known'}`
}

interface Mission {
  side: SideId
  kind: string
  target: string
  origin?: string
  strike?: Record<string, number>
  escort?: Record<string, number>
  planned: boolean
}

export function targetName(table: Table, id: string, names: Names): string {
  return /^\d{4}/.test(id) ? whereIs(table, id) : (names[id] ?? table.locations[id]?.name ?? id)
}

export function strikeLabel(table: Table, mission: Mission, names: Names): string {
  const flown = (steps: Record<string, number> = {}): string =>
    Object.entries(steps)
      .map(([unit, count]) => `${counted(count, 'step')} of ${names[unit] ?? unit}`)
      .join(', ')
  const [strike, escort] = [flown(mission.strike), flown(mission.escort)]
  return [
    `${KINDS[mission.kind] ?? mission.kind} of ${SIDE_NAMES[mission.side]}${mission.planned ? ', planned' : ''}: ${targetName(table, mission.target, names)}`,
    mission.origin ? `from ${targetName(table, mission.origin, names)}` : 'nobody knows from where',
    strike,
    escort ? `escort: ${escort}` : '',
  ]
    .filter(Boolean)
    .join(', ')
}

/** "2 hexes": how far a goal is from something that flies there. */
export function farFrom(table: Table, one: string, other: string): string {
  const [from, to] = [hexOfAny(table, one), hexOfAny(table, other)]
  return from && to ? counted(distance(hexOf(from), hexOf(to)), 'hex', 'hexes') : ''
}
