/** Who may go along with a force that is picked: those that lie with it. A turn moves dozens, most of them together. */

import type { TableView } from '../../protocol/wire'
import type { Choice, Company, Names } from '../title'
import { tableOf } from './reading'
import type { Decision, Table } from './shown'

const WHAT: Record<string, string> = { SHIP: 'ships', INF: 'land forces', LBA: 'air groups' }

/** What is moved by a decision that sends a force to a place of one's choice; '' for others. */
function sent(decision: Decision): string {
  if (decision.type === 'MoveForce') return decision.force
  return decision.type === 'SendAircraft' ? decision.aircraft : ''
}

function whereIs({ forces, battle }: Table, id: string): string {
  const plane = battle?.planes[id]
  return plane ? `plane ${plane.home ?? ''}` : (forces[id]?.place ?? '')
}

export function company(picked: string, choices: Choice<Decision>[], view: TableView, names: Names): Company[] {
  const table = tableOf(view)
  const movable = [...new Set(choices.map(({ decision }) => sent(decision)).filter(Boolean))]
  if (!movable.includes(picked)) return []
  const here = movable.filter((id) => whereIs(table, id) === whereIs(table, picked))
  const home = table.battle?.planes[picked]?.home
  if (table.battle) return group(home ? `of ${names[home] ?? home}` : 'on airfields', 'aircraft', here)
  const kind = table.counters[picked]?.kind ?? ''
  const alike = here.filter((id) => table.counters[id]?.kind === kind)
  return [...group('here', WHAT[kind] ?? 'alike', alike), ...(alike.length < here.length ? group('here', 'forces', here) : [])]
}

function group(where: string, what: string, ids: readonly string[]): Company[] {
  return ids.length > 1 ? [{ label: `All ${ids.length} ${what} ${where}`, ids }] : []
}
