/** Combat as it is shown happening: the facts of a step cut into beats, each a kind of attack in one area with its
 * dice and what came of them. Reads the record; decides nothing. */

import { bodyOf } from '../../protocol/body'
import type { Rolled } from '../../protocol/facts'
import type { Told } from '../../protocol/wire'
import { hitsOf } from '../../words/log'
import type { Fact } from './facts'
import { BATTLE_AREAS, type Place, type SideId, SIDES } from './reading'

export interface Shot {
  seq: number
  /** Who fires. */
  id: string
  side: SideId
  dice: number[]
  sides: number
  /** What it needed, modifiers included: "5 or less hits, 3 or less twice". */
  target: string
  /** What modified it: "+1 Furball"; or ''. */
  why: string
}

export type Fate = 'damaged' | 'destroyed' | 'hit' | 'spared'

export interface Blow {
  seq: number
  /** A force, an aircraft, `airfield` or `transport`. */
  id: string
  side: SideId | null
  fate: Fate
}

export interface Beat {
  /** Its first fact, and its last. */
  from: number
  seq: number
  kind: string
  area: Place
  shots: Shot[]
  blows: Blow[]
  /** Its battle has ended since, so that another may be on the board. */
  over: boolean
}

/** Facts that are looked back over for the beginning of a combat that goes on. */
const BACK = 400

function begins(facts: readonly Told[], since: number): number {
  const first = facts.findIndex((fact) => fact.seq > since)
  if (first < 0) return facts.length
  for (let place = first; place >= Math.max(0, first - BACK); place--) {
    const { type } = facts[place]!
    if (type === 'CombatBegan') return place
    if (place < first && (type === 'BattleTurnBegan' || type === 'BattleBegan')) break
  }
  return first
}

/** What a fact says fell on whom, in the combat that is under way. */
function blow(seq: number, fact: Fact | Rolled, kind: string): Blow | null {
  const of = (id: string, side: SideId | null, fate: Fate): Blow => ({ seq, id, side, fate })
  switch (fact.type) {
    case 'Damaged':
      return fact.why === kind ? of(fact.target, null, 'damaged') : null
    case 'Destroyed':
      return fact.why === kind ? of(fact.target, null, 'destroyed') : null
    case 'AirfieldsAre':
      return fact.why === `hit by ${kind}` ? of('airfield', SIDES[fact.side] ?? null, 'hit') : null
    case 'PlanUsed': {
      const { effect, subject = '' } = fact
      return effect === 'the hit is cancelled' ? of(subject === 'US' ? 'airfield' : subject, 'US', 'spared') : null
    }
    case 'PlanVoid': {
      const spared = /^cancels the hit on (?:the (transport)s|\[(.+)\])$/.exec(fact.why)
      return spared ? of(spared[1] ?? spared[2]!, 'JA', 'spared') : null
    }
    default:
      return null
  }
}

const TOLD = /^(CombatBegan|Rolled|Damaged|Destroyed|AirfieldsAre|PlanUsed|PlanVoid)$/

/** Puts a fact that came of a combat into its beat. */
function add(beat: Beat, seq: number, fact: Fact | Rolled): void {
  beat.seq = seq
  if (fact.type === 'Rolled' && fact.purpose === beat.kind) {
    const { subject: id = '', by, dice, sides, target = '', modifiers = [] } = fact
    const why = modifiers.map(({ amount, reason }) => `${amount < 0 ? '−' : '+'}${Math.abs(amount)} ${reason}`).join(', ')
    beat.shots.push({ seq, id, side: SIDES[by] ?? 'US', dice, sides, target, why })
  }
  const fell = blow(seq, fact, beat.kind)
  if (fell) beat.blows.push(fell)
}

/** The beats of the facts after `since`, whole ones: what was rolled before in the same combat is in them. */
export function beatsOf(facts: readonly Told[], since: number): Beat[] {
  const beats: Beat[] = []
  for (const told of facts.slice(begins(facts, since))) {
    const last = beats.at(-1)
    if (told.type === 'BattleEnded') for (const beat of beats) beat.over = true
    if (!TOLD.test(told.type)) continue
    const { seq } = told
    const fact = bodyOf<Fact | Rolled>(told)
    if (fact.type === 'CombatBegan') {
      const area = BATTLE_AREAS.find((one) => one === fact.area)
      if (area) beats.push({ from: seq, seq, kind: fact.step, area, shots: [], blows: [], over: false })
    } else if (last && !last.over) add(last, seq, fact)
  }
  return beats.filter(({ shots, blows }) => [...shots, ...blows].some(({ seq }) => seq > since))
}

const [SEA, AIR, LAND] = [['sea', 'cargo'], ['air'], ['foxhole', 'beach', 'field']]
const UNDER: Record<string, readonly string[]> = {
  Dogfight: AIR,
  AAA: AIR,
  'Bomb runs': [...SEA, ...LAND],
  Torpedoes: SEA,
  'Depth charges': ['sea'],
  'Naval guns': [...SEA, ...LAND],
  Infantry: LAND,
}

/** The parts of the battle board that are under fire, as the names of zones. */
export function underFire(beat: Beat): ReadonlySet<string> {
  const firing = new Set(beat.shots.map(({ side }) => side))
  const sides = SIDES.filter((side) => firing.has(side === 'US' ? 'JA' : 'US'))
  const areas = beat.kind === 'Naval guns' ? ['CO', 'IS'] : [beat.area]
  return new Set(areas.flatMap((area) => sides.flatMap((side) => (UNDER[beat.kind] ?? []).map((part) => `${area} ${side} ${part}`))))
}

/** What fell on whom in the end: a force that was damaged and then destroyed is destroyed; airfields are counted. */
export function fates(blows: readonly Blow[]): (Blow & { count: number })[] {
  const found = new Map<string, Blow & { count: number }>()
  for (const one of blows) {
    const key = `${one.id} ${one.side} ${one.fate === 'spared'}`
    found.set(key, { ...one, count: (found.get(key)?.count ?? 0) + 1 })
  }
  return [...found.values()]
}

/** What a shot needed, in short: "≤5, ×2 ≤3". */
export function need(target: string): string {
  const [, most, twice] = /^(\d+) or less hits(?:, (\d+) or less twice)?/.exec(target) ?? []
  return most ? `≤${most}${twice ? `, ×2 ≤${twice}` : ''}` : ''
}

/** What a side's shots came to: "4 rolls, 3 hits", and what modified them, each once. */
export function tally(shots: readonly Shot[]): string {
  const many = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`
  const hits = shots.reduce((sum, shot) => sum + (hitsOf(shot) ?? 0), 0)
  const why = [...new Set(shots.map((shot) => shot.why).filter(Boolean))].join(', ')
  return `${many(shots.length, 'roll')}, ${many(hits, 'hit')}${why ? ` (${why})` : ''}`
}

/** Until what came of the dice is shown. */
export const DICE_MS = 600
