/** Pacific War's decisions and chapters in a player's words. No rule is decided here: what is legal is on the
 * prompt's list. */

import { bodyOf } from '../../protocol/body'
import type { TableView, Told } from '../../protocol/wire'
import { counted } from '../../words/count'
import { type Bundle as BundleOf, type Chapter, type Choice as ChoiceOf, type Names, typeOf } from '../title'
import { columnOf, faceOf, hits } from './battle/table'
import { dateOf, phaseOf, sideOf } from './cycle/phases'
import type { CycleBegan, Fact, GroundBattleIs, NavalBattleIs, PhaseBegan, RaidsAre, Shown } from './facts'
import { sideNumber, tableOf } from './reading'
import type { Decision, Table } from './shown'

type Choice = ChoiceOf<Decision>
type Bundle = BundleOf<Decision>

/** What is picked in the tray has an id with a colon: what is done with something, or a ship or unit of a battle. */
export const STRIKE = 'strike:'
export const ESCORT = 'escort:'
export const CAP = 'cap:'
export const MISSION = 'mission:'
/** A target with torpedoes, too. */
export const TORPEDOES = 'torpedoes:'
export const HOLD = 'hold:'
export const STEPS = 'steps:'
export const RANGE = 'range:'
export const SLOT = 'slot:'
export const BOMBARD = 'bombard:'
export const DEMOLISH = 'demolish:'

/** What missions are called (P28.2). */
export const MISSIONS: Readonly<Record<string, string>> = {
  strike_tf: 'Strike on ships at sea',
  strike_airbase: 'Strike on an airbase',
  strike_port: 'Strike on a port',
  strike_ships_in_port: 'Strike on ships in port',
  strike_fort: 'Strike on a fort',
  strike_ground: 'Strike on ground units',
  ferry: 'Ferry',
  supply: 'Supply',
  paradrop: 'Paradrop',
}

/** Whether an id is picked in the tray: ships, air units and ground units lie there, and all that is done with them. */
export function inTray(id: string, view: TableView): boolean {
  const { roster } = tableOf(view)
  return id.includes(':') || id in roster.ships || id in roster.air || id in roster.ground
}

/** A place in words: a location by its name, any other hex by its number. */
export function placeName(table: Table, place: string, names: Names): string {
  if (!/^\d{4}/.test(place)) return names[place] ?? place
  const hex = place.slice(0, 4)
  const here = Object.keys(table.locations).find((id) => table.locations[id]!.hex === hex)
  return here ? (names[here] ?? table.locations[here]!.name) : `hex ${hex}`
}

const DEMOLISHED = { airbase: 'the airbase', port: 'the port', resource: 'the resources' }
const BOMBARDED = { ground: 'the ground units', airbase: 'the airbase', port: 'the port', fort: 'the fort' }

