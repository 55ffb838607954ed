/** A naval battle as the page draws it (P29): the lines of both sides, who takes part in the phase, the orders and what came
 * of them. It is read from the table and from the facts since the battle began. */

import { bodyOf } from '../../../protocol/body'
import type { TableView, Told } from '../../../protocol/wire'
import { rollOf } from '../../../words/log'
import type { NavalBattleIs, OrdersGiven, ShipHit, NavalBattle as Told0, UnitLost } from '../facts'
import { type SideId, SIDES, tableOf } from '../reading'
import type { NavalBattle, Table } from '../shown'
import { columnOf, faceOf, hits } from './table'
import { halved, inside, isLight, shipOf } from './units'

const FORT = 'fort:'
export const PHASES = 3
/** P29.1.3 */
const FORT_GUNS = 3
const FORT_HITS = 2

export interface Vessel {
  id: string
  name: string
  cls: string
  side: SideId
  /** The task force, or the port, that it is of. */
  of: string
  screen: boolean
  damage: number
  hits: number
  crippled: boolean
  sunk: boolean
  guns: number
  torpedoes: number
  /** Torpedo salvos that are left. */
  salvos: number
  inPort: boolean
  /** It fires and may be fired at in this phase. */
  takesPart: boolean
}

export interface Shot {
  from: string
  to: string
  side: SideId
  how: 'guns' | 'torpedoes'
  /** Null for an order that is not carried out yet. */
  roll: { face: number; column: number; hits: number; shifts: { reason: string; amount: number }[] } | null
  seq: number
}

/** What a side does in a window in which both choose at once. */
export type Sealed = 'choosing' | 'sealed' | 'open' | 'none'

export interface Battle {
  battle: NavalBattle
  /** The facts since it began. */
  facts: readonly Told[]
  /** It is over: what it came to is shown until the next phase of the cycle. */
  over: boolean
  /** The range is picked, orders are given, or what was fired is seen. */
  window: 'range' | 'fire' | ''
  /** The range picks of this phase, once both are told. */
  picks: string
}

function battleOf(told: Told0): NavalBattle {
  const surprise = SIDES[told.surprise ?? -1]
  const [JP, AL] = told.forces
  const [port, harbour] = told.ports ?? ['', '']
  return {
    node: told.node,
    forces: { JP, AL },
    ports: { JP: port, AL: harbour },
    phase: told.phase ?? 0,
    range: told.range ?? 0,
    ...(surprise ? { surprise } : {}),
  }
}

/** What a fact of a naval battle says. */
const saidIn = (fact: Told): string => (fact.type === 'NavalBattleIs' ? bodyOf<NavalBattleIs>(fact).what : '')

const PICKS = 'Range: '

/** The battle that is fought, or the last one, until the cycle goes on; null if there is none. */
export function battleIn(view: TableView, facts: readonly Told[]): Battle | null {
  const { naval } = tableOf(view)
  const phase = facts.slice(facts.findLastIndex(({ type }) => type === 'PhaseBegan') + 1)
  const begun = phase.findLastIndex((fact) => saidIn(fact).startsWith('The combat begins'))
  if (begun < 0) return null
  const since = phase.slice(begun)
  const told = since.flatMap((fact) => (fact.type === 'NavalBattleIs' ? (bodyOf<NavalBattleIs>(fact).battle ?? []) : [])).at(-1)
  const last = naval ?? (told && battleOf(told))
  if (!last) return null
  const said = since.map(saidIn).filter(Boolean)
  const round = said.slice(
    Math.max(
      0,
      said.findLastIndex((one) => one.startsWith('Combat phase')),
    ),
  )
  const picks = round.find((one) => one.startsWith(PICKS))?.slice(PICKS.length) ?? ''
  const now = said.at(-1)!
  const ordered = since.findLastIndex(({ type }) => type === 'OrdersGiven') > since.findLastIndex((fact) => saidIn(fact) === now)
  const window = !naval || ordered ? '' : now.startsWith('Combat phase') ? 'range' : now.startsWith('The range is') ? 'fire' : ''
  return { battle: last, facts: since, over: !naval, window, picks }
}

/** Salvos that ships have fired, as the last fact tells. */
function salvosIn(facts: readonly Told[]): Readonly<Record<string, number>> {
  for (const fact of facts.toReversed()) {
    const told = fact.type === 'NavalBattleIs' ? bodyOf<NavalBattleIs>(fact).battle : null
    if (told) return told.salvos ?? {}
  }
  return {}
}

function vessel(table: Table, id: string, { side, of, screen, fired }: Pick<Vessel, 'side' | 'of' | 'screen'> & { fired: number }): Vessel {
  const printed = table.roster.ships[id]!
  const { damage = 0, crippled = false, tf = '' } = shipOf(table, id) ?? {}
  const inPort = !tf
  const guns = halved(printed.gun, crippled)
  const torpedoes = inPort ? 0 : halved(printed.torp, crippled)
  return {
    id,
    name: printed.name,
    cls: printed.cls,
    side,
    of,
    screen,
    damage,
    hits: printed.hits,
    crippled,
    sunk: false,
    guns: inPort ? Math.floor(guns / 2) : guns,
    torpedoes,
    salvos: torpedoes ? Math.max(0, (printed.reload ? 2 : 1) - fired) : 0,
    inPort,
    takesPart: false,
  }
}

function fort(table: Table, place: string, side: SideId): Vessel[] {
  const here = table.locations[place]
  if (!here?.fort) return []
  const one: Vessel = {
    id: FORT + place,
    name: `Fort of ${here.name}`,
    cls: 'fort',
    side,
    of: place,
    screen: true,
    damage: here.fort_hit ? 1 : 0,
    hits: here.fort * FORT_HITS,
    crippled: false,
    sunk: false,
    guns: here.fort * FORT_GUNS,
    torpedoes: 0,
    salvos: 0,
    inPort: true,
    takesPart: false,
  }
  return [one]
}

