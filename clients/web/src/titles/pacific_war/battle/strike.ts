/** An air strike as the page draws it (P28.4): its stages with their dice, what was lost in each, and whom it attacks; two of
 * them where a strike is answered at the same time (P28.12). Read from the facts since the mission flew. */

import { bodyOf } from '../../../protocol/body'
import type { TableView, Told } from '../../../protocol/wire'
import { rollOf } from '../../../words/log'
import type { AirStepsLost, CapIs, RaidsAre, ShipHit, Raid as Told0 } from '../facts'
import { type SideId, SIDES, tableOf } from '../reading'
import type { Table } from '../shown'
import { columnOf, faceOf, hits } from './table'
import { other } from './units'

export interface Throw {
  seq: number
  side: SideId
  purpose: string
  subject: string
  face: number
  /** Null where the die is not for hits. */
  column: number | null
  hits: number | null
  target: string
  shifts: { reason: string; amount: number }[]
}

/** Steps of an air unit in a role: as many as took off, those that are left, and where the others went. */
export interface Flight {
  unit: string
  steps: number
  left: number
}

export interface Loss {
  unit: string
  steps: number
  how: string
}

export type StageName = 'find' | 'air' | 'flak' | 'run'

export interface Stage {
  name: StageName
  /** It has begun, and is over. */
  done: boolean
  now: boolean
  rolls: Throw[]
  losses: Loss[]
}

/** Steps on a ship, and what came of it. */
export interface Target {
  ship: string
  steps: { unit: string; steps: number }[]
  roll: Throw | null
  /** Hits that it took in this mission, of whomever. */
  hits: number
}

export interface Raid {
  side: SideId
  kind: string
  target: string
  /** '' while it is secret. */
  origin: string
  answer: boolean
  strike: Flight[]
  escort: Flight[]
  cap: Flight[]
  stages: Stage[]
  targets: Target[]
  found: boolean
  /** It has not found its target. */
  missed: boolean
}

export interface Mission {
  raids: Raid[]
  over: boolean
  /** Its first fact. */
  from: number
}

const AT_SHIPS = new Set(['strike_tf', 'strike_ships_in_port'])

export function atShips(kind: string): boolean {
  return AT_SHIPS.has(kind)
}

const AIR = new Set(['escort fire', 'engaged CAP fire', 'free CAP fire'])

function thrown(fact: Told): Throw {
  const { by, purpose, subject, dice, sides, target, modifiers } = rollOf(fact)
  const column = columnOf(target)
  const face = faceOf(dice[0]!, sides)
  const side = SIDES[by] ?? 'JP'
  return {
    seq: fact.seq,
    side,
    purpose,
    subject,
    face,
    column,
    hits: column === null ? null : hits(column, face),
    target,
    shifts: [...modifiers],
  }
}

/** Dice of whoever is attacked. */
const DEFENDING: ReadonlySet<string> = new Set(['betrayal of the position', 'flak', 'engaged CAP fire', 'free CAP fire', 'troop quality'])

/** The side of the raid over whose target something was rolled. */
function raidOf({ purpose, side }: Pick<Throw, 'purpose' | 'side'>): SideId {
  return DEFENDING.has(purpose) ? other(side) : side
}

/** The stage of a roll, '' for what is none of a strike. */
function stageOf(purpose: string): StageName | '' {
  if (purpose === 'finding the target' || purpose === 'betrayal of the position') return 'find'
  if (AIR.has(purpose)) return 'air'
  if (purpose === 'flak') return 'flak'
  return purpose === 'air attack' || purpose === 'bombing' || purpose === 'troop quality' ? 'run' : ''
}

/** The mission that flies, or the last one, until the cycle goes on or a battle begins; null if there is none. */
export function missionIn(view: TableView, facts: readonly Told[]): Mission | null {
  const table = tableOf(view)
  let [end, from] = [facts.length, -1]
  let over = !table.raids?.length
  for (let place = facts.length - 1; place >= 0; place--) {
    const fact = facts[place]!
    if (fact.type === 'PhaseBegan') break
    if (fact.type !== 'RaidsAre') continue
    const { raids, what } = bodyOf<RaidsAre>(fact)
    if (!raids.length) {
      if (end < facts.length) break
      end = place
      over = true
    }
    if (what === 'A mission flies') {
      from = place
      break
    }
  }
  return from < 0 ? null : { ...told(facts.slice(from, end + 1), over), from: facts[from]!.seq, over }
}

