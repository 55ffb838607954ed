/** A ground combat as the page draws it (P31): who is in the hex, what the rolls are made of, and what they cost. */

import { bodyOf } from '../../../protocol/body'
import type { TableView, Told } from '../../../protocol/wire'
import { type Roll, rollOf } from '../../../words/log'
import type { GroundBattleIs, GroundStepsLost } from '../facts'
import { type SideId, SIDES, tableOf } from '../reading'
import type { Ground, Table } from '../shown'
import { columnFor, columnOf, faceOf, hits } from './table'
import { other } from './units'

export interface Troops {
  id: string
  name: string
  size: string
  tq: number
  /** Steps before the combat, and now. */
  steps: number
  left: number
  broken: boolean
  landing: boolean
  /** It takes part: all defenders do. */
  fights: boolean
}

/** One line of a sum: "odds 9 to 3: +2". */
export interface Term {
  words: string
  amount: number
}

export interface Sum {
  strength: number
  /** The column of the strength, the shifts, and the column that is rolled on. */
  from: number
  terms: Term[]
  column: number
}

export interface Result {
  side: SideId
  purpose: 'attack' | 'defence'
  face: number
  column: number
  hits: number
  terms: Term[]
}

export interface Test {
  unit: string
  face: number
  target: string
  holds: boolean
}

export interface Combat {
  hex: string
  attacker: SideId | null
  attackers: readonly string[]
  over: boolean
  results: Result[]
  tests: Test[]
  /** Steps lost by unit. */
  lost: ReadonlyMap<string, number>
  broken: ReadonlySet<string>
}

/** The facts of the combat that is fought, or of the last one of this phase of the cycle. */
function factsOf(facts: readonly Told[]): readonly Told[] {
  const phase = facts.slice(facts.findLastIndex(({ type }) => type === 'PhaseBegan') + 1)
  const begun = phase.findLastIndex((fact) => fact.type === 'GroundBattleIs' && / attacks? at /.test(bodyOf<GroundBattleIs>(fact).what))
  return begun < 0 ? [] : phase.slice(begun)
}

function resultOf(roll: Roll): Result {
  const column = columnOf(roll.target) ?? 0
  const face = faceOf(roll.dice[0]!, roll.sides)
  const terms = roll.modifiers.map(({ reason, amount }) => ({ words: REASONS[reason] ?? reason, amount }))
  const purpose = roll.purpose === 'attack' ? 'attack' : 'defence'
  return { side: SIDES[roll.by]!, purpose, face, column, hits: hits(column, face), terms }
}

function testOf({ subject, dice, sides, target }: Roll): Test {
  const face = faceOf(dice[0]!, sides)
  return { unit: subject, face, target, holds: face <= Number.parseInt(target, 10) }
}

/** The combat that is fought, or the last one, until the cycle goes on; null if there is none. */
export function combatIn(view: TableView, facts: readonly Told[]): Combat | null {
  const { landed } = tableOf(view)
  const since = factsOf(facts)
  const told = since.flatMap((fact) => (fact.type === 'GroundBattleIs' ? (bodyOf<GroundBattleIs>(fact).battle ?? []) : [])).at(-1)
  if (!told) return null
  const rolls = since.flatMap((fact) => (fact.type === 'Rolled' ? rollOf(fact) : []))
  const losses = since.flatMap((fact) => (fact.type === 'GroundStepsLost' ? bodyOf<GroundStepsLost>(fact) : []))
  const lost = new Map<string, number>()
  for (const { unit, steps } of losses) lost.set(unit, (lost.get(unit) ?? 0) + steps)
  return {
    hex: told.hex,
    attacker: SIDES[told.attacker ?? -1] ?? null,
    attackers: told.attackers ?? [],
    over: !landed,
    results: rolls.filter(({ purpose }) => purpose === 'attack' || purpose === 'defence').map(resultOf),
    tests: rolls.filter(({ purpose }) => purpose === 'troop quality').map(testOf),
    lost,
    broken: new Set(losses.filter((one) => one.broken).map(({ unit }) => unit)),
  }
}

const REASONS: Readonly<Record<string, string>> = {
  attacking: 'every attack',
  defending: 'every defence',
  odds: 'odds',
  'troop quality': 'troop quality',
  materiel: 'materiel',
  jungle: 'used to the jungle',
  'terrain and fort': 'terrain and fort',
  landing: 'all have just landed',
  atoll: 'atoll',
}

