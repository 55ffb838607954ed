/** What can be decided on the map, as choices: moving, missions, CAP, bombardment, retreats, standing down. */

import { counted } from '../../../words/count'
import type { TableView } from '../../../protocol/wire'
import type { Bundle as BundleOf, Choice as ChoiceOf, Names } from '../../title'
import { farFrom, KINDS, targetName } from '../labels'
import { tableOf, whereIs } from '../reading'
import type { Decision } from '../shown'
import { coursesOf, subjectOf } from './courses'
import { AT, HEX, SAIL } from './ids'

type Choice = ChoiceOf<Decision>

const ASHORE = { ground: 'ground units', airbase: 'the airbase', port: 'the port', fort: 'the fort' }
const OBJECTS = {
  airbase: 'the airbase',
  port: 'the port',
  osb: 'the support base',
  command: 'the Submarine Command',
  resource: 'the resource',
}

/** A decision of the map; null for one that belongs elsewhere. */
export function mapChoice(decision: Decision, view: TableView, names: Names, question = ''): Choice | null {
  const table = tableOf(view)
  const name = (id: string): string => names[id] ?? id
  const where = (node: string): string => whereIs(table, node)
  const make = (label: string, path: string[], more: Partial<Choice> = {}): Choice => ({
    decision,
    key: JSON.stringify(decision),
    label,
    path,
    leaves: false,
    ...more,
  })
  switch (decision.type) {
    case 'move_tf':
      return make(`Move ${name(decision.tf)}`, [decision.tf])
    case 'sail_to': {
      const tf = subjectOf(question)
      const course = coursesOf(view, table, tf).get(decision.node)
      const risks = course?.risks.length ?? 0
      const far = course ? `, ${counted(course.way.length, 'hex', 'hexes')}` : ''
      const label = `Sail to ${where(decision.node)}${far}${risks ? `: ${course!.risks.map(({ words }) => words).join('; ')}` : ''}`
      return make(label, risks ? [AT + decision.node, SAIL] : [AT + decision.node], { whole: risks > 0 })
    }
    case 'move_ground':
      return make(`${name(decision.unit)} marches to ${where(decision.hex)}`, [decision.unit, HEX + decision.hex], { whole: true })
    case 'withdraw_ground':
      return make(`${name(decision.unit)} withdraws to ${where(decision.hex)}`, [decision.unit, HEX + decision.hex], { whole: true })
    case 'retreat_ground':
      return make(`${name(decision.unit)} retreats to ${where(decision.hex)}`, [HEX + decision.hex])
    case 'embark':
      return make(`${name(decision.ground)} goes aboard`, [decision.ground, `embark:${decision.ground}`], { short: 'Embark' })
    case 'aboard':
      return make(`Aboard ${name(decision.into)}`, [decision.into])
    case 'disembark':
      return make(`Put ${name(decision.ground)} ashore`, [decision.ground, `ashore:${decision.ground}`], { short: 'Ashore' })
    case 'commit_search':
      return make(`A step of ${name(decision.cvg)} searches`, [decision.cvg, `search:${decision.cvg}`], { short: 'Search' })
    case 'transfer_ship':
      return make(`${name(decision.ship)} changes its task force`, [decision.ship, `transfer:${decision.ship}`], { short: 'Transfer' })
    case 'join_tf':
      return make(`To ${name(decision.tf)}, in the ${decision.slot}`, [decision.tf, `join:${decision.tf}:${decision.slot}`], {
        short: decision.slot === 'core' ? 'Core' : 'Screen',
      })
    case 'new_tf':
      return make(`Form another task force at ${where(decision.node)}`, [`new:${decision.node}`])
    case 'assign_cap':
      return make(
        `CAP: ${counted(decision.steps, 'step')} of ${name(decision.unit)}`,
        [decision.unit, `cap:${decision.unit}:${decision.steps}`],
        {
          short: `${decision.steps}`,
          whole: true,
        },
      )
    case 'declare_mission': {
      const what = KINDS[decision.kind] ?? decision.kind
      return decision.kind === 'ferry'
        ? make(`Ferry ${name(decision.origin)}`, [decision.origin, `ferry:${decision.origin}`], { short: 'Ferry' })
        : make(
            `${what}, from ${targetName(table, decision.origin, names)}`,
            [decision.origin, `kind:${decision.origin}:${decision.kind}`],
            {
              short: what,
              whole: true,
            },
          )
    }
    case 'target': {
      const origin = table.own?.plan?.origin ?? ''
      const far = origin ? farFrom(table, origin, decision.target) : ''
      const label = `Against ${targetName(table, decision.target, names)}${far ? `, ${far} away` : ''}`
      return make(label, [/^\d{4}/.test(decision.target) ? HEX + decision.target : decision.target])
    }
    case 'add_steps': {
      const label = `${counted(decision.steps, 'step')} of ${name(decision.unit)} ${decision.role}`
      return make(label, [decision.unit, `add:${decision.unit}:${decision.role}:${decision.steps}`], {
        short: `${decision.steps}`,
        whole: true,
      })
    }
    case 'add_para':
      return make(`${name(decision.ground)} drops`, [decision.ground, `para:${decision.ground}`], { short: 'Drop' })
    case 'end_missions':
      return make('Fly no more in this phase', [], { leaves: true })
    case 'intercept':
      return make('Try to intercept', [], { button: true })
    case 'bombard':
      return make(`${name(decision.tf)} bombards ${ASHORE[decision.target]}`, [decision.tf, `bombard:${decision.tf}:${decision.target}`], {
        short: ASHORE[decision.target],
        whole: true,
      })
    case 'demolish':
      return make(
        `${name(decision.unit)} blows up ${OBJECTS[decision.what]}`,
        [decision.unit, `demolish:${decision.unit}:${decision.what}`],
        {
          short: `Blow up ${OBJECTS[decision.what]}`,
        },
      )
    case 'retreat_tf':
      return make(`${name(decision.tf)} retreats to ${where(decision.node)}`, [decision.tf, AT + decision.node], { whole: true })
    case 'next_battle':
      return make(`Next, the battle at ${where(decision.node)}`, [AT + decision.node])
    case 'deactivate':
      return make(`Deactivate ${name(decision.unit)}`, [decision.unit, `off:${decision.unit}`], { short: 'Deactivate' })
    case 'deactivate_tf':
      return make(`Deactivate ${name(decision.tf)}`, [decision.tf])
    case 'done':
      return make('Done', [], { leaves: true })
    case 'pass':
      return make('Pass', [], { leaves: true })
    default:
      return null
  }
}

