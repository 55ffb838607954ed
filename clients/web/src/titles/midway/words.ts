/** Midway's decisions, prompts and chapters in a player's words. No rule is decided here: what is legal is on
 * the prompt's list. */

import type { Asked, TableView, Told } from '../../protocol/wire'
import type { Bundle, Chapter, Choice, Decision, Names } from '../title'
import { boxId, type PlaneType, SIDE_NAMES, sideNumber, type StepOfPlay, type Table, tableOf, TYPE_NAMES } from './table'

const NEXT: Record<string, string> = { MOVING: 'Ready to Attack', READY: 'Attacking', HOME: 'Waiting to Land' }
const NEXT_PLACE: Record<string, string> = { MOVING: 'READY', READY: 'ATTACKING', HOME: 'WAITING' }

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

export function choice(decision: Decision, view: TableView, names: Names): Choice {
  const table = tableOf(view)
  const group = text(decision.group)
  const ship = text(decision.ship)
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
      return make(`Land ${name(group)} on ${name(ship)}${points}`, [group, ship])
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
      return make(`A hit on the ${TYPE_NAMES[decision.plane_type as PlaneType]}`, [])
    case 'LOSE':
      return make(`${name(group)} loses 1 SP${points} now`, [group])
    case 'TARGET':
      return make(`${name(group)} attacks ${name(ship)}${points}`, [group, ship])
    case 'SEARCH_START':
      return make('Begin the search for the enemy fleet', [])
    case 'SEARCH_ASSIGN':
      return make(`${name(group)} flies with search group ${text(decision.search_group)}`, [])
    case 'RECALL':
      return make(`Recall ${name(group)} from combat air patrol`, [group, boxId(side, 'WAITING')])
    case 'TURN_BACK':
      return make(`Turn ${name(group)} back home`, [group, boxId(side, 'HOME')])
    case 'ACCEPT':
      return make('Accept the proposal', [], true)
    case 'REFUSE':
      return make('Refuse: split the hits evenly', [], true)
    case 'DONE':
      return make(`Done${doneWith(table)}`, [], true)
    default:
      return make(decision.type.toLowerCase().replaceAll('_', ' '), [])
  }
}

/** The steps of the sequence at work: one, or a pair. */
export function stepsNow(table: Table): StepOfPlay[] {
  return table.sequence.filter((row) => table.steps.includes(row.step))
}

function doneWith(table: Table): string {
  const [step] = stepsNow(table)
  return step ? ` with ${step.name.toLowerCase().replace('cap', 'CAP')}` : ''
}

function isType(type: string): (one: Choice) => boolean {
  return (one) => one.decision.type === type
}

function bundle(label: string, choices: Choice[], fits: (one: Choice) => boolean): Bundle[] {
  const count = new Set(choices.filter(fits).map((one) => text(one.decision.group))).size
  return count > 1 ? [{ label: `${label} (${count})`, count, next: (now) => now.find(fits) }] : []
}

export function bundles(choices: Choice[], view: TableView, names: Names): Bundle[] {
  const { groups } = tableOf(view)
  const placeOf = (one: Choice): string => groups[text(one.decision.group)]?.place ?? ''
  const found: Bundle[] = []
  const movers = choices.filter(isType('ADVANCE'))
  // What is picked must be a group of this moment: one that has just moved on stands in another box.
  for (const [place, label] of [
    ['MOVING', 'Advance all in Moving'],
    ['READY', 'Attack with all in Ready'],
    ['HOME', 'Bring all home to wait'],
  ] as const) {
    const ids = new Set(movers.filter((one) => placeOf(one) === place).map((one) => text(one.decision.group)))
    found.push(...bundle(label, choices, (one) => isType('ADVANCE')(one) && ids.has(text(one.decision.group))))
  }
  const ids = new Set(movers.map((one) => text(one.decision.group)))
  if (new Set(movers.map(placeOf)).size > 1) {
    found.unshift(...bundle('Advance everything', choices, (one) => isType('ADVANCE')(one) && ids.has(text(one.decision.group))))
  }
  for (const deck of new Set(choices.filter(isType('LAUNCH')).map(placeOf))) {
    const ship = deck.replace('DECK:', '')
    const all = (one: Choice): boolean =>
      one.decision.type === 'LAUNCH' && one.decision.to === 'MOVING' && groups[text(one.decision.group)]?.place === deck
    found.push(...bundle(`Launch ${names[ship] ?? ship}’s whole deck to attack`, choices, all))
    const strikers = (one: Choice): boolean => all(one) && groups[text(one.decision.group)]?.type !== 'F'
    if (choices.some((one) => all(one) && !strikers(one))) {
      found.push(...bundle(`Launch ${names[ship] ?? ship}’s bombers`, choices, strikers))
    }
  }
  found.push(...bundle('Land all that can', choices, isType('LAND')))
  found.push(...bundle('All against the escorts', choices, isType('CAP_VS_FIGHTERS')))
  found.push(...bundle('All against the bombers', choices, isType('CAP_VS_BOMBERS')))
  return found
}

const PROMPTS: Record<string, string> = {
  LAND: 'Land planes: choose a waiting group, then a carrier with a clear deck.',
  ADVANCE: 'Move planes one box along the circuit, or leave them where they are.',
  SEARCH_START: 'Move planes, or begin the search for the enemy fleet.',
  SEARCH_ASSIGN: 'Divide the strike into four search groups.',
  CAP_VS_FIGHTERS: 'Combat air patrol: match the escorts before the bombers can be reached.',
  CAP_VS_BOMBERS: 'Combat air patrol: the bombers can be reached.',
  HIT_TYPE: 'Which bombers take this hit?',
  LOSE: 'Choose which group loses a strength point.',
  TARGET: 'Choose a carrier for each group of bombers.',
  LAUNCH: 'Launch planes: to the attack, or fighters on combat air patrol.',
  SPOT: 'Plan the next turn: planes on deck can be launched, a clear deck can take planes in.',
  STRIKE_BELOW: 'Plan the next turn: planes on deck can be launched, a clear deck can take planes in.',
  ACCEPT: 'The admiral proposes these losses.',
}

export function prompt(asked: Asked): string {
  const types = asked.options.map((option) => (option as Decision).type)
  if (types.includes('SEARCH_START')) return PROMPTS.SEARCH_START!
  return PROMPTS[types.find((type) => type !== 'DONE') ?? ''] ?? asked.text
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
    return { turn: (JSON.parse(fact.body) as { turn: number }).turn, title: '', side: null }
  }
  if (fact.type !== 'StepStarted') return null
  const { side } = JSON.parse(fact.body) as { side: number }
  const name = HEADING.exec(fact.words)?.[2] ?? ''
  return { turn: before?.turn ?? 0, title: `${SIDE_NAMES[side]}: ${name}`, side }
}

const SILENT = new Set(['TurnStarted', 'StepStarted', 'StepEnded'])

export function silent(fact: Told): boolean {
  return SILENT.has(fact.type)
}

const GRAVE = new Set(['CarrierSunk', 'CarrierCrippled'])

export function weight(fact: Told): 'grave' | 'heavy' | '' {
  if (GRAVE.has(fact.type)) return 'grave'
  return fact.type === 'GroupLost' || fact.type === 'FleetFound' ? 'heavy' : ''
}
