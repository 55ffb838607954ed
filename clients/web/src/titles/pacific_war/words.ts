/** What decisions and facts of Pacific War are in words. */

import type { TableView, Told } from '../../protocol/wire'
import { bodyOf } from '../../protocol/body'
import type { Bundle, Chapter, Choice as ChoiceOf, Names } from '../title'
import { typeOf } from '../title'
import type { CycleBegan, PhaseBegan } from './facts'
import { isAct } from './map/ids'
import { mapBundles, mapChoice } from './map/choices'
import { moves, sideNumber, tableOf } from './reading'
import type { Decision, Table } from './shown'

type Choice = ChoiceOf<Decision>

/** Whether an id is that of a unit of this match. */
export function unitOf(table: Table, id: string): boolean {
  return id in table.roster.ships || id in table.roster.air || id in table.roster.ground
}

export function inTray(id: string, view: TableView): boolean {
  return isAct(id) || unitOf(tableOf(view), id)
}

export function choice(decision: Decision, view: TableView, names: Names, question = ''): Choice {
  return mapChoice(decision, view, names, question) ?? plain(decision, names)
}

/** A button with the words of the decision. */
function plain(decision: Decision, names: Names): Choice {
  const said = Object.entries(decision)
    .filter(([key]) => key !== 'type')
    .map(([, value]) => names[value as string] ?? String(value))
  return {
    decision,
    key: JSON.stringify(decision),
    label: [typeOf(decision as never).replaceAll('_', ' '), ...said].join(' '),
    path: [],
    leaves: decision.type === 'decline',
    button: true,
  }
}

export function bundles(choices: ChoiceOf[]): Bundle[] {
  return mapBundles(choices)
}

export function where(view: TableView): { turn: string; step: string; side: number | null } {
  const table = tableOf(view)
  if (!table.cycle) return { turn: 'Before the first cycle', step: '', side: null }
  const phase = table.sequence_of_play.find(({ phase: one }) => one === table.phase)
  const side = moves(table)
  return {
    turn: `Cycle ${table.cycle} of ${table.cycles}, ${table.lighting}`,
    step: phase?.name ?? '',
    side: side ? sideNumber(side) : null,
  }
}

export function chapter(fact: Told, before: Chapter | null): Chapter | null {
  if (fact.type === 'CycleBegan') return { turn: bodyOf<CycleBegan>(fact).cycle, title: 'Cycle begins', side: null }
  if (fact.type === 'PhaseBegan') return { turn: before?.turn ?? 0, title: bodyOf<PhaseBegan>(fact).name, side: null }
  return null
}

const SILENT = new Set(['CycleBegan', 'PhaseBegan', 'OwnUnits', 'Planned', 'OriginKept', 'There'])
export const silent = (fact: Told): boolean => SILENT.has(fact.type)

export const weight = (fact: Told): 'grave' | 'heavy' | '' => (fact.type === 'UnitLost' ? 'grave' : fact.type === 'ShipHit' ? 'heavy' : '')