/** What is known of each raid: the last that was told, with all who took off. */
function told(facts: readonly Told[], over: boolean): Pick<Mission, 'raids'> {
  const first = new Map<number, Told0>()
  const last = new Map<number, Told0>()
  const missed = new Set<number>()
  /** The losses of a stage are told before the raids as they are after it. */
  let step: StageName | '' = ''
  /** The raid whose combat was told last: over its target the losses that follow fell. */
  let over0: SideId | '' = ''
  const losses: (Loss & { raid: SideId | ''; stage: StageName })[] = []
  const rolls: (Throw & { stage: StageName })[] = []
  const hit = new Map<string, number>()
  const caps = new Map<SideId, Record<string, number>>()
  const reached = new Set<StageName>(['find'])
  for (const fact of facts) {
    switch (fact.type) {
      case 'RaidsAre': {
        const { raids } = bodyOf<RaidsAre>(fact)
        for (const raid of raids) {
          if (!first.has(raid.side)) first.set(raid.side, raid)
          last.set(raid.side, raid)
          if (raid.allotted?.length) reached.add('run')
        }
        break
      }
      case 'NotFound':
        missed.add(bodyOf<{ side: number }>(fact).side)
        break
      case 'CapIs': {
        const { side, steps } = bodyOf<CapIs>(fact)
        caps.set(SIDES[side]!, steps)
        over0 = other(SIDES[side]!)
        step = 'air'
        reached.add('air')
        break
      }
      case 'Rolled': {
        const one = thrown(fact)
        const stage = stageOf(one.purpose)
        if (!stage) break
        step = stage
        over0 = raidOf(one)
        reached.add(stage)
        rolls.push({ ...one, stage })
        break
      }
      case 'AirStepsLost': {
        const { unit, side, steps, how } = bodyOf<AirStepsLost>(fact)
        const stage: StageName = how === 'in air combat' ? 'air' : how === 'to flak' ? 'flak' : step || 'run'
        // What is lost at the end is lost by whoever is hit then: with a ship, on the ground, without a deck.
        losses.push({ unit, steps, how, raid: stage === 'run' ? other(SIDES[side]!) : over0, stage })
        break
      }
      case 'ShipHit': {
        const { ship, hits: now } = bodyOf<ShipHit>(fact)
        hit.set(ship, (hit.get(ship) ?? 0) + now)
        break
      }
      default:
    }
  }
  const order: StageName[] = ['find', 'air', 'flak', 'run']
  const asks = !over && [...last.values()].some((raid) => atShips(raid.kind) && raid.found && !raid.allotted?.length)
  const at = over
    ? order.length
    : Math.max(...order.map((name, place) => (reached.has(name) ? place : 0)), asks && reached.has('flak') ? 3 : 0)
  const made = [...last].map(([number, raid]): Raid => {
    const side = SIDES[number]!
    const foe = other(side)
    const begun = first.get(number)!
    const flights = (role: 'strike' | 'escort'): Flight[] =>
      Object.entries(begun[role] ?? {}).map(([unit, steps]) => ({ unit, steps, left: raid[role]?.[unit] ?? 0 }))
    const air = caps.get(foe) ?? {}
    const gone = (unit: string): number =>
      losses.filter((one) => one.unit === unit && one.raid === side && one.stage === 'air').reduce((sum, one) => sum + one.steps, 0)
    const stage = (name: StageName): Stage => ({
      name,
      done: order.indexOf(name) < at,
      now: order.indexOf(name) === at,
      rolls: rolls.filter((one) => one.stage === name && raidOf(one) === side),
      losses: losses.filter((one) => one.stage === name && one.raid === side),
    })
    const ships = [...new Set((raid.allotted ?? []).map(({ ship }) => ship))]
    const attacks = rolls.filter((one) => one.purpose === 'air attack' && one.side === side)
    return {
      side,
      kind: raid.kind,
      target: raid.target,
      origin: raid.origin ?? '',
      answer: raid.answer ?? false,
      strike: flights('strike'),
      escort: flights('escort'),
      cap: Object.entries(air).map(([unit, steps]) => ({ unit, steps, left: Math.max(0, steps - gone(unit)) })),
      stages: order.map(stage),
      targets: ships.map((ship) => ({
        ship,
        steps: (raid.allotted ?? []).filter((one) => one.ship === ship).map(({ unit, steps }) => ({ unit, steps })),
        roll: attacks.find(({ subject }) => subject === ship) ?? null,
        hits: hit.get(ship) ?? 0,
      })),
      found: raid.found ?? false,
      missed: missed.has(number),
    }
  })
  return { raids: made.sort((one, two) => Number(one.answer) - Number(two.answer)) }
}

/** The ships that a raid may attack, as far as they are in sight. */
export function aims(table: Table, { target }: Pick<Raid, 'target'>): string[] {
  return Object.keys(table.ships).filter((id) => table.ships[id]!.tf === target || table.ships[id]!.port === target)
}
