/** What the cards of Midway's carriers and air groups say. */

import type { TableView } from '../../protocol/wire'
import type { CardText, Names } from '../title'
import {
  boxId,
  carriersOf,
  CIRCLES,
  CRIPPLED_AT,
  DECK_LIMIT,
  type Group,
  SIDE_NAMES,
  strength,
  type Table,
  tableOf,
  TYPE_NAMES,
} from './reading'

export function card(id: string, view: TableView, names: Names): CardText | null {
  const table = tableOf(view)
  const group = table.groups[id]
  if (group) return groupCard(id, group, names)
  return carriersOf(table, 0).includes(id) || carriersOf(table, 1).includes(id) ? carrierCard(id, table, names) : null
}

/** Where a group is, and what can come of it there. */
function whereabouts({ side, place }: Group, names: Names): string {
  const [kind, ship] = place.split(':') as [string, string | undefined]
  const on = names[ship ?? ''] ?? ship ?? ''
  if (kind === 'DECK') return `on the deck of ${on}: may be launched`
  if (kind === 'HANGAR') return `in the hangar of ${on}`
  if (kind === 'CAP') return `on combat air patrol, position ${ship}`
  return `in the air: ${names[boxId(side, place)] ?? place.toLowerCase()}`
}

/** What is noted of it in the step at work. */
function errands(group: Group, names: Names): string[] {
  const name = (id: string): string => names[id] ?? id
  return [
    group.target ? `attacks ${name(group.target)}` : '',
    group.committed ? `sent against the ${group.committed === 'fighters' ? 'escorts' : 'bombers'}` : '',
    group.search_group ? `flies with search group ${group.search_group}` : '',
    group.proposed ? `${group.proposed} SP proposed as a loss` : '',
    group.moved ? 'has moved' : '',
  ].filter(Boolean)
}

function groupCard(id: string, group: Group, names: Names): CardText {
  const lost = group.full - group.strength
  return {
    name: names[id] ?? id,
    what: `${SIDE_NAMES[group.side as 0 | 1]}: ${TYPE_NAMES[group.type]}, ${group.aircraft.replaceAll('-', '\u2011')}`,
    notes: [whereabouts(group, names), ...errands(group, names)],
    ratings: [
      { name: 'Strength points', value: `${group.strength} of ${group.full}` },
      ...(lost ? [{ name: 'Lost', value: `${lost}` }] : []),
      { name: 'Home', value: names[group.home] ?? group.home },
    ],
  }
}

function carrierCard(id: string, table: Table, names: Names): CardText {
  const { side, aa, damage, repair, state } = table.carriers[id]!
  const aboard = (place: string): number => strength(Object.values(table.groups).filter((group) => group.place === `${place}:${id}`))
  const left = CRIPPLED_AT - damage
  const states = {
    operational: damage ? `damaged; ${left} more and she is crippled` : 'undamaged',
    crippled: `crippled: ${CIRCLES - damage} more and she sinks`,
    sunk: 'sunk',
  }
  return {
    name: names[id] ?? id,
    what: `${SIDE_NAMES[side as 0 | 1]}: carrier`,
    notes: [states[state]],
    ratings: [
      { name: 'Damage', value: `${damage} of ${CIRCLES}` },
      { name: 'Anti-aircraft dice', value: `${aa}` },
      { name: 'Repairs on a die of', value: repair < 6 ? `${repair} or more` : '6' },
      { name: 'On deck, strength points', value: `${aboard('DECK')} of ${DECK_LIMIT}` },
      { name: 'In the hangar', value: `${aboard('HANGAR')}` },
    ],
  }
}
