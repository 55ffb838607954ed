/** The order of battle of a side: ships by class and units by kind, each as this reader sees it. */

import { CLASSES, shipOf } from '../battle/units'
import type { SideId } from '../reading'
import type { Air, Table } from '../shown'

export interface Row {
  id: string
  name: string
  /** The task force or the port where it is, as far as that is known. */
  at: string
  damage: number
  hits: number
  state: '' | 'crippled' | 'sunk' | 'out'
  /** How it stands is not known to this reader. */
  unknown: boolean
}

export interface Steps {
  id: string
  name: string
  at: string
  left: number
  most: number
  note: string
  lost: boolean
  unknown: boolean
}

export function shipsBy(table: Table, side: SideId): { cls: string; ships: Row[]; left: number }[] {
  return CLASSES.flatMap((cls) => {
    const ships = Object.entries(table.roster.ships)
      .filter(([, one]) => one.side === side && one.cls === cls)
      .map(([id, one]): Row => {
        const now = shipOf(table, id)
        const how = table.lost[id]
        return {
          id,
          name: one.name,
          at: now?.tf ?? now?.port ?? seenIn(table, id),
          damage: how === 'sunk' ? one.hits : (now?.damage ?? 0),
          hits: one.hits,
          state: how ? (how === 'sunk' ? 'sunk' : 'out') : now?.crippled ? 'crippled' : '',
          unknown: !now && !how,
        }
      })
    return ships.length ? [{ cls, ships, left: ships.filter(({ state }) => state !== 'sunk' && state !== 'out').length }] : []
  })
}

/** Where a ship of the enemy was seen last. */
function seenIn(table: Table, id: string): string {
  return Object.keys(table.tfs).find((tf) => table.tfs[tf]!.seen?.includes(id)) ?? ''
}

/** What an own air unit is doing: how many steps are ready, on CAP and used. */
function busy({ steps, ready = 0, cap = 0 }: Air): string {
  const used = Math.max(0, steps - ready - cap)
  return [`${ready} ready`, cap ? `${cap} CAP` : '', used ? `${used} used` : ''].filter(Boolean).join(', ')
}

export function airBy(table: Table, side: SideId): Steps[] {
  return Object.entries(table.roster.air)
    .filter(([, one]) => one.side === side)
    .map(([id, one]) => {
      const mine = table.own?.air[id]
      const now = mine ?? table.air[id]
      const lost = id in table.lost || now?.steps === 0
      const at = now && (shipOf(table, now.home)?.tf ?? now.home)
      return {
        id,
        name: one.name,
        at: at ?? '',
        left: now?.steps ?? 0,
        most: one.most,
        note: mine && !lost ? busy(mine) : '',
        lost,
        unknown: !now && !lost,
      }
    })
}

export function groundBy(table: Table, side: SideId): Steps[] {
  return Object.entries(table.roster.ground)
    .filter(([, one]) => one.side === side)
    .map(([id, one]) => {
      const now = table.own?.ground[id] ?? table.ground[id]
      const lost = id in table.lost || now?.steps === 0
      const [carrier] = Object.keys(now?.aboard ?? {})
      const at = carrier ? (shipOf(table, carrier)?.tf ?? carrier) : (now?.hex ?? '')
      const note = [now?.broken ? 'Broken' : '', now?.landing ? 'Landing' : '', carrier ? 'aboard' : ''].filter(Boolean).join(', ')
      return { id, name: one.name, at, left: now?.steps ?? 0, most: one.most, note, lost, unknown: !now && !lost }
    })
}
