/** Pacific War's decisions and chapters in a player's words. No rule is decided here: what is legal is on the
 * prompt's list. */

import { bodyOf } from '../../protocol/body'
import type { TableView, Told } from '../../protocol/wire'
import { counted } from '../../words/count'
import type { Bundle as BundleOf, Chapter, Choice as ChoiceOf, Names } from '../title'
import { battleBundles, battleChoice, isFought } from './battle/choices'
import { columnOf, faceOf, hits } from './battle/table'
import { campaignLog, campaignWords } from './campaign/words.svelte'
import { dateOf, phaseOf, sideOf } from './cycle/phases'
import type { CycleBegan, Fact, GroundBattleIs, NavalBattleIs, PhaseBegan, RaidsAre, Shown } from './facts'
import { mapBundles, mapChoice } from './map/choices'
import { HQ, isAct } from './map/ids'
import { sideNumber, tableOf } from './reading'
import type { Decision, Table } from './shown'

type Choice = ChoiceOf<Decision>

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

/** Whether an id is picked in the tray: ships, air units and ground units lie there, all that is done with them, and the
 * boards of headquarters. */
export function inTray(id: string, view: TableView): boolean {
  return isAct(id) || isFought(id) || id.startsWith(HQ) || unitOf(tableOf(view), id)
}

/** Whether an id is that of a unit of this match. */
export function unitOf({ roster }: Table, id: string): boolean {
  return id in roster.ships || id in roster.air || id in roster.ground
}

/** A place in words: a location by its name, any other hex by its number. */
export function placeName(table: Table, place: string, names: Names): string {
  if (!/^\d{4}/.test(place)) return names[place] ?? place
  const hex = place.slice(0, 4)
  const here = Object.keys(table.locations).find((id) => table.locations[id]!.hex === hex)
  return here ? (names[here] ?? table.locations[here]!.name) : `hex ${hex}`
}

export function choice(decision: Decision, view: TableView, names: Names, question = ''): Choice {
  const found = battleChoice(decision, view, names) ?? mapChoice(decision, view, names, question)
  if (found) return found
  const label = decision.type.replaceAll('_', ' ')
  const plain = { decision, key: JSON.stringify(decision), label, path: [], leaves: false }
  return campaignWords(view)?.campaignChoice(decision, view, names, question) ?? plain
}

export function bundles(choices: ChoiceOf[], view: TableView): BundleOf[] {
  return [...battleBundles(choices), ...mapBundles(choices), ...(campaignWords(view)?.campaignBundles(choices, view) ?? [])]
}

const RANGES = ['short', 'medium', 'long'] as const

export function rangeName(range: number | undefined): string {
  return RANGES[range ?? 0] ?? ''
}

export function where(view: TableView): { turn: string; step: string; side: number | null } {
  const table = tableOf(view)
  const { war } = table
  const said = campaignWords(view)
  if (war && !said) return { turn: '', step: '', side: null }
  if (!table.cycle && !war) return { turn: 'Before cycle 1', step: '', side: null }
  const cycle = `Cycle ${table.cycle} of ${table.cycles} · ${dateOf(table.scenario, table.cycle)} · ${table.lighting}`
  const turn = war && said ? said.dateIn(table, war) : cycle
  if (view.match.over) return { turn, step: `The ${war ? 'campaign' : 'battle'} is over`, side: null }
  const phase = said ? said.stepOf(table.phase) : phaseOf(table.phase)
  const side = said
    ? said.actsIn(said.stepOf(table.phase), table.advantage, war?.operation?.player)
    : sideOf(phaseOf(table.phase), table.advantage)
  const step = phase ? `${phase.letter} ${phase.name}` : ''
  const { naval, landed } = table
  if (naval?.phase) return { turn, step: `${step}: phase ${naval.phase} of 3, ${rangeName(naval.range)} range`, side: null }
  if (landed) {
    return { turn, step: `${step} at ${placeName(table, landed.hex, {})}`, side: landed.attacker ? sideNumber(landed.attacker) : null }
  }
  return { turn, step, side: side ? sideNumber(side) : null }
}

export const within = (seq: number): Chapter | null => campaignLog()?.chapterWithin(seq) ?? null

export function chapter(fact: Told, before: Chapter | null): Chapter | null {
  const turn = before?.turn ?? 0
  const found = campaignLog()?.campaignChapter(fact, before)
  if (found !== undefined) return found
  const make = (title: string, side: number | null): Chapter => ({ ...before, turn, title, side })
  switch (fact.type) {
    case 'CycleBegan':
      // An Operation begins its cycles anew, and before its words are loaded they are counted as of a battle.
      return { turn: Math.max(turn, bodyOf<CycleBegan>(fact).cycle), title: '', side: null }
    case 'PhaseBegan': {
      const { phase, name } = bodyOf<PhaseBegan>(fact)
      return { turn, title: `${phaseOf(phase)?.letter ?? ''} ${name}`.trim(), side: null }
    }
    case 'NavalBattleIs': {
      const { what } = bodyOf<NavalBattleIs>(fact)
      const spot = what.startsWith('The combat begins') && /^At (.+?) the combat/.exec(fact.words)?.[1]
      if (spot) return make(`Naval battle at ${spot}`, null)
      return what.startsWith('Combat phase') ? make(what, null) : null
    }
    case 'RaidsAre': {
      const { raids, what } = bodyOf<RaidsAre>(fact)
      const [raid] = raids
      return what === TAKES_OFF && raid ? make(MISSIONS[raid.kind] ?? raid.kind, raid.side) : null
    }
    case 'GroundBattleIs': {
      const { battle, what } = bodyOf<GroundBattleIs>(fact)
      const spot = battle && / attacks? at ([^:]+)/.exec(what)?.[1]
      return spot ? make(`Ground combat at ${spot.replace(/^(?=\d)/, 'hex ')}`, battle.attacker ?? null) : null
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
  'UnitsAre',
  'CameBack',
  'There',
  'Noticed',
  'Busy',
  'Struck',
])

export function silent(fact: Told): boolean {
  const war = campaignLog()
  if ((SILENT.has(fact.type) && !war?.ofTheMonth(fact)) || war?.campaignSilent(fact)) return true
  if (fact.type === 'RaidsAre') return !TOLD_RAIDS.has(bodyOf<RaidsAre>(fact).what)
  if (fact.type === 'NavalBattleIs') return SILENT_BATTLE.test(bodyOf<NavalBattleIs>(fact).what)
  // Single units that come in sight are told by what brings them there; what a task force holds is news.
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
  'BidsOpened',
  'InitiativeIs',
  'PlacesScored',
  'PatrolsPlaced',
  'TotalsAre',
  'PostIs',
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
export function outcome({ dice, target, purpose: what }: { dice: readonly number[]; target: string; purpose: string }): string {
  const column = columnOf(target)
  const least = Number.parseInt(target, 10)
  if (what === 'finding the target') return dice[0]! < least ? 'found' : 'not found'
  if (what === 'betrayal of the position') return dice[0]! <= least ? 'betrayed' : 'not betrayed'
  if (column === null) return ''
  const all = dice.reduce((sum, one) => sum + hits(column, one), 0)
  return all ? counted(all, 'hit') : 'no hit'
}
