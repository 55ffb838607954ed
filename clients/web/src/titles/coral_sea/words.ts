/** Coral Sea's decisions and chapters in a player's words. No rule is decided here: what is legal is on
 * the prompt's list. */

import { bodyOf } from '../../protocol/body'
import type { TableView, Told } from '../../protocol/wire'
import { type Bundle as BundleOf, type Chapter, type Choice as ChoiceOf, type Names, typeOf } from '../title'
import { AREAS } from './atlas'
import type { BattleBegan, CardActionBegan, Fact, OperationOpened, SequenceBegan } from './facts'
import { label as areaLabel } from './plan'
import { does, reach, SIDE_NAMES, type SideId, sideNumber, SIDES, type Table, tableOf, values } from './reading'
import type { Decision } from './shown'

type Choice = ChoiceOf<Decision>
type Bundle = BundleOf<Decision>

/** What can be done with a counter or an area once it is picked: chips beside it. */
export const ACTS: Record<string, string> = {
  'act:march': 'March',
  'act:sail': 'Set sail',
  'act:enter': 'Sail in',
  'act:land': 'Land',
  'act:embark': 'Embark',
  'act:reorganise': 'Reorganise',
  'act:rebuild': 'Rebuild',
  'act:build': 'Build airfield',
  'act:remove': 'Take airfield',
  'act:repair': 'Repair airfield',
  'act:besiege': 'Besiege',
  'act:sortie': 'Sortie',
  'act:play': 'Play',
  'act:discard': 'Discard for an RP',
}
const IN_HAND = new Set(['act:play', 'act:discard'])

/** The ids that are picked in the tray: cards, chits, piles and the secret choice. */
export function inTray(id: string): boolean {
  return /^[JA]\d\d$/.test(id) || /^[ja]_[gn]_/.test(id) || /^(pile|mode):/.test(id) || IN_HAND.has(id)
}

/** The button of an open stack whose top may be set. */
export function topOf(area: string): string {
  return `top:${area}`
}

/** A resource point as a counter of a stack. */
export function rpOf(area: string): string {
  return `rp:${area}`
}

export function free(id: string): boolean {
  return id.startsWith('top:')
}

/** A card by its name; where two in hand have one name, with the number on its face. */
function cardName(id: string, { own }: Table, names: Names): string {
  const name = names[id] ?? id
  const twice = Object.keys(own?.hand ?? {}).some((other) => other !== id && (names[other] ?? other) === name)
  return twice ? `${name} (${id})` : name
}

function airfieldCost(table: Table): number {
  return table.operation?.airfield_cost || 3
}