export function choice(decision: Decision, view: TableView, names: Names): Choice {
  const table = tableOf(view)
  const name = (id: string): string => (id.startsWith('fort:') ? 'the fort' : (names[id] ?? id))
  const place = (id: string): string => placeName(table, id, names)
  const steps = (n: number): string => counted(n, 'step')
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
    case 'move_tf':
      return make(`Move ${name(decision.tf)}`, [decision.tf])
    case 'sail_to':
      return make(`Sail to ${place(decision.node)}`, [decision.node])
    case 'move_ground':
      return make(`${name(decision.unit)} marches to ${place(decision.hex)}`, [decision.unit, decision.hex])
    case 'embark':
      return make(`Embark ${name(decision.ground)}`, [decision.ground])
    case 'aboard':
      return make(`Aboard ${name(decision.tf)}`, [decision.tf])
    case 'disembark':
      return make(`Put ${name(decision.ground)} ashore`, [decision.ground])
    case 'withdraw_ground':
      return make(`${name(decision.unit)} withdraws to ${place(decision.hex)}`, [decision.unit, decision.hex])
    case 'commit_search':
      return make(`Search with a step of ${name(decision.cvg)}`, [decision.cvg])
    case 'transfer_ship':
      return make(`Transfer ${name(decision.ship)}`, [decision.ship])
    case 'join_tf':
      return make(`To ${name(decision.tf)}, in the ${decision.slot}`, [decision.tf, SLOT + decision.slot])
    case 'new_tf':
      return make(`Form another task force at ${place(decision.node)}`, [decision.node])
    case 'intercept':
      return make('Intercept', [])
    case 'assign_cap':
      return make(`CAP: ${steps(decision.steps)} of ${name(decision.unit)}`, [`${CAP}${decision.unit}:${decision.steps}`])
    case 'declare_mission': {
      const { kind, origin } = decision
      return make(`${MISSIONS[kind] ?? kind}, from ${place(origin)}`, [origin, `${MISSION}${kind}:${origin}`], { button: false })
    }
    case 'target':
      return make(`Against ${place(decision.target)}`, [decision.target])
    case 'add_steps': {
      const { unit, role, steps: n } = decision
      const [label, id] = role === 'strike' ? ['Strike', STRIKE] : ['Escort', ESCORT]
      return make(`${label}: ${steps(n)} of ${name(unit)}`, [`${id}${unit}:${n}`])
    }
    case 'add_para':
      return make(`Drop ${name(decision.ground)}`, [decision.ground])
    case 'end_missions':
      return make('End the missions', [], leaves)
    case 'allot_strike':
      return make(`${name(decision.unit)} attacks ${name(decision.ship)}`, [decision.unit, decision.ship])
    case 'with_steps':
      return make(`With ${steps(decision.steps)}`, [`${STEPS}${decision.steps}`], { short: steps(decision.steps), button: true })
    case 'allot_rest':
      return make('All that are left at the best target', [], leaves)
    case 'simultaneous_strike':
      return make('Strike back at the same time', [])
    case 'decline':
      return make('Decline', [], leaves)
    case 'next_battle':
      return make(`Next, the battle at ${place(decision.node)}`, [decision.node])
    case 'engage':
      return make('Engage', [])
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
    case 'retreat_tf':
      return make(`${name(decision.tf)} retreats to ${place(decision.node)}`, [decision.tf, decision.node])
    case 'bombard':
      return make(`${name(decision.tf)} bombards ${BOMBARDED[decision.target]}`, [
        decision.tf,
        `${BOMBARD}${decision.target}:${decision.tf}`,
      ])
    case 'demolish':
      return make(`${name(decision.unit)} blows up ${DEMOLISHED[decision.what]}`, [decision.unit, `${DEMOLISH}${decision.what}`])
    case 'attack':
      return make('Attack', [])
    case 'no_attack':
      return make('Do not attack', [], leaves)
    case 'commit_attacker':
      return make(`Attack with ${name(decision.unit)}`, [decision.unit])
    case 'retreat_ground':
      return make(`${name(decision.unit)} retreats to ${place(decision.hex)}`, [decision.unit, decision.hex])
    case 'deactivate':
      return make(`Deactivate ${name(decision.unit)}`, [decision.unit])
    case 'deactivate_tf':
      return make(`Deactivate ${name(decision.tf)}`, [decision.tf])
    case 'done':
      return make(doneIn(table), [], leaves)
    case 'pass':
      return make('Pass', [], leaves)
    default:
      return make(typeOf(decision), [])
  }
}

/** What it means to be done where the table is now. */
function doneIn(table: Table): string {
  if (table.naval) return 'Give the fire orders'
  if (table.landed) return 'Begin the attack'
  if (table.own?.plan?.target) return 'Take off'
  return 'Done'
}

/** Things that are gathered pick by pick: of each the choice that is worth most. */
function gather(label: string, choices: readonly Choice[], of: (decision: Decision) => { id: string; worth: number } | null): Bundle[] {
  const best = (now: readonly Choice[]): Map<string, Choice> => {
    const found = new Map<string, Choice>()
    for (const one of now) {
      const thing = of(one.decision)
      const known = thing && found.get(thing.id)
      if (thing && (!known || of(known.decision)!.worth < thing.worth)) found.set(thing.id, one)
    }
    return found
  }
  const ids = best(choices)
  // What is picked must be of this moment: what comes later was not meant.
  const next = (now: Choice[]): Choice | undefined => [...best(now)].find(([id]) => ids.has(id))?.[1]
  return ids.size > 1 ? [{ label: `${label} (${ids.size})`, count: ids.size, next }] : []
}

export function bundles(choices: Choice[]): Bundle[] {
  return [
    ...gather('All on patrol', choices, (one) => (one.type === 'assign_cap' ? { id: one.unit, worth: one.steps } : null)),
    ...gather('Attack with all', choices, (one) => (one.type === 'commit_attacker' ? { id: one.unit, worth: 1 } : null)),
    ...gather('All to strike', choices, (one) =>
      one.type === 'add_steps' && one.role === 'strike' ? { id: one.unit, worth: one.steps } : null,
    ),
  ]
}

const RANGES = ['short', 'medium', 'long'] as const

export function rangeName(range: number | undefined): string {
  return RANGES[range ?? 0] ?? ''
}

export function where(view: TableView): { turn: string; step: string; side: number | null } {
  const table = tableOf(view)
  if (!table.cycle) return { turn: 'Before cycle 1', step: '', side: null }
  const turn = `Cycle ${table.cycle} of ${table.cycles} · ${dateOf(table.scenario, table.cycle)} · ${table.lighting}`
  if (view.match.over) return { turn, step: 'The battle is over', side: null }
  const phase = phaseOf(table.phase)
  const side = sideOf(phase, table.advantage)
  const step = phase ? `${phase.letter} ${phase.name}` : ''
  const { naval, landed } = table
  if (naval?.phase) return { turn, step: `${step}: phase ${naval.phase} of 3, ${rangeName(naval.range)} range`, side: null }
  if (landed) {
    return { turn, step: `${step} at ${placeName(table, landed.hex, {})}`, side: landed.attacker ? sideNumber(landed.attacker) : null }
  }
  return { turn, step, side: side ? sideNumber(side) : null }
}