/** The ships of a side that were sunk in this battle. */
function sunk(table: Table, side: SideId, facts: readonly Told[]): Vessel[] {
  return facts.flatMap((fact) => {
    if (fact.type !== 'UnitLost') return []
    const { unit, how } = bodyOf<UnitLost>(fact)
    const printed = table.roster.ships[unit]
    if (printed?.side !== side || how !== 'sunk') return []
    const screen = isLight(printed.cls)
    return [
      {
        ...vessel(table, unit, { side, of: '', screen, fired: 0 }),
        damage: printed.hits,
        crippled: true,
        sunk: true,
        salvos: 0,
        inPort: false,
      },
    ]
  })
}

/** Who is in the battle for a side, those of the core first, each by what it weighs. */
export function line(table: Table, { battle, facts }: Pick<Battle, 'battle' | 'facts'>, side: SideId): Vessel[] {
  const fired = salvosIn(facts)
  const make = (id: string, of: string, screen: boolean): Vessel => vessel(table, id, { side, of, screen, fired: fired[id] ?? 0 })
  const port = battle.ports[side]
  const found = [
    ...battle.forces[side].flatMap((tf) => {
      const { core, screen } = inside(table, tf)
      return [...core.map((id) => make(id, tf, false)), ...screen.map((id) => make(id, tf, true))]
    }),
    ...(port ? Object.keys(table.ships).filter((id) => table.ships[id]!.port === port) : []).map((id) =>
      make(id, port, isLight(table.roster.ships[id]?.cls ?? '')),
    ),
    ...(port ? fort(table, port, side) : []),
  ].filter(({ id }) => table.roster.ships[id]?.side === side || id.startsWith(FORT))
  const taking = takingPart(found, battle.phase ?? 0)
  return [...found.map((one) => ({ ...one, takesPart: taking.has(one.id) })), ...sunk(table, side, facts)]
}

/** Which ships take part in a combat phase (P29.2). */
function takingPart(units: readonly Vessel[], phase: number): ReadonlySet<string> {
  const screen = units.filter((one) => one.screen)
  const heavy = units.filter(({ cls }) => cls === 'BB' || cls === 'BC')
  const first = (...some: Vessel[][]): ReadonlySet<string> => new Set((some.find((one) => one.length) ?? units).map(({ id }) => id))
  if (phase >= PHASES) return new Set(units.map(({ id }) => id))
  return phase <= 1 ? first(screen, heavy) : first([...new Set([...screen, ...heavy])])
}

/** The shots of the last volley of each side, in the order in which they were fired. */
export function shots(table: Table, facts: readonly Told[]): Shot[] {
  const found: Shot[] = []
  // The orders of both sides stand before the first die of a phase.
  const last = facts.findLastIndex((fact) => fact.type === 'OrdersGiven')
  if (last < 0) return found
  const first = facts[last - 1]?.type === 'OrdersGiven' ? last - 1 : last
  for (const fact of facts.slice(first, last + 1)) {
    const { side, orders, torpedoes } = bodyOf<OrdersGiven>(fact)
    for (const from of Object.keys(orders).toSorted()) {
      const to = orders[from]!
      const one = { from, to, side: SIDES[side]!, roll: null, seq: fact.seq }
      const guns = from.startsWith(FORT) || (table.roster.ships[from]?.gun ?? 0) > 0
      if (guns) found.push({ ...one, how: 'guns' })
      if (torpedoes.includes(from)) found.push({ ...one, how: 'torpedoes' })
    }
  }
  return resolved(found, facts.slice(last + 1))
}

/** Shots with their rolls, which name who fires: a ship, or the location of a fort. */
function resolved(orders: readonly Shot[], facts: readonly Told[]): Shot[] {
  const rolls = facts.flatMap((fact) => (fact.type === 'Rolled' ? [{ ...rollOf(fact), seq: fact.seq }] : []))
  return orders.map((shot) => {
    const unit = shot.from.replace(FORT, '')
    const roll = rolls.find(({ purpose, subject, by }) => purpose === shot.how && subject === unit && SIDES[by] === shot.side)
    if (!roll) return shot
    const [column, face] = [columnOf(roll.target) ?? 0, faceOf(roll.dice[0]!, roll.sides)]
    return { ...shot, seq: roll.seq, roll: { face, column, hits: hits(column, face), shifts: [...roll.modifiers] } }
  })
}

/** The hits that ships took since the last orders. */
export function taken(facts: readonly Told[]): ReadonlyMap<string, number> {
  const last = facts.findLastIndex((fact) => fact.type === 'OrdersGiven')
  const found = new Map<string, number>()
  for (const fact of last < 0 ? [] : facts.slice(last)) {
    if (fact.type !== 'ShipHit') continue
    const { ship, hits: now } = bodyOf<ShipHit>(fact)
    found.set(ship, (found.get(ship) ?? 0) + now)
  }
  return found
}

/** What a side does in the window that is open. */
export function sealed(view: TableView, { battle, window, over }: Battle, side: SideId): Sealed {
  if (over || !window) return 'open'
  const asked = view.asked.some((seat) => SIDES[view.match.seats[seat]?.side ?? -1] === side)
  if (asked) return 'choosing'
  const surprised = battle.surprise && battle.surprise !== side && (battle.phase ?? 0) === 1
  const immobile = !battle.forces[side].length
  return surprised || (window === 'range' && immobile) ? 'none' : 'sealed'
}
