/** What the cards of Coral Sea's counters say, and of the permanent cards in play. Only what this reader's view holds. */

import type { TableView } from '../../protocol/wire'
import type { CardText, Names } from '../title'
import { conditionOf, SIDE_NAMES, type Table, tableOf, TYPE_NAMES } from './reading'
import type { Unit } from './shown'
import { placeName } from './words'

export function card(id: string, view: TableView, names: Names): CardText | null {
  const table = tableOf(view)
  const stays = table.permanent[id]
  if (stays) return { name: stays.name, what: 'A card that stays in play', notes: [], ratings: [], text: stays.text }
  const unit = table.units[id]
  if (!unit?.area) return null
  return {
    name: names[id] ?? unit.name,
    what: `${SIDE_NAMES[unit.side]}: ${TYPE_NAMES[unit.type]}${unit.truk ? ' of the Truk Fleet' : ''}`,
    notes: [names[unit.area] ?? placeName(unit.area), conditionOf(unit), ...standing(id, unit, table)],
    ratings: [
      { name: 'Cohesion', value: `${unit.cohesion ?? '–'}` },
      { name: unit.domain === 'naval' ? 'Range' : 'Movement', value: `${unit.move ?? '–'}` },
      { name: 'Tactical', value: `${unit.tactical ?? '–'}` },
      ...(unit.points ? [{ name: 'Worth if destroyed', value: `${unit.points} VP` }] : []),
    ],
  }
}

/** How a unit stands in the move or battle of the moment. */
function standing(id: string, unit: Unit, table: Table): string[] {
  const { move, battle } = table
  const leader = table.led.get(id)?.name
  const top = table.mine === unit.side && table.stacks[unit.area ?? '']?.[unit.side]?.top === id
  return [
    move && [...move.units, ...(move.cargo ?? [])].includes(id) ? 'under way' : '',
    leader ? `with ${leader}` : '',
    battle?.isolated.includes(id) ? 'isolated' : '',
    battle?.bunkers.includes(id) ? 'in a bunker' : '',
    top ? 'on top: the enemy sees it' : '',
  ].filter(Boolean)
}