export function choice(decision: Decision, view: TableView, names: Names): Choice {
  const table = tableOf(view)
  const name = (id: string): string => names[id] ?? id
  const strength = (id: string): string => (table.units[id]?.cohesion ? ` (${values(table.units[id])})` : '')
  const at = (id: string): string => (table.units[id]?.area ? ` at ${name(table.units[id].area)}` : '')
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
    case 'choose_mode':
      return decision.mode === 'map'
        ? make('Map: operate on the board', ['mode:map'], { button: true })
        : make('Card: play, draw or discard', ['mode:card'], { button: true })
    case 'play_card':
      return make(`Play ${cardName(decision.card, table, names)}`, [decision.card, 'act:play'], { whole: true })
    case 'draw_card':
      return make('Draw a card', ['pile:deck'], { button: true })
    case 'discard_for_rp':
      return make(`Discard ${cardName(decision.card, table, names)} for a resource point`, [decision.card, 'act:discard'], { whole: true })
    case 'place_rp':
      return make(`Place the resource point at ${name(decision.area)}`, [decision.area])
    case 'place_units_at':
      return make(`The reinforcements arrive at ${name(decision.area)}`, [decision.area])
    case 'place_unit_at':
      return make(`${name(decision.unit)} arrives at ${name(decision.area)}`, [decision.area])
    case 'truk_entry':
      return make(`The Truk Fleet appears in ${name(decision.area)}`, [decision.area])
    case 'remove_unit':
      return make(`${name(decision.unit)}${at(decision.unit)} leaves the map`, [decision.unit])
    case 'refit':
      return decision.what === 'rebuild'
        ? make(`Rebuild ${name(decision.unit)}${at(decision.unit)}`, [decision.unit, 'act:rebuild'])
        : make(`Reorganise ${name(decision.unit)}${at(decision.unit)}`, [decision.unit, 'act:reorganise'])
    case 'target_area':
      return make(`Air attack on ${name(decision.area)}`, [decision.area])
    case 'target_unit':
      return make(`Disease strikes ${name(decision.unit)}${at(decision.unit)}`, [decision.unit])
    case 'move_rp':
      return make(`Carry a resource point from ${name(decision.from)} to ${name(decision.to)} by barge`, [decision.from, decision.to])
    case 'fly_unit':
      return make(`Fly ${name(decision.unit)} to ${name(decision.to)}`, [decision.unit, decision.to])
    case 'fly_rp':
      return make(`Fly a resource point from ${name(decision.from)} to ${name(decision.to)}`, [decision.from, decision.to])
    case 'open_operation':
      return make(`Open the operation at ${name(decision.area)}, for a resource point`, [decision.area])
    case 'start_ground_move':
      return make(`March from ${name(decision.area)}, 1 SP`, [decision.area, 'act:march'])
    case 'start_naval_move': {
      const marker = table.operation?.area ?? ''
      return make(`Set sail from ${name(marker)}, 2 SP`, [marker, 'act:sail'])
    }
    case 'reorganize':
      return make(`Reorganise ${name(decision.unit)}${at(decision.unit)}, 1 SP`, [decision.unit, 'act:reorganise'])
    case 'rebuild':
      return make(`Rebuild ${name(decision.unit)}${at(decision.unit)}, 1 SP`, [decision.unit, 'act:rebuild'])
    case 'build_airfield':
      return make(`${name(decision.unit)} builds an airfield at ${name(decision.area)}, ${airfieldCost(table)} SP`, [
        decision.unit,
        'act:build',
      ])
    case 'remove_airfield':
      return make(`${name(decision.unit)} takes back the airfield at ${name(decision.area)}, ${airfieldCost(table)} SP`, [
        decision.unit,
        'act:remove',
      ])
    case 'repair_airfield':
      return make(`Repair the airfield at ${name(decision.area)}, 1 SP`, [decision.area, 'act:repair'])
    case 'besiege':
      return make(`Besiege the fortress of ${name(decision.area)}, 4 SP`, [decision.area, 'act:besiege'])
    case 'sortie':
      return make(`Sortie from the fortress of ${name(decision.area)}`, [decision.area, 'act:sortie'])
    case 'end_operation':
      return make('End the operation', [], leaves)
    case 'pick_unit':
      return make(`Take ${name(decision.unit)}${strength(decision.unit)} along`, [decision.unit])
    case 'load_unit':
      return make(`Take ${name(decision.unit)}${strength(decision.unit)} aboard`, [decision.unit])
    case 'load_rp':
      return make('Load a resource point', [])
    case 'step':
      return make(`Go on to ${name(decision.to)}`, [decision.to, 'act:enter'])
    case 'stop':
      return make('Stop here', [], leaves)
    case 'embark_from':
      return make(`Embark units from ${name(decision.area)}`, [decision.area, 'act:embark'])
    case 'land_at':
      return make(`Land at ${name(decision.area)}`, [decision.area, 'act:land'])
    case 'unload_unit':
      return make(`Put ${name(decision.unit)} ashore`, [decision.unit])
    case 'unload_rp':
      return make('Unload a resource point', [])
    case 'play_chit':
      return make(`Play ${name(decision.chit)}`, [decision.chit])
    case 'choose_unit':
      return make(`${name(decision.unit)}${strength(decision.unit)} takes it`, [decision.unit])
    case 'retreat_to':
      return make(`Retreat to ${name(decision.area)}`, [decision.area])
    case 'play_reaction':
      return make(`Play ${cardName(decision.card, table, names)}`, [decision.card, 'act:play'], { whole: true })
    case 'pass':
      return make(passesHere(table) ? 'Pass, and ask me here again' : 'Pass', [], leaves)
    case 'pass_on':
      return make(passesHere(table) ? 'Pass, and go on passing here' : 'Pass, and pass for me here until this operation ends', [], leaves)
    case 'ask_again':
      return make('Pass, and ask me in every window again', [], leaves)
    case 'lose_unit':
      return make(`${name(decision.unit)}${at(decision.unit)} is lost`, [decision.unit])
    case 'set_top': {
      // Free and seldom wanted: by a button of the open stack, so that the whole map does not glow with it.
      const { area, item } = decision
      const what = item === 'rp' ? 'a resource point' : name(item)
      return make(`Set ${what} on top at ${name(area)}`, [topOf(area), item === 'rp' ? rpOf(area) : item], { button: false })
    }
    case 'take_refuge':
      return make(`Send ${name(decision.unit)}${strength(decision.unit)} into the fortress`, [decision.unit])
    case 'done':
      return make('Done', [], leaves)
    default:
      return make(typeOf(decision).replaceAll('_', ' '), [])
  }
}

