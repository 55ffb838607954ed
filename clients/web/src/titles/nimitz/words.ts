/** Nimitz's decisions and chapters in a player's words. No rule is decided here: what is legal is on the
 * prompt's list. */

import { bodyOf } from '../../protocol/body'
import type { TableView, Told } from '../../protocol/wire'
import { the } from '../../words/article'
import { type Bundle as BundleOf, type Chapter, type Choice as ChoiceOf, type Names, type Reason, typeOf } from '../title'
import { targetId } from './battle'
import type { BattleTurnBegan, Chose, CombatBegan, Fact, StepBegan, SupplyIs, TurnBegan } from './facts'
import { repairPrice, SIDE_NAMES, tableOf, waiting } from './reading'
import type { Decision, Table } from './shown'

type Choice = ChoiceOf<Decision>
type Bundle = BundleOf<Decision>

export const BUY = 'buy:'
/** The chip beside a ship in Hawaii that can be lent. */
export const LEND = 'lend'

/** What is picked in the tray: reinforcements, the plans of both sides, and ships that wait for a battle. */
export function inTray(id: string, view: TableView): boolean {
  return id.startsWith(BUY) || /^(us|ja)\./.test(id) || waiting(tableOf(view)).includes(id)
}

const SPECIAL: Record<string, string> = { RAID: 'to raid the sea lanes', SB: 'to bomb Japan', INV: 'for the invasion' }
const KIND_NAMES: Record<string, string> = { SHIP: 'ships', INF: 'infantry', LBA: 'aircraft' }
const DONE = {
  DoneResupply: 'Done with resupply',
  DoneScouting: 'Done with scouting',
  DoneReserving: 'Reserve no more',
  DoneMoving: 'Done with movement',
  DonePlans: 'Begin the battle',
  DoneAir: 'The others stay home',
  PassFirstLight: 'Keep First Light for later',
  PassPlan: 'Use no plan',
  TakeHit: 'Take the hit',
} satisfies Partial<Record<Decision['type'], string>>

/** Whether a decision ends a stage or declines. */
function leaves(decision: Decision): decision is Extract<Decision, { type: keyof typeof DONE }> {
  return decision.type in DONE
}

