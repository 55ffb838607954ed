/** What the card of a force or aircraft says: what is printed on both its faces, and how it stands. */

import type { TableView } from '../../protocol/wire'
import type { CardText, Names } from '../title'
import { isDamaged, RATINGS, repairPrice, SIDE_NAMES, tableOf, TYPE_NAMES } from './reading'
import type { Ratings, Table } from './shown'
import { BUY } from './words'

/** The counter that an id of the page is about. */
export function counterOf(id: string): string {
  return id.startsWith(BUY) ? id.slice(BUY.length) : id
}

export function card(given: string, view: TableView, names: Names): CardText | null {
  const table = tableOf(view)
  const id = counterOf(given)
  const counter = table.counters[id]
  if (!counter) return null
  const { full, damaged } = counter.ratings
  return {
    name: names[id] ?? counter.name,
    what: `${SIDE_NAMES[counter.side]}: ${TYPE_NAMES[counter.type] ?? counter.type}`,
    notes: standing(table, id, names),
    turned: isDamaged(table, id),
    ratings: RATINGS.flatMap(([key, , long, superior]) => {
      const say = (face: Ratings): string => `${face[key] ?? '–'}${superior && face[superior] ? `/${face[superior]}` : ''}`
      return full[key] ? [{ name: `${long[0]!.toUpperCase()}${long.slice(1)}`, value: say(full), damaged: say(damaged) }] : []
    }),
  }
}

/** Where it is, how it stands, and what it is worth. */
function standing(table: Table, id: string, names: Names): string[] {
  const { side, value, buy } = table.counters[id]!
  const force = table.forces[id]
  const plane = table.battle?.planes[id]
  const place = plane?.home ?? force?.place ?? ''
  return [
    place ? `${plane?.home ? 'of ' : ''}${names[place] ?? place}` : '',
    isDamaged(table, id) ? 'damaged' : '',
    force?.aboard ? 'on transports' : '',
    force?.moved ? (side === 'US' ? 'has moved' : 'may not move any more') : '',
    plane?.flown ? 'has flown' : '',
    value ? `value ${value}` : '',
    buy ? `price ${buy}, repair ${repairPrice(table.counters[id])}` : '',
  ].filter(Boolean)
}