/** The ground units of a side in a hex, the largest first, with what they have lost in the combat. */
export function troops(table: Table, side: SideId, hex: string, combat: Combat | null): Troops[] {
  const known: Record<string, Ground> = { ...table.ground, ...(table.own?.side === side ? table.own.ground : {}) }
  const made = Object.entries(table.roster.ground)
    .filter(([id, one]) => one.side === side && ((known[id]?.hex === hex && known[id].steps > 0) || combat?.lost.has(id)))
    .map(([id, one]): Troops => {
      const now = known[id]
      const here = now?.hex === hex || combat?.lost.has(id)
      const left = here ? (now?.steps ?? 0) : 0
      return {
        id,
        name: one.name,
        size: one.size,
        tq: one.tq,
        steps: left + (combat?.lost.get(id) ?? 0),
        left,
        broken: now?.broken ?? combat?.broken.has(id) ?? false,
        landing: now?.landing ?? false,
        fights: combat?.attacker !== side || combat.attackers.includes(id),
      }
    })
  return made.toSorted((one, two) => two.steps - one.steps || (one.id < two.id ? -1 : 1))
}

const FRONTAGE = 15
const FLOOR = 3
const MOST_CAP = 4
const TERRAINS: Readonly<Record<string, number>> = { clear: 0, mixed: 1, city: 1, mountain: 1, jungle: 2, atoll: 0 }
/** Until then Japan's troops have an edge in the jungle (P3.2). */
const JUNGLE_UNTIL = '1942-07'

/** Steps as they count: broken units half of theirs, rounded up (P31.3). */
const counted = ({ left, broken }: Troops): number => (broken ? Math.ceil(left / 2) : left)
const total = (some: readonly Troops[]): number => some.reduce((sum, one) => sum + counted(one), 0)

/** The average troop quality, weighted by steps, a half upward. */
export function quality(some: readonly Troops[]): number {
  const steps = total(some)
  return steps ? Math.floor((2 * some.reduce((sum, one) => sum + one.tq * counted(one), 0) + steps) / (2 * steps)) : 0
}

function oddsOf(attack: number, defence: number): number {
  const against = Math.max(1, defence)
  if (attack >= 4 * against) return 2
  if (attack >= 2 * against) return 1
  if (attack >= against) return 0
  return 2 * attack >= against ? -1 : -2
}

/** What both would roll with as things stand (P31.3): the attack of one side with some units, and the defence. */
export function sums(table: Table, attacker: SideId, hex: string, attacking: readonly Troops[]): { attack: Sum; defence: Sum } {
  const foe = other(attacker)
  const defending = troops(table, foe, hex, null)
  const here = Object.values(table.locations).find((one) => one.hex === hex)
  const [attack, defence] = [total(attacking), total(defending)]
  const [ours, theirs] = [quality(attacking), quality(defending)]
  const third = Math.min(2, Math.floor(Math.abs(ours - theirs) / 3))
  const tq = ours >= theirs ? third : -third
  const terrain = here?.terrain ?? ''
  const fort = here?.control === foe ? (here.fort ?? 0) : 0
  const ground = Math.min(MOST_CAP, (TERRAINS[terrain] ?? 0) + fort)
  const atoll: Term[] = terrain === 'atoll' ? [{ words: 'atoll', amount: 1 }] : []
  const jungle = terrain === 'jungle' && attacker === 'JP' && table.month < JUNGLE_UNTIL
  const landed = attacking.length > 0 && attacking.every((one) => one.landing)
  const make = (strength: number, terms: Term[], least: boolean): Sum => {
    const from = columnFor(Math.min(strength, FRONTAGE))
    const shifted = from + terms.reduce((sum, one) => sum + one.amount, 0)
    return { strength, from, terms, column: Math.max(least ? 1 : 0, Math.min(12, shifted)) }
  }
  return {
    attack: make(
      attack,
      [
        { words: 'every attack', amount: -2 },
        { words: `odds ${attack} to ${defence}`, amount: oddsOf(attack, defence) },
        { words: `troop quality ${ours} against ${theirs}`, amount: tq },
        ...(jungle ? [{ words: 'used to the jungle', amount: 1 }] : []),
        ...(ground
          ? [{ words: [TERRAINS[terrain] ? terrain : '', fort ? `fort ${fort}` : ''].filter(Boolean).join(', '), amount: -ground }]
          : []),
        ...(landed ? [{ words: 'all have just landed', amount: -1 }] : []),
        ...atoll,
      ],
      attack >= FLOOR,
    ),
    defence: make(
      defence,
      [{ words: 'every defence', amount: -3 }, { words: `troop quality ${theirs} against ${ours}`, amount: -tq || 0 }, ...atoll],
      defence >= FLOOR,
    ),
  }
}