/** All decisions of a type that takes a unit each, pick by pick. */
function gathered(label: string, type: 'pick_unit' | 'load_unit' | 'unload_unit' | 'take_refuge', choices: Choice[]): Bundle[] {
  const ids = new Set(choices.flatMap(({ decision }) => (decision.type === type ? decision.unit : [])))
  const fits = ({ decision }: Choice): boolean => decision.type === type && ids.has(decision.unit)
  return ids.size > 1 ? [{ label: `${label} (${ids.size})`, count: ids.size, next: (now) => now.find(fits) }] : []
}

/** What it is to pick all: whoever is aboard lands, and whoever waits at the coast where a fleet is goes aboard. */
function picksAll(choices: Choice[], { move, units }: Table): string {
  const picks = choices.flatMap(({ decision }) => (decision.type === 'pick_unit' ? decision.unit : []))
  if (move?.how !== 'sail' || picks.some((id) => units[id]?.domain === 'naval')) return 'Take all along'
  return picks.some((id) => move.cargo?.includes(id)) ? 'Land all' : 'Take all aboard'
}

export function bundles(choices: Choice[], view: TableView): Bundle[] {
  return [
    ...gathered(picksAll(choices, tableOf(view)), 'pick_unit', choices),
    ...gathered('Take all aboard', 'load_unit', choices),
    ...gathered('Put all ashore', 'unload_unit', choices),
    ...gathered('Send all inside', 'take_refuge', choices),
  ]
}

/** Whether a standing pass answers in the window that is open. */
function passesHere(table: Table): boolean {
  return table.window !== undefined && table.window.id in (table.own?.passing ?? {})
}

export function standing(view: TableView): { words: string; rule: string } | null {
  const kinds = Object.values(tableOf(view).own?.passing ?? {})
  if (!kinds.length) return null
  const list = kinds.map((kind) => `“${kind.split(',')[0]}”`).join(', ')
  return { words: `You pass until this operation ends: ${list}. Undo a pass, or answer there first, to be asked again.`, rule: 'C6.9' }
}

/** A window is passed until something begins or ends that all see, whatever one holds. Where a standing pass answers, the
 * choice is to go on with it. */
export const passing = {
  bounds: new Set(['OperationOpened', 'OperationEnded', 'BattleBegan', 'BattleEnded']),
  pass(choices: ChoiceOf[], view: TableView): ChoiceOf | undefined {
    const type = passesHere(tableOf(view)) ? 'pass_on' : 'pass'
    return choices.find(({ decision }) => decision.type === type)
  },
  until: (view: TableView): string => (tableOf(view).battle ? 'this battle ends' : 'a battle begins or the operation ends'),
}

const NAMES = new Map(AREAS.map(({ id, name }) => [id, areaLabel(id, name)]))

export function placeName(id: string): string {
  return NAMES.get(id) ?? id
}