export function choice(decision: Decision, view: TableView, names: Names): Choice {
  const table = tableOf(view)
  const name = (id: string): string => names[id] ?? table.counters[id]?.name ?? id
  const make = (label: string, path: string[], more: Partial<Choice> = {}): Choice => ({
    decision,
    key: JSON.stringify(decision),
    label,
    path,
    leaves: false,
    ...more,
  })
  if (decision.type === 'DoneAir' && !atHome(table)) return make('Let them fly', [], { leaves: true })
  if (leaves(decision)) return make(DONE[decision.type], [], { leaves: true })
  switch (decision.type) {
    case 'Purchase':
      return make(`Buy ${name(decision.force)} for ${table.counters[decision.force]?.buy ?? 0} SP`, [BUY + decision.force])
    case 'Repair':
      return make(`Repair ${name(decision.force)} for ${repairPrice(table.counters[decision.force])} SP`, [decision.force])
    case 'GiveSupply':
      return make('Pass 1 SP to the other commander', [])
    case 'PlaceScout':
      return make(`Scout ${name(decision.area)} for 1 SP`, [decision.area])
    case 'ReserveForInvasion':
      return make(`Keep ${name(decision.force)} back for the invasion`, [decision.force])
    case 'MoveForce':
      return make(`${name(decision.force)} ${SPECIAL[decision.target] ?? `to ${name(decision.target)}`}`, [decision.force, decision.target])
    case 'LendForce':
      return make(`Lend ${name(decision.force)} to the South West`, [decision.force, LEND])
    case 'PickBombed':
      return make(`Bomb ${KIND_NAMES[decision.kind] ?? decision.kind} in Japan`, [])
    case 'ChooseBattle':
      return make(`Fight the battle of ${the(name(decision.area))}`, [decision.area])
    case 'PlaceShip':
    case 'PlaceSub':
      return make(`${name(decision.ship)} in ${name(decision.area)}`, [decision.ship, decision.area])
    case 'BuyPoints':
      return make('3 plan points for 1 SP', [])
    case 'BuyPlan':
      return make(`Buy ${name(decision.plan)} for ${table.charts.us_plans[decision.plan]?.cost ?? 0}`, [decision.plan])
    case 'RollFirstLight':
      return make('Roll for First Light', [])
    case 'PickCarrier':
    case 'JaFirstLightCarrier':
      return make(`${name(decision.ship)} attacks at first light`, [decision.ship])
    case 'SendAircraft':
      return make(`${name(decision.aircraft)} to ${name(decision.area)}`, [decision.aircraft, decision.area])
    case 'UsePlan': {
      const { plan, subject } = decision
      return subject
        ? make(`Use ${name(plan)} with ${name(subject)}`, [plan, subject], { button: false })
        : make(`Use ${name(plan)}`, [plan], { button: true, main: false })
    }
    case 'AllocateHit': {
      const { target } = decision
      return table.counters[target]
        ? make(`Hit ${name(target)}`, [target])
        : make(target === 'airfield' ? 'Hit an airfield' : 'Hit the transports', [targetId(target, table.hit?.victim)])
    }
    case 'CancelHit':
      return make(`Cancel it with ${name(decision.plan)}`, [decision.plan], { button: true, main: false })
    case 'LoseAircraft':
    case 'JaLoseAircraft':
      return make(`Lose ${name(decision.aircraft)}`, [decision.aircraft])
    case 'AdjustLength':
      return make(decision.by > 0 ? 'Engaged: one battle turn more' : 'Engaged: one battle turn less', [])
    case 'JaNextArea':
      return make(`Orders for ${name(decision.area)} next`, [decision.area])
    case 'JaDestination':
      return make(`Go to ${name(decision.area)}`, [decision.area])
    case 'JaPickUnit':
      return make(`${name(decision.force)} carries out the order`, [decision.force])
    case 'JaEscort':
      return make(`Choose ${name(decision.ship)}`, [decision.ship])
    case 'JaPlanOrder':
      return make(`${name(decision.plan)} takes effect next`, [decision.plan])
    case 'JaSendGroup':
      return make(`${name(decision.group)} to ${name(decision.area)}`, [decision.area])
    case 'JaKeepForce':
      return make(`${name(decision.force)} stays`, [decision.force])
    case 'JaByRule':
      return make('Let the automated rules choose', [])
    default:
      return make(typeOf(decision), [])
  }
}

/** Decisions that are gathered pick by pick; `idOf` says what one picks, or '' if it is none of them. */
function gather(label: string, choices: Choice[], idOf: (decision: Decision) => string): Bundle[] {
  const ids = new Set(choices.map(({ decision }) => idOf(decision)).filter(Boolean))
  // What is picked must be of this moment: what comes later was not meant.
  const next = (now: Choice[]): Choice | undefined => now.find(({ decision }) => ids.has(idOf(decision)))
  return ids.size > 1 ? [{ label: `${label} (${ids.size})`, count: ids.size, next }] : []
}

/** All repairs, where all can be paid: what they cost is said, and what is left of it for scouts and battle plans. */
function repairs(choices: Choice[], view: TableView): Bundle[] {
  const { supply, counters } = tableOf(view)
  const costs = choices.map(({ decision: one }) => (one.type === 'Repair' ? repairPrice(counters[one.force]) : 0))
  const sum = costs.reduce((all, cost) => all + cost, 0)
  const left = (supply[view.asked[0] ?? 0] ?? 0) - sum
  const found = left < 0 ? [] : gather('Repair all', choices, (one) => (one.type === 'Repair' ? one.force : ''))
  return found.map((one) => ({ ...one, label: `${one.label}: ${sum} SP, ${left} left` }))
}

/** All that are to be lost, where nothing else can be chosen: no airfield is left to groups, no deck to carrier aircraft. */
function losses(choices: Choice[], { battle, forces, counters }: Table): Bundle[] {
  const decks = Object.keys(battle?.rooms ?? {}).filter((id) => counters[id]?.side === 'US')
  const none = {
    LBA: battle?.airfields.US === 0,
    CAG: !decks.some((id) => forces[id]?.place === battle?.area && !forces[id]?.damaged),
  }
  const lost = (one: Decision): string => {
    if (one.type !== 'LoseAircraft') return ''
    const kind = counters[one.aircraft]?.kind
    return (kind === 'LBA' || kind === 'CAG') && none[kind] ? one.aircraft : ''
  }
  return gather('Lose them all', choices, lost)
}

