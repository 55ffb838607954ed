/** What is decided in battles, as choices: whom to fire at and to attack, the range, who fights on land. */

import type { TableView } from '../../../protocol/wire'
import { counted } from '../../../words/count'
import type { Bundle as BundleOf, Choice as ChoiceOf, Names } from '../../title'
import { tableOf } from '../reading'
import type { Decision, Table } from '../shown'

type Choice = ChoiceOf<Decision>

/** A target with torpedoes, too. */
export const TORPEDOES = 'torpedoes:'
const HOLD = 'hold:'
const STEPS = 'steps:'
export const RANGE = 'range:'
const FORT = 'fort:'

/** Whether an id is picked in a battle. Ships and units are picked there by their own. */
export function isFought(id: string): boolean {
  return [TORPEDOES, HOLD, STEPS, RANGE, FORT].some((one) => id.startsWith(one))
}

/** A decision of a battle; null for one that belongs elsewhere. */
export function battleChoice(decision: Decision, view: TableView, names: Names): Choice | null {
  const table = tableOf(view)
  const name = (id: string): string => (id.startsWith(FORT) ? 'the fort' : (names[id] ?? id))
  const make = (label: string, path: string[], more: Partial<Choice> = {}): Choice => ({
    decision,
    key: JSON.stringify(decision),
    label,
    path,
    leaves: false,
    ...more,
  })
  const leaves = { leaves: true }
  switch (decision.type) {
    case 'allot_strike':
      return make(`${name(decision.unit)} attacks ${name(decision.ship)}`, [decision.unit, decision.ship])
    case 'with_steps':
      return make(`With ${counted(decision.steps, 'step')}`, [`${STEPS}${decision.steps}`], {
        short: counted(decision.steps, 'step'),
        button: true,
      })
    case 'allot_rest':
      return make('All that are left at the best target', [], leaves)
    case 'simultaneous_strike':
      return make('Strike back at the same time', [], { main: false })
    case 'decline':
      return make('Decline', [], leaves)
    case 'engage':
      return make('Engage', [], { main: false })
    case 'evade':
      return make('Evade', [], leaves)
    case 'close':
      return make('Close the range', [`${RANGE}close`], { button: true, short: 'Close' })
    case 'hold':
      return make('Hold the range', [`${RANGE}hold`], { button: true, short: 'Hold' })
    case 'open_range':
      return make('Open the range', [`${RANGE}open`], { button: true, short: 'Open' })
    case 'break_off':
      return make('Break off', [`${RANGE}break`], { button: true, leaves: true })
    case 'fire':
      return make(`${name(decision.unit)} fires`, [decision.unit])
    case 'hold_fire':
      return make(`${name(decision.unit)} holds its fire`, [HOLD + decision.unit], { button: false })
    case 'at': {
      const { target, torpedoes } = decision
      return make(`At ${name(target)}, ${torpedoes ? 'with torpedoes' : 'guns alone'}`, [torpedoes ? TORPEDOES + target : target])
    }
    case 'attack':
      return make('Attack', [], { main: false })
    case 'no_attack':
      return make('Do not attack', [], leaves)
    case 'commit_attacker':
      return make(`Attack with ${name(decision.unit)}`, [decision.unit])
    case 'done': {
      const done = doneIn(table)
      return done ? make(done, [], leaves) : null
    }
    default:
      return null
  }
}

/** What it means to be done in a battle; '' where there is none. */
function doneIn(table: Table): string {
  if (table.naval) return 'Give the fire orders'
  if (table.landed) return 'Begin the attack'
  return table.own?.plan?.target ? 'Take off' : ''
}

/** All that may attack on land. */
export function battleBundles(choices: ChoiceOf[]): BundleOf[] {
  const units = (now: readonly ChoiceOf[]): ChoiceOf[] => now.filter(({ decision }) => decision.type === 'commit_attacker')
  const ids = new Set(units(choices).map(({ path }) => path[0]))
  // What is picked must be of this moment: what comes later was not meant.
  const next = (now: ChoiceOf[]): ChoiceOf | undefined => units(now).find(({ path }) => ids.has(path[0]))
  return ids.size > 1 ? [{ label: `Attack with all (${ids.size})`, count: ids.size, next }] : []
}