/** All of several picks at once: all ready steps on CAP, all that can strike, all that goes ashore. */
export function mapBundles(choices: ChoiceOf[]): BundleOf[] {
  const all = choices as Choice[]
  const most = (type: 'assign_cap' | 'add_steps', role = ''): BundleOf[] => {
    const fits = ({ decision }: ChoiceOf): boolean => decision.type === type && (!role || (decision as { role?: string }).role === role)
    const steps = ({ decision }: ChoiceOf): number => (decision as unknown as { steps: number }).steps
    const units = new Set(all.filter(fits).map(({ decision }) => (decision as { unit: string }).unit))
    if (units.size < 2) return []
    const label = type === 'assign_cap' ? 'All on CAP' : role === 'strike' ? 'All that can strike' : 'All as escort'
    // The largest number first, so that each unit goes whole.
    const next = (now: ChoiceOf[]): ChoiceOf | undefined =>
      now.filter(fits).reduce<ChoiceOf | undefined>((best, one) => (best && steps(best) >= steps(one) ? best : one), undefined)
    return [{ label: `${label} (${units.size})`, count: units.size, next }]
  }
  const landing = all.filter(({ decision }) => decision.type === 'disembark')
  const ashore: BundleOf[] =
    landing.length > 1
      ? [
          {
            label: `Put all ashore (${landing.length})`,
            count: landing.length,
            next: (now) => now.find(({ decision }) => decision.type === 'disembark'),
          },
        ]
      : []
  return [...most('assign_cap'), ...most('add_steps', 'strike'), ...most('add_steps', 'escort'), ...ashore]
}
