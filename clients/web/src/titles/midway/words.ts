/** Midway's decisions and chapters in a player's words. No rule is decided here: what is legal is on
 * the prompt's list. */

import { bodyOf } from '../../protocol/body'
import type { TableView, Told } from '../../protocol/wire'
import { type Bundle as BundleOf, type Chapter, type Choice as ChoiceOf, type Names, typeOf } from '../title'
import type { Fact, StepStarted, TurnStarted } from './facts'
import { boxId, SIDE_NAMES, sideNumber, type Table, tableOf, TYPE_NAMES } from './reading'
import type { Decision, SequenceRow } from './shown'

const NEXT: Record<string, string> = { MOVING: 'Ready to Attack', READY: 'Attacking', HOME: 'Waiting to Land' }
const NEXT_PLACE: Record<string, string> = { MOVING: 'READY', READY: 'ATTACKING', HOME: 'WAITING' }

type Choice = ChoiceOf<Decision>
type Bundle = BundleOf<Decision>

/** The group that a decision is about, or ''. */
function groupOf(decision: Decision): string {
  return 'group' in decision ? decision.group : ''
}

export function choice(decision: Decision, view: TableView, names: Names): Choice {
  const table = tableOf(view)
  const group = groupOf(decision)
  const name = (id: string): string => names[id] ?? id
  const points = table.groups[group] ? `, ${table.groups[group].strength} SP` : ''
  const side = table.groups[group]?.side ?? 0
  const make = (label: string, path: string[], leaves = false): Choice => ({
    decision,
    key: JSON.stringify(decision),
    label,
    path,
    leaves,
  })
  switch (decision.type) {
    case 'LAND':
      return make(`Land ${name(group)} on ${name(decision.ship)}${points}`, [group, decision.ship])
    case 'ADVANCE':
      return make(`Advance ${name(group)} to ${NEXT[table.groups[group]?.place ?? ''] ?? 'the next box'}${points}`, [
        group,
        boxId(side, NEXT_PLACE[table.groups[group]?.place ?? ''] ?? ''),
      ])
    case 'LAUNCH': {
      const cap = decision.to === 'CAP:1'
      const where = cap ? 'on combat air patrol' : 'to attack'
      return make(`Launch ${name(group)} ${where}${points}`, [group, cap ? boxId(side, 'CAP:1') : boxId(side, 'MOVING')])
    }
    case 'SPOT':
      return make(`Bring ${name(group)} up on deck${points}`, [group])
    case 'STRIKE_BELOW':
      return make(`Strike ${name(group)} below${points}`, [group])
    case 'CAP_VS_FIGHTERS':
      return make(`${name(group)} against the escorts${points}`, [group])
    case 'CAP_VS_BOMBERS':
      return make(`${name(group)} against the bombers${points}`, [group])
    case 'HIT_TYPE':
      return make(`A hit on the ${TYPE_NAMES[decision.plane_type]}`, [])
    case 'LOSE':
      return make(`${name(group)} loses 1 of ${table.groups[group]?.strength ?? 1} SP`, [group])
    case 'TARGET':
      return make(`${name(group)} attacks ${name(decision.ship)}${points}`, [group, decision.ship])
    case 'SEARCH_START':
      return { ...make('Begin the search for the enemy fleet', []), main: true }
    case 'SEARCH_ASSIGN':
      return {
        // The group that is asked about is marked on the board; there is nothing to click there.
        ...make(`${name(group)} flies with search group ${decision.search_group}`, [group]),
        short: `Search group ${decision.search_group}`,
        button: true,
      }
    case 'RECALL':
      return make(`Recall ${name(group)} from combat air patrol`, [group, boxId(side, 'WAITING')])
    case 'TURN_BACK':
      return make(`Turn ${name(group)} back home`, [group, boxId(side, 'HOME')])
    case 'ACCEPT':
      return { ...make('Accept the proposal', [], true), main: true }
    case 'REFUSE':
      return make('Refuse: split the hits evenly', [], true)
    case 'DONE':
      return make(done(table), [], true)
    default:
      return make(typeOf(decision).toLowerCase().replaceAll('_', ' '), [])
  }
}

/** The steps of the sequence at work: one, or a pair. */
export function stepsNow(table: Table): SequenceRow[] {
  return table.sequence.filter((row) => table.steps.includes(row.step))
}

/** What ends a step, by the step's name. */
const DONE: Readonly<Record<string, string>> = {
  'Land Planes': 'Done landing',
  'Move Planes': 'Done moving',
  'CAP Attacks': 'Done with CAP attacks',
  'Carrier Attacks': 'Done with carrier attacks',
  'Launch Planes': 'Done launching',
  Planning: 'Done planning',
  'Repair Damage': 'Done repairing',
}

function done(table: Table): string {
  return DONE[stepsNow(table)[0]?.name ?? ''] ?? 'Done'
}

function isType(type: Decision['type']): (one: Choice) => boolean {
  return (one) => one.decision.type === type
}

function bundle(label: string, choices: Choice[], fits: (one: Choice) => boolean, short = ''): Bundle[] {
  const count = new Set(choices.filter(fits).map((one) => groupOf(one.decision))).size
  if (count < 2) return []
  return [{ label: `${label} (${count})`, count, next: (now) => now.find(fits), ...(short && { short: `${short} (${count})` }) }]
}