export function bundles(choices: Choice[], view: TableView, names: Names): Bundle[] {
  const table = tableOf(view)
  const found = [
    ...repairs(choices, view),
    ...gather('All submarines raid', choices, (one) => (one.type === 'MoveForce' && one.target === 'RAID' ? one.force : '')),
  ]
  for (const area of ['UO', 'CO', 'JO']) {
    const name = names[area] ?? area
    found.push(...gather(`All ships to ${name}`, choices, (one) => (one.type === 'PlaceShip' && one.area === area ? one.ship : '')))
    found.push(...gather(`All submarines to ${name}`, choices, (one) => (one.type === 'PlaceSub' && one.area === area ? one.ship : '')))
  }
  found.push(...losses(choices, table))
  for (const area of ['JO', 'IS', 'CO', 'UO']) found.push(...bombers(area, choices, table, names))
  return found
}

/** Hits to expect for each that can be taken, beyond which bombers are better sent elsewhere: as the house's bot has it. */
const ENOUGH = 1.3

/** As many bombers as an area is worth, the strongest first, counting those that are on their way there. */
function bombers(area: string, choices: Choice[], table: Table, names: Names): Bundle[] {
  const planes = table.battle?.planes ?? {}
  const bombs = (id: string): number => {
    const { side, type, ratings } = table.counters[id]!
    const face = planes[id]?.damaged ? ratings.damaged : ratings.full
    return side === 'US' && type === 'BOMBER' ? ((area === 'IS' ? face.bomb_ground : face.bomb_ship) ?? 0) / 10 : 0
  }
  const sent = (one: Decision): string => (one.type === 'SendAircraft' && one.area === area && bombs(one.aircraft) ? one.aircraft : '')
  const all = [...new Set(choices.map(({ decision }) => sent(decision)).filter(Boolean))].sort((one, other) => bombs(other) - bombs(one))
  const over = Object.keys(planes).filter((id) => planes[id]!.at === area)
  let expected = over.reduce((sum, id) => sum + bombs(id), 0)
  const going = new Set<string>()
  for (const id of all) {
    if (expected >= ENOUGH * hitsTaken(table, area)) break
    going.add(id)
    expected += bombs(id)
  }
  const found = gather(`Bombers to ${names[area] ?? area}`, choices, (one) => (going.has(sent(one)) ? sent(one) : ''))
  return found.map((one) => (one.count < all.length ? { ...one, label: one.label.replace(')', ` of ${all.length})`) } : one))
}

/** How many hits of bombs the Japanese in a battle area can take. */
function hitsTaken({ battle, counters, forces }: Table, area: string): number {
  if (!battle) return 0
  const japanese = (id: string): boolean => counters[id]?.side === 'JA'
  const hits = (ids: readonly string[]): number => ids.filter(japanese).reduce((sum, id) => sum + (forces[id]?.damaged ? 1 : 2), 0)
  if (area === 'IS') {
    const ashore = [...battle.foxhole, ...battle.beach]
    const within = (battle.airfields.US ?? 0) > 0 || !ashore.every(japanese)
    return (battle.airfields.JA ?? 0) + (within ? hits(ashore) : 0)
  }
  const surface = Object.keys(battle.ships).filter((id) => battle.ships[id] === area && counters[id]?.type !== 'SS')
  // A hit on transports is two on whom they carry.
  return hits(surface) + (area === 'CO' ? Math.ceil(hits(battle.transports.JA) / 2) : 0)
}

/** Whether US aircraft are still at home that have not flown. */
function atHome({ battle, counters }: Table): boolean {
  return Object.entries(battle?.planes ?? {}).some(([id, { at, flown }]) => !at && !flown && counters[id]?.side === 'US')
}

const US_STEPS = new Set([2, 3, 4, 9])
const JAPANESE_STEPS = new Set([5, 7, 8])

