/** A decision that has no words of its own here, said by its type and what it holds: "Build airbase at Lae-Finschhafen". */

import { counted } from '../../../words/count'
import type { Choice as ChoiceOf, Names } from '../../title'
import { HEX } from '../map/ids'
import { whereIs } from '../reading'
import type { Decision, Table } from '../shown'

const WORDS: Readonly<Record<string, string>> = {
  hq: 'headquarters',
  ecl: 'emergency link',
  osb: 'support base',
  tf: 'task force',
  aa: 'anti-aircraft guns',
  cp: 'Command Points',
  subs: 'submarines',
  sub: 'submarine',
}
const COUNTED: Readonly<Record<string, string>> = { points: 'point', steps: 'step', days: 'day', levels: 'level' }
const HEX_NUMBER = /^\d{4}[a-z]?$/

const words = (id: string): string =>
  id
    .split('_')
    .map((word) => WORDS[word] ?? word)
    .join(' ')

/** What one field of a decision is: what goes somewhere, where, or a word more. */
interface Part {
  id: string
  says: string
  is: 'unit' | 'headquarters' | 'place' | 'word'
}

function partOf(field: string, value: unknown, table: Table, names: Names): Part[] {
  if (Array.isArray(value)) return value.flatMap((one) => partOf(field, one, table, names))
  if (typeof value === 'boolean') return value ? [{ id: '', says: words(field), is: 'word' }] : []
  if (typeof value === 'number') {
    const says = COUNTED[field] ? counted(value, COUNTED[field]) : `${words(field)} ${value}`
    return [{ id: '', says, is: 'word' }]
  }
  if (typeof value !== 'string' || !value) return []
  const { roster, locations, war } = table
  if (HEX_NUMBER.test(value)) return [{ id: HEX + value.slice(0, 4), says: whereIs(table, value), is: 'place' }]
  if (locations[value]) return [{ id: value, says: locations[value].name, is: 'place' }]
  const post = war?.headquarters[value]
  const unit = value in roster.ships || value in roster.air || value in roster.ground
  const says = names[value] ?? post?.name ?? words(value)
  return [{ id: unit ? value : '', says, is: unit ? 'unit' : post ? 'headquarters' : 'word' }]
}

/** A unit is picked first, then a place; what is left to tell apart is picked in the tray. */
export function plainly(decision: Decision, table: Table, names: Names): ChoiceOf<Decision> {
  const { type, ...fields } = decision as unknown as Record<string, unknown> & { type: string }
  const parts = Object.entries(fields).flatMap(([field, value]) => partOf(field, value, table, names))
  const said = words(type)
  const things = parts.filter(({ is }) => is !== 'place').map(({ says }) => says)
  const places = parts.filter(({ is }) => is === 'place')
  const verb = said.charAt(0).toUpperCase() + said.slice(1)
  const [from, to] = places.length > 1 ? [places[0], places.at(-1)] : [undefined, places[0]]
  const goes = parts.some(({ is }) => is === 'unit' || is === 'headquarters')
  const onto = type === 'to' ? '' : goes ? 'to ' : 'at '
  const label = [
    things.length ? `${verb}: ${things.join(', ')}` : verb,
    from ? `from ${from.says} to ${to!.says}` : to ? `${onto}${to.says}` : '',
  ]
  const [unit] = parts.filter(({ is }) => is === 'unit')
  const first = unit?.id ?? places[0]?.id ?? ''
  const goal = unit && to ? to.id : ''
  const key = JSON.stringify(decision)
  // What is built or repaired in one place differs by its type alone: a click on the place is not enough. Where something
  // comes that was picked before, it is.
  const ids = [first, type, ...parts.map(({ id, says }) => id || says.replaceAll(' ', '_'))]
  const act = first && !goal && type !== 'to' ? [`do:${ids.join(':')}`] : []
  return {
    decision,
    key,
    label: label.filter(Boolean).join(' '),
    short: first ? verb : undefined,
    path: [first, goal, ...act].filter(Boolean),
    leaves: false,
    whole: first !== '' && type !== 'to',
  }
}
