/** What the card of a force or aircraft says: what is printed on both its faces, and how it stands. */

import type { TableView } from '../../protocol/wire'
import type { CardText, Names } from '../title'
import { isDamaged, RATINGS, repairPrice, SIDE_NAMES, stays, tableOf, typeName } from './reading'
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
    what: `${SIDE_NAMES[counter.side]}: ${typeName(counter)}`,
    notes: standing(table, id, names),
    turned: isDamaged(table, id),
    text: twice(counter.ratings.full),
    ratings: RATINGS.flatMap(([key, , long, superior]) => {
      const say = (face: Ratings): string => `${face[key] ?? '–'}${superior && face[superior] ? `/${face[superior]}` : ''}`
      return full[key] ? [{ name: `${long[0]!.toUpperCase()}${long.slice(1)}`, value: say(full), damaged: say(damaged) }] : []
    }),
  }
}

/** Where it is, how it stands, and what it is worth. */
function standing(table: Table, id: string, names: Names): string[] {
  const { nation, value, buy } = table.counters[id]!
  const force = table.forces[id]
  const plane = table.battle?.planes[id]
  const place = plane?.home ?? force?.place ?? ''
  return [
    place ? `${plane?.home ? 'of ' : ''}${names[place] ?? place}` : '',
    isDamaged(table, id) ? 'damaged' : '',
    force?.aboard ? 'on transports' : '',
    stays(table, id),
    nation === 'AU' ? `enters ${austral(table)} only` : '',
    plane?.flown ? 'has flown' : '',
    value ? `value ${value}` : '',
    buy ? `price ${buy}, repair ${repairPrice(table.counters[id])}` : '',
  ].filter(Boolean)
}

/** The areas that Australian forces may enter (N6.4). */
function austral({ map }: Table): string {
  return Object.values(map)
    .filter(({ au }) => au)
    .map(({ name }) => name)
    .join(', ')
}

/** How a rating with a superior value is read (N0.2): of the first that a face has. */
function twice(ratings: Ratings): string {
  const [found] = RATINGS.flatMap(([key, , , superior]) => {
    const [value, more] = [ratings[key], superior ? ratings[superior] : 0]
    return value && more ? [`${value}/${more}: a die of ${value} or less hits, of ${more} or less twice.`] : []
  })
  return found ?? ''
}