export function where(view: TableView): { turn: string; step: string; side: number | null } {
  const table = tableOf(view)
  if (!table.sequence) return { turn: 'Before the first sequence', step: '', side: null }
  const turn = `Sequence ${table.sequence}`
  if (view.match.over) return { turn, step: 'The campaign is over', side: null }
  const { battle, move, operation, window } = table
  const now = (what: string): string => (window ? `${what} · ${window.name}` : what)
  if (battle) return { turn, step: now(`Battle of ${placeName(battle.area)}`), side: sideNumber(battle.attacker) }
  if (operation) {
    const what = move
      ? `${move.how === 'sail' ? does(operation.side, 'sails', 'sail') : does(operation.side, 'marches', 'march')} from ${placeName(move.from)}, ${reach(move)} left`
      : `${does(operation.side, 'operates', 'operate')} at ${placeName(operation.area)}, ${operation.sp} SP`
    return { turn, step: now(what), side: sideNumber(operation.side) }
  }
  if (!table.modes) return { turn, step: 'Secret choice', side: null }
  const asked = view.asked.length === 1 ? (view.match.seats[view.asked[0]!]?.side ?? null) : null
  const both = SIDES.map((side) => `${SIDE_NAMES[side]} ${table.modes![side] === 'map' ? 'Map' : 'Card'}`).join(', ')
  return {
    turn,
    step: asked === null || table.modes[SIDES[asked]!] === 'map' ? both : `${SIDE_NAMES[SIDES[asked]!]}: card action`,
    side: asked,
  }
}

export function chapter(fact: Told, before: Chapter | null): Chapter | null {
  const turn = before?.turn ?? 0
  switch (fact.type) {
    case 'SequenceBegan':
      return { turn: bodyOf<SequenceBegan>(fact).number, title: 'Secret choice', side: null }
    case 'ModesRevealed':
      return { turn, title: 'Laid open', side: null }
    case 'OperationOpened': {
      const { side, area } = bodyOf<OperationOpened>(fact)
      return { turn, title: `${does(SIDES[side]!, 'operates', 'operate')} at ${placeName(area)}`, side }
    }
    case 'BattleBegan': {
      const { attacker, area } = bodyOf<BattleBegan>(fact)
      return { turn, title: `Battle of ${placeName(area)}`, side: attacker }
    }
    case 'CardActionBegan': {
      const { side } = bodyOf<CardActionBegan>(fact)
      return { turn, title: `${SIDE_NAMES[SIDES[side]!]}: card action`, side }
    }
    default:
      return null
  }
}

/** What other facts say as well, or what only keeps the books. */
const SILENT: ReadonlySet<string> = new Set<Fact['type']>([
  'SequenceBegan',
  'Acted',
  'ActionEnded',
  'LeftBattle',
  'CupRefilled',
  'CupFilled',
  'ChitsBack',
  'ChitLeft',
  'CardLeft',
  'UnitRebuiltThisOperation',
  'HiddenUnits',
  'HiddenRp',
  'HiddenOrder',
  'UnitsCovered',
  'ShipsMoved',
  'CardActionBegan',
  'WindowOpened',
  'WindowClosed',
  'StackUnderWay',
  'HiddenStackUnderWay',
  'StandingPasses',
])

export function silent(fact: Told): boolean {
  return SILENT.has(fact.type) || (fact.type === 'ModeHeld' && fact.body.includes('"mode":""'))
}

const HEAVY: ReadonlySet<string> = new Set<Fact['type']>([
  'ControlChanged',
  'CardPlayed',
  'HandSeen',
  'InitiativeChanged',
  'BattleBegan',
  'AirfieldSet',
  'PointsGained',
  'FortressFell',
])

export function weight(fact: Told): 'grave' | 'heavy' | '' {
  if (fact.type === 'UnitDestroyed' || fact.type === 'LeaderLost') return 'grave'
  return HEAVY.has(fact.type) ? 'heavy' : ''
}

const PURPOSES: Record<string, string> = {
  'cohesion check': 'Cohesion check',
  operation: 'Who operates',
  airfield: 'The airfield',
  siege: 'Siege',
}

export function purpose(name: string): string {
  return PURPOSES[name] ?? name
}

export function sideName(side: SideId): string {
  return SIDE_NAMES[side]
}