export function chapter(fact: Told, before: Chapter | null): Chapter | null {
  const turn = before?.turn ?? 0
  switch (fact.type) {
    case 'CycleBegan':
      return { turn: bodyOf<CycleBegan>(fact).cycle, title: '', side: null }
    case 'PhaseBegan': {
      const { phase, name } = bodyOf<PhaseBegan>(fact)
      return { turn, title: `${phaseOf(phase)?.letter ?? ''} ${name}`.trim(), side: null }
    }
    case 'NavalBattleIs': {
      const { battle, what } = bodyOf<NavalBattleIs>(fact)
      if (what.startsWith('The combat begins')) return { turn, title: `Naval battle at ${battle?.node.slice(0, 4)}`, side: null }
      return what.startsWith('Combat phase') ? { turn, title: what, side: null } : null
    }
    case 'RaidsAre': {
      const { raids, what } = bodyOf<RaidsAre>(fact)
      const [raid] = raids
      return what === TAKES_OFF && raid ? { turn, title: MISSIONS[raid.kind] ?? raid.kind, side: raid.side } : null
    }
    case 'GroundBattleIs': {
      const { battle, what } = bodyOf<GroundBattleIs>(fact)
      return battle && / attacks? at /.test(what) ? { turn, title: `Ground combat at ${battle.hex}`, side: battle.attacker ?? null } : null
    }
    default:
      return null
  }
}

const TAKES_OFF = 'A mission flies'
/** What of a mission is told: the rest its dice and losses say. */
const TOLD_RAIDS: ReadonlySet<string> = new Set([TAKES_OFF, 'A strike answers', 'The position is betrayed'])
/** What of a naval battle other facts or the chapter's title say. */
const SILENT_BATTLE = /^(Combat phase|Torpedoes)/

/** What other facts say as well, or what only keeps the books. */
const SILENT: ReadonlySet<string> = new Set<Fact['type']>([
  'CycleBegan',
  'PhaseBegan',
  'OwnUnits',
  'Planned',
  'OriginKept',
  'TookOff',
  'Covered',
  'There',
  'Noticed',
  'Busy',
  'Struck',
])

export function silent(fact: Told): boolean {
  if (SILENT.has(fact.type)) return true
  if (fact.type === 'RaidsAre') return !TOLD_RAIDS.has(bodyOf<RaidsAre>(fact).what)
  if (fact.type === 'NavalBattleIs') return SILENT_BATTLE.test(bodyOf<NavalBattleIs>(fact).what)
  // Who is hit or lost is told by itself; what a task force holds is news.
  return fact.type === 'Shown' && !Object.keys(bodyOf<Shown>(fact).contents ?? {}).length
}

const HEAVY: ReadonlySet<string> = new Set<Fact['type']>([
  'AdvantageIs',
  'LightingIs',
  'Found',
  'ShipHit',
  'BaseIs',
  'WentAshore',
  'InterceptTried',
  'NotFound',
  'Counted',
])

export function weight(fact: Told): 'grave' | 'heavy' | '' {
  if (fact.type === 'UnitLost') return 'grave'
  if (fact.type === 'NavalBattleIs') return /^The combat (begins|is over)/.test(bodyOf<NavalBattleIs>(fact).what) ? 'heavy' : ''
  return HEAVY.has(fact.type) || (fact.type === 'RaidsAre' && !silent(fact)) ? 'heavy' : ''
}

export const tells: Readonly<Record<string, string>> = { next_battle: 'NavalBattleIs', retreat_ground: 'Withdrew' }

const PURPOSES: Readonly<Record<string, string>> = {
  'escort fire': 'Escorts fire',
  'engaged CAP fire': 'Engaged CAP fires',
  'free CAP fire': 'Free CAP fires',
  'finding the target': 'Finding the target',
  'betrayal of the position': 'Is the position betrayed?',
  'landing at Dusk': 'Landing at Dusk',
  'troop quality': 'Troop quality',
  attack: 'Ground attack',
  defence: 'Ground defence',
  bombing: 'Bombs',
  range: 'Who sets the range',
}

export function purpose(name: string): string {
  return PURPOSES[name] ?? name.charAt(0).toUpperCase() + name.slice(1)
}

export const face = faceOf

/** The hits that a column of the combat table yields. */
export function outcome({ dice, target }: { dice: readonly number[]; target: string }): string {
  const column = columnOf(target)
  if (column === null) return ''
  const all = dice.reduce((sum, one) => sum + hits(column, one), 0)
  return all ? counted(all, 'hit') : 'no hit'
}