export function bundles(choices: Choice[], view: TableView, names: Names): Bundle[] {
  const { groups } = tableOf(view)
  const placeOf = (one: Choice): string => groups[groupOf(one.decision)]?.place ?? ''
  const found: Bundle[] = []
  const movers = choices.filter(isType('ADVANCE'))
  // What is picked must be a group of this moment: one that has just moved on stands in another box.
  for (const [place, label] of [
    ['MOVING', 'Advance all in Moving'],
    ['READY', 'Attack with all in Ready'],
    ['HOME', 'Bring all home to wait'],
  ] as const) {
    const ids = new Set(movers.filter((one) => placeOf(one) === place).map((one) => groupOf(one.decision)))
    found.push(...bundle(label, choices, (one) => isType('ADVANCE')(one) && ids.has(groupOf(one.decision))))
  }
  const ids = new Set(movers.map((one) => groupOf(one.decision)))
  if (new Set(movers.map(placeOf)).size > 1) {
    found.unshift(...bundle('Advance everything', choices, (one) => isType('ADVANCE')(one) && ids.has(groupOf(one.decision))))
  }
  for (const deck of new Set(choices.filter(isType('LAUNCH')).map(placeOf))) {
    const ship = deck.replace('DECK:', '')
    const carrier = names[ship] ?? ship
    const all = (one: Choice): boolean =>
      one.decision.type === 'LAUNCH' && one.decision.to === 'MOVING' && groups[groupOf(one.decision)]?.place === deck
    found.push(...bundle(`Launch to attack, ${carrier}: all`, choices, all, `${carrier}: all`))
    const strikers = (one: Choice): boolean => all(one) && groups[groupOf(one.decision)]?.type !== 'F'
    if (choices.some((one) => all(one) && !strikers(one))) {
      found.push(...bundle(`Launch to attack, ${carrier}: bombers`, choices, strikers, `${carrier}: bombers`))
    }
  }
  found.push(...bundle('All against the escorts', choices, isType('CAP_VS_FIGHTERS')))
  found.push(...bundle('All against the bombers', choices, isType('CAP_VS_BOMBERS')))
  return found
}

const SEARCH_GROUPS = [1, 2, 3, 4]

/** Who flies with which search group so far, by the letters of their counters; '' while nobody does. */
function shared({ groups }: Table): string {
  const flying = (number: number): string =>
    Object.values(groups)
      .filter((group) => group.search_group === number)
      .map(({ type }) => type)
      .join('')
  const all = SEARCH_GROUPS.map(flying)
  return all.some(Boolean) ? `Search groups so far: ${all.map((types, place) => `${place + 1} ${types || '–'}`).join(' · ')}.` : ''
}

/** Whose planes wait in Moving because the enemy fleet is not found yet; and who searches. */
export function standing(view: TableView): { words: string; rule: string } | null {
  const table = tableOf(view)
  const { found, turn } = table
  if (!turn || (found.JP && found.US)) return null
  const searching = shared(table)
  if (searching) return { words: searching, rule: 'M12.4' }
  if (!found.JP && !found.US) return { words: 'Neither fleet is found: planes wait in Moving.', rule: 'M15.10' }
  return found.JP
    ? { words: 'The Japanese fleet is not found: American planes wait.', rule: 'M12.1' }
    : { words: 'The American fleet is not found: Japanese planes wait.', rule: 'M15.10' }
}

export function where(view: TableView): { turn: string; step: string; side: number | null } {
  const table = tableOf(view)
  const steps = stepsNow(table)
  if (!table.turn && !steps.length) return { turn: 'Before the battle', step: '', side: null }
  const turn = table.turn ? `Turn ${table.turn} of ${table.turn_limit} · ${table.time}` : 'Before turn 1'
  const [first] = steps
  if (!first) return { turn, step: '', side: null }
  if (steps.length > 1) return { turn, step: `Both sides: ${first.name}`, side: null }
  const side = sideNumber(first.side)
  return { turn, step: `${SIDE_NAMES[side]}: ${first.name}`, side }
}

const HEADING = /\[(JP|US)\],? (.+)$/

export function chapter(fact: Told, before: Chapter | null): Chapter | null {
  if (fact.type === 'TurnStarted') {
    return { turn: bodyOf<TurnStarted>(fact).turn, title: '', side: null }
  }
  if (fact.type !== 'StepStarted') return null
  const { side } = bodyOf<StepStarted>(fact)
  const name = HEADING.exec(fact.words)?.[2] ?? ''
  return { turn: before?.turn ?? 0, title: `${SIDE_NAMES[side]}: ${name}`, side }
}

const SILENT: ReadonlySet<string> = new Set<Fact['type']>(['TurnStarted', 'StepStarted', 'StepEnded'])

export function silent(fact: Told): boolean {
  return SILENT.has(fact.type)
}

const GRAVE: ReadonlySet<string> = new Set<Fact['type']>(['CarrierSunk', 'CarrierCrippled'])

export function weight(fact: Told): 'grave' | 'heavy' | '' {
  if (GRAVE.has(fact.type)) return 'grave'
  return fact.type === 'GroupLost' || fact.type === 'FleetFound' ? 'heavy' : ''
}