function sideOf(step: number): number | null {
  if (US_STEPS.has(step)) return 0
  return JAPANESE_STEPS.has(step) ? 1 : null
}

export function where(view: TableView): { turn: string; step: string; side: number | null } {
  const table = tableOf(view)
  if (!table.turn) return { turn: 'Before turn 1', step: '', side: null }
  const turn = `Turn ${table.turn} of ${table.turns} · ${table.date ?? ''}`
  const { battle } = table
  if (battle) {
    const place = table.map[battle.area]?.name ?? battle.area
    const now = battle.turn ? `turn ${battle.turn}, ${battle.left} left` : 'set-up'
    return { turn, step: `Battle of ${the(place)}: ${now}${battle.step ? `, ${battle.step}` : ''}`, side: null }
  }
  return { turn, step: table.step_name ?? '', side: sideOf(table.step ?? 0) }
}

export function chapter(fact: Told, before: Chapter | null): Chapter | null {
  const turn = before?.turn ?? 0
  switch (fact.type) {
    case 'TurnBegan':
      return { turn: bodyOf<TurnBegan>(fact).turn, title: '', side: null }
    case 'StepBegan': {
      const { step } = bodyOf<StepBegan>(fact)
      return { turn, title: fact.words.replace(/^\d+ /, ''), side: sideOf(step) }
    }
    case 'BattleBegan':
      return { turn, title: 'Battle: set-up', side: null }
    case 'BattleTurnBegan':
      return { turn, title: `Battle turn ${bodyOf<BattleTurnBegan>(fact).turn}`, side: null }
    case 'CombatBegan':
      return { turn, title: bodyOf<CombatBegan>(fact).step, side: null }
    default:
      return null
  }
}

/** What the chapter's title says, or another fact. */
const SILENT: ReadonlySet<string> = new Set<Fact['type']>(['StepBegan', 'BattleTurnBegan', 'Dived', 'Ordered'])

/** What is paid for stands beside it in the log, and what is left of the SP in the prompt and on the side's panel. */
const PAID = /^for (a purchase|a repair|a scout|the sortie|battle plan points)/

export function silent(fact: Told): boolean {
  return SILENT.has(fact.type) || (fact.type === 'SupplyIs' && PAID.test(bodyOf<SupplyIs>(fact).why))
}

const HEAVY: ReadonlySet<string> = new Set<Fact['type']>([
  'BattleBegan',
  'BattleEnded',
  'CampaignEnded',
  'WarEnded',
  'ObjectivesHeld',
  'OrderDone',
  'PlanUsed',
])

export function weight(fact: Told): 'grave' | 'heavy' | '' {
  if (fact.type === 'Destroyed' || fact.type === 'OutOfSupply') return 'grave'
  return HEAVY.has(fact.type) ? 'heavy' : ''
}

const PURPOSES: Record<string, string> = {
  order: 'Order',
  'scouted order': 'Scouted order',
  'random area': 'Which area',
  'EAST not performed': 'EAST not performed',
  'battle length': 'Length of the battle',
  'air group': 'Where the group flies',
  reinforcement: 'Reinforcements',
}

export function purpose(name: string): string {
  return PURPOSES[name] ?? name
}

/** Reasons as facts hold them, and as players read them in the log as well; ids are what no player sees. */
const SAID: Record<string, string> = {
  'by id': 'by the fixed order of N0.5',
  'the next higher that is legal': 'where it may not fly, the next area upward where it may',
  'the next lower that is legal': 'where it may not fly, the next area downward where it may',
  'no area is legal, it stays at home': 'where it may not fly, nor anywhere else, it stays at home',
}

/** Why the automated side chose as it did: the record stands in the fact. */
export function why(fact: Told): Reason | null {
  if (fact.type !== 'Chose') return null
  const { steps = [], die = [], ...choice } = bodyOf<Chose>(fact)
  const said = (reason: string): string => SAID[reason] ?? reason.replace('ties by id', 'ties by the fixed order of N0.5')
  return { ...choice, die, steps: steps.map((step) => ({ ...step, reason: said(step.reason) })) }
}

export function sideName(side: number): string {
  return side ? SIDE_NAMES.JA : SIDE_NAMES.US
}
