/** Nimitz as it is shown and heard happening. */

import { bodyOf } from '../../protocol/body'
import type { TableView, Told } from '../../protocol/wire'
import type { Sound, Staging } from '../title'
import type { Fact, OrderDone } from './facts'
import { beatsOf } from './fray'
import { tableOf } from './reading'

const SOUNDS: Partial<Record<Fact['type'], Sound>> = {
  BattleBegan: 'engines',
  PlanUsed: 'card',
  Damaged: 'hit',
  Destroyed: 'hit',
  AirfieldsAre: 'hit',
}

/** The map with what the orders told so far have moved. */
function ordered(before: TableView, told: readonly Told[]): TableView {
  const forces = { ...tableOf(before).forces }
  const put = (ids: readonly string[], place: string, aboard: readonly string[]): void => {
    for (const id of ids) if (forces[id]) forces[id] = { ...forces[id], place, aboard: aboard.includes(id) }
  }
  for (const fact of told) {
    if (fact.type !== 'OrderDone') continue
    const { went = [], to = '', to_japan: home = [], aboard = [] } = bodyOf<OrderDone>(fact)
    put(went, to, aboard)
    put(home, 'JA', [])
  }
  return { ...before, table: { ...tableOf(before), forces } }
}

export const scene: Staging = {
  opens: new Set<Fact['type']>(['AutoHeld', 'BattleEnded', 'Landed', 'IslandOccupied']),
  passed: new Set<Fact['type']>(['Chose', 'CounterIs', 'CupFilled', 'PointsAre', 'Ordered', 'HeldBack', 'ScoutSpent']),
  near: (id, view) => {
    const { battle, forces } = tableOf(view)
    const fights = battle && (battle.ships[id] ?? battle.planes[id]?.at)
    return [...(fights ? [fights] : []), ...(forces[id] ? [forces[id].place] : [])]
  },
  bouts: (facts, since) => beatsOf(facts, since).map(({ from, seq }) => ({ from, seq })),
  ground: (before, after, told, drawn) => (tableOf(before).battle ? before : drawn ? after : ordered(before, told)),
  sound: (fact) => {
    if (fact.type === 'Rolled' && fact.body.includes('"purpose":"AAA"')) return 'flak'
    return SOUNDS[fact.type as Fact['type']] ?? ''
  },
}
