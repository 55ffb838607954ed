/** What is decided in a campaign beside its battles, as choices: Command Points, bids, activation, contact movement, patrols. */

import type { TableView } from '../../../protocol/wire'
import { counted } from '../../../words/count'
import type { Bundle as BundleOf, Choice as ChoiceOf, Names } from '../../title'
import { HEX, HQ, MANY, POOL } from '../map/ids'
import { hexOfAny, tableOf, whereIs } from '../reading'
import type { Decision, Table } from '../shown'
import { boatChoice } from './boats'
import { orderChoice } from './orders'
import { plainly } from './plainly'

type Choice = ChoiceOf<Decision>

/** What is said before `Command Points` of a purse (P10.3). */
const PURSES: Readonly<Record<string, string>> = { US: 'American ', CW: 'Commonwealth ' }

/** A decision of a campaign; one that nobody has words for yet says what it holds. */
export function campaignChoice(decision: Decision, view: TableView, names: Names, question = ''): Choice {
  const table = tableOf(view)
  const name = (id: string): string => names[id] ?? table.war?.headquarters[id]?.name ?? table.locations[id]?.name ?? id
  const make = (label: string, path: string[] = [], more: Partial<Choice> = {}): Choice => ({
    decision,
    key: JSON.stringify(decision),
    label,
    path,
    leaves: false,
    ...more,
  })
  /** A headquarters is a button; points are shared out and bid on boards in the tray, which opens for it. */
  const of = (hq: string, label: string, short: string): Choice => make(label, [HQ + hq], { short, button: true })
  const many = (label: string, count: number): Choice => make(label, [`${MANY}${count}`], { short: `${count}` })
  switch (decision.type) {
    case 'allocate_cp': {
      const purse = PURSES[decision.purse] ?? ''
      return of(decision.hq, `${purse}Command Points for ${name(decision.hq)}`, `${purse}${name(decision.hq)}`)
    }
    case 'command_points':
      return many(counted(decision.points, 'Command Point'), decision.points)
    case 'allocate_fop':
      return make(`${counted(decision.n, 'Command Point')} for the Future Operation Pool`, [`${POOL}${decision.n}`], {
        short: `${decision.n}`,
      })
    case 'undo_allocation':
      return make(`Take back what ${name(decision.hq)} was given`, [], { main: false })
    case 'suggested': {
      const picks = counts((decision.picks ?? []).map((one) => named(one, name)))
      const [first, ...others] = picks
      const short = first ? `As proposed: ${first}${others.length ? `, and ${others.length} more` : ''}` : 'As proposed'
      return make(`As proposed${picks.length ? `: ${picks.join('; ')}` : proposal(question, name)}`, [], { short, main: false })
    }
    case 'as_last_month':
      return make('As last month', [], { main: false })
    case 'move_hq':
      // The question says what is done; four whole labels leave no room for what ends the step.
      return { ...plainly(decision, table, names), short: name(decision.hq) }
    case 'bid_from':
      return of(decision.hq, `Bid from ${name(decision.hq)}`, name(decision.hq))
    case 'bid':
      return many(`Bid ${counted(decision.amount, 'Command Point')}`, decision.amount)
    case 'no_bid':
      return make('Bid nothing', [], { leaves: true })
    case 'claim_operation':
      return decision.yes ? make('Take over the Operation', [], { main: false }) : make('Let it be', [], { leaves: true })
    case 'place_osb':
      return make(`Place a support base at ${name(decision.location)}`, [decision.location])
    case 'pay_from': {
      const points = table.own?.means?.points[decision.hq]
      const short = points === undefined ? name(decision.hq) : `${name(decision.hq)}: ${points}`
      return make(`Pay from ${name(decision.hq)}`, sited(table, decision.hq), { short, button: true })
    }
    case 'activate':
      return make(`Activate ${name(decision.unit)}`, [decision.unit, `on:${decision.unit}`], { short: 'Activate' })
    case 'undo_activation':
      return make(`Do not activate ${name(decision.unit)} after all`, [decision.unit, `back:${decision.unit}`], { short: 'Take back' })
    case 'assign_to_tf':
      return make(`To ${name(decision.tf)}, in the ${decision.slot}`, [decision.tf, `join:${decision.tf}:${decision.slot}`], {
        short: decision.slot === 'core' ? 'Core' : 'Screen',
      })
    case 'form_tf':
      return make(`Form a task force, in its ${decision.slot}`)
    case 'time_multiple':
      return make(decision.k ? `Plan for ${PLANNED * (1 + decision.k)} days` : `Plan for ${PLANNED} days, as it is`, [], {
        short: `Plan ${PLANNED * (1 + decision.k)} days`,
        main: false,
      })
    case 'forfeit':
      return make('Give the Operation up', [], { leaves: true })
    case 'ferry':
      return make(`Ferry ${name(decision.air)}`, [decision.air, `ferry:${decision.air}`], { short: 'Ferry' })
    case 'end_day':
      return make('End the day')
    case 'continue':
      return make('Go on with another day', [], { main: false })
    case 'end_contact':
      return make('End the contact movement', [], { leaves: true })
    case 'force_end':
      return make('Force the end of the contact movement', [], { short: 'Force the end', main: false })
    case 'standing_order':
      return decision.n
        ? make(`Pass until a Detected enemy task force is within ${decision.n} hexes`, [], { short: `Pass until within ${decision.n}` })
        : make('Pass to the end of the phase')
    case 'lighting':
      return make(decision.lighting === 'Day' ? 'Fight by day' : 'Fight at night')
    case 'patrol_from':
      return make(`Send a patrol from ${name(decision.command)}`, [decision.command], { short: name(decision.command), button: true })
    case 'patrol':
      return make(counted(decision.points, 'submarine point'), [], { short: counted(decision.points, 'point') })
    case 'patrol_at':
      return make(`Patrol at ${whereIs(table, decision.hex)}`, [HEX + decision.hex])
    default:
      return boatChoice(decision, table, names, make) ?? orderChoice(decision, table, names) ?? plainly(decision, table, names)
  }
}

