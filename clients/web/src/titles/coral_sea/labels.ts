/** What lies where, in words: the map as it is read out. */

import { the } from '../../words/article'
import { counted } from '../../words/count'
import type { Names } from '../title'
import { SIDE_NAMES, type Stack, type Table } from './reading'
import { placeName } from './words'

/** The name of a leader in a stack, or ''. */
export function leaderOf(table: Table, stack: Stack): string {
  const unit = stack.units.find((id) => table.led.has(id)) ?? (table.led.has(stack.top) ? stack.top : '')
  return table.led.get(unit)?.name ?? ''
}

function unitLabel(table: Table, id: string, names: Names): string {
  const unit = table.units[id]!
  const leader = table.led.get(id)?.name
  const state = [
    unit.depleted ? 'depleted' : '',
    unit.disorganised ? 'disorganised' : '',
    unit.inside ? 'inside the fortress' : '',
    leader ? `with ${leader}` : '',
  ]
    .filter(Boolean)
    .join(', ')
  return state ? `${names[id] ?? id} (${state})` : (names[id] ?? id)
}

export function stackLabel(table: Table, stack: Stack, names: Names): string {
  const known = stack.units.map((id) => unitLabel(table, id, names))
  const parts = [
    ...known,
    stack.hidden ? `${stack.hidden} hidden, on top ${names[stack.top] ?? stack.top}` : '',
    stack.rp ? counted(stack.rp, 'resource point') : '',
  ]
  return `${SIDE_NAMES[stack.side]}: ${parts.filter(Boolean).join(', ')}`
}

/** An area with the stacks in it; `points` are those of the site that lies there. */
export function areaLabel(table: Table, id: string, points: number, here: readonly Stack[], names: Names): string {
  const { control, port, airfield, mountain, fortress, kind } = table.areas[id]!
  const parts = [
    kind === 'sea' ? 'sea' : control ? `held by ${the(SIDE_NAMES[control])}` : '',
    points ? counted(points, 'victory point') : '',
    port ? 'port' : '',
    airfield ? (airfield.works ? 'airfield' : 'airfield out of order') : '',
    mountain ? 'mountains' : '',
    table.operation?.area === id ? `the operation, ${counted(table.operation.sp, 'supply point')} left` : '',
    fortress
      ? `fortress of ${the(SIDE_NAMES[fortress.side])}, factor ${fortress.factor}${fortress.besieger ? `, besieged by ${the(SIDE_NAMES[fortress.besieger])}` : ''}`
      : '',
  ]
  const stacks = here.map((stack) => stackLabel(table, stack, names))
  return [`${names[id] ?? placeName(id)}: ${parts.filter(Boolean).join(', ')}`, ...stacks].join('. ')
}
