/** What the card of a unit, a task force or a place says: what is printed on it, and what is known of how it stands. */

import type { TableView } from '../../protocol/wire'
import type { CardText, Names } from '../title'
import { airWords, fleetNotes, groundWords, placeNotes, shipWords } from './labels'
import { AIRCRAFT } from './battle/units'
import { campaignWords } from './campaign/words.svelte'
import { airOf, fleets, groundOf, shipOf, SIDE_NAMES, tableOf, whereIs } from './reading'
import type { Table } from './shown'

const CLASSES: Record<string, string> = {
  CV: 'fleet carrier',
  CVL: 'light carrier',
  CVE: 'escort carrier',
  CVS: 'seaplane carrier',
  BB: 'battleship',
  BC: 'battlecruiser',
  CA: 'heavy cruisers',
  CL: 'light cruisers',
  DD: 'destroyers',
  AA: 'transports',
}

const rating = (name: string, value: number | string | undefined): CardText['ratings'] =>
  value === undefined || value === 0 || value === '' ? [] : [{ name, value: `${value}` }]

export function card(id: string, view: TableView, names: Names): CardText | null {
  const table = tableOf(view)
  const fleet = table.tfs[id] && fleets(table).find((one) => one.id === id)
  if (fleet) {
    return { name: names[id] ?? id, what: `task force of ${SIDE_NAMES[fleet.side]}`, notes: fleetNotes(table, fleet, names), ratings: [] }
  }
  const place = table.locations[id]
  if (place) return { name: place.name, what: `held by ${SIDE_NAMES[place.control]}`, notes: placeNotes(table, id, names), ratings: [] }
  return (
    shipCard(table, id, names) ??
    airCard(table, id, names) ??
    groundCard(table, id, names) ??
    campaignWords(view)?.boatCard(table, id, names) ??
    null
  )
}

function shipCard(table: Table, id: string, names: Names): CardText | null {
  const printed = table.roster.ships[id]
  if (!printed) return null
  const ship = shipOf(table, id)
  return {
    name: names[id] ?? printed.name,
    what: `${SIDE_NAMES[printed.side]}: ${CLASSES[printed.cls] ?? printed.cls}`,
    notes: [
      shipWords(table, id, names),
      ship?.tf ? `in ${names[ship.tf] ?? ship.tf}` : '',
      ship?.port ? `in port` : '',
      ship?.assault ? 'fitted out for assault' : '',
    ].filter(Boolean),
    ratings: [
      ...rating('Gun', printed.gun),
      ...rating('Torpedo', printed.torp),
      ...rating('Flak', printed.aa),
      ...rating('ASW', printed.asw),
      ...rating('Defence', `${printed.def_g ?? 0}/${printed.def_a ?? 0}`),
      ...rating('Hits', printed.hits),
      ...rating('Speed', printed.speed),
      ...rating('Air steps', printed.cap),
      ...rating('Lift', printed.lift),
    ],
  }
}

function airCard(table: Table, id: string, names: Names): CardText | null {
  const printed = table.roster.air[id]
  if (!printed) return null
  const air = airOf(table, id)
  return {
    name: names[id] ?? printed.name,
    what: `${SIDE_NAMES[printed.side]}: ${AIRCRAFT[printed.kind] ?? printed.kind}`,
    notes: [airWords(table, id, names), air ? `level ${air.level}` : '', air?.home ? `at ${names[air.home] ?? air.home}` : ''].filter(
      Boolean,
    ),
    ratings: [
      ...rating('Range', printed.range),
      ...rating('Air', printed.air),
      ...rating('Naval', printed.nav),
      ...rating('Ground', printed.gnd),
    ],
  }
}

function groundCard(table: Table, id: string, names: Names): CardText | null {
  const printed = table.roster.ground[id]
  if (!printed) return null
  const ground = groundOf(table, id)
  return {
    name: names[id] ?? printed.name,
    what: `${SIDE_NAMES[printed.side]}: ground unit`,
    notes: [groundWords(table, id, names), ground?.hex ? `at ${whereIs(table, ground.hex)}` : ''].filter(Boolean),
    ratings: [...rating('Size', printed.size), ...rating('Quality', printed.tq), ...rating('Steps', printed.most)],
  }
}