/** Days that an Operation may last without more (P20.2.5). */
const PLANNED = 14

/** Where a headquarters is clicked: at its site, unless that is off the map or another one's too. */
function sited({ war, locations }: Table, hq: string): string[] {
  const all = war?.headquarters ?? {}
  const site = all[hq]?.site ?? ''
  const there = Object.values(all).filter((one) => one.site === site && one.side === all[hq]?.side)
  return locations[site] && there.length === 1 ? [site] : []
}

/** ": South Pacific Area 29, Southwest Pacific Area 29", as the question ends. */
function proposal(question: string, name: (id: string) => string): string {
  const said = /Proposed: (.+?)\.?$/.exec(question)?.[1] ?? ''
  return said ? `: ${named(said, name)}` : ''
}

/** A sentence of the server with names for its ids. */
function named(words: string, name: (id: string) => string): string {
  return words.replace(/\[([^\]]+)\]/g, (_, id: string) => name(id))
}

/** What is proposed more than once is said once, with how often. */
function counts(picks: readonly string[]): string[] {
  return [...new Set(picks)].map((one) => {
    const times = picks.filter((other) => other === one).length
    return times > 1 ? `${one} ×${times}` : one
  })
}

/** So many groups are offered: more would hide what else there is. */
const MOST = 2
const TOGETHER = {
  activate: 'Activate',
  deactivate: 'Stand down',
} as const

/** Air and ground units of one place together; ships are asked for their task forces one by one. */
export function campaignBundles(choices: readonly ChoiceOf[], view: TableView): BundleOf[] {
  const table = tableOf(view)
  if (!table.war) return []
  return (['activate', 'deactivate'] as const).flatMap((type) => {
    const places = new Map<string, Set<string>>()
    for (const { decision } of choices as Choice[]) {
      if (decision.type !== type || table.roster.ships[decision.unit]) continue
      const place = whereIs(table, hexOfAny(table, decision.unit))
      places.set(place, (places.get(place) ?? new Set()).add(decision.unit))
    }
    const large = [...places].filter(([, units]) => units.size > 1).sort(([, one], [, other]) => other.size - one.size)
    return large.slice(0, MOST).map(([place, units]): BundleOf => {
      // A unit whose points have run out meanwhile is passed over.
      const fits = ({ decision }: ChoiceOf): boolean => decision.type === type && units.has((decision as unknown as { unit: string }).unit)
      return {
        label: `${TOGETHER[type]} all at ${place} (${units.size})`,
        short: `All at ${place} (${units.size})`,
        count: units.size,
        next: (now) => now.find(fits),
      }
    })
  })
}
