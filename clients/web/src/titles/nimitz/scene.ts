/** Nimitz as it is shown and heard happening. */

import type { Sound, Staging } from '../title'
import type { Fact } from './facts'
import { beatsOf } from './fray'
import { tableOf } from './reading'

const SOUNDS: Partial<Record<Fact['type'], Sound>> = {
  BattleBegan: 'engines',
  PlanUsed: 'card',
  Damaged: 'hit',
  Destroyed: 'hit',
  AirfieldsAre: 'hit',
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
  ground: (before, after, _, drawn) => (drawn && !tableOf(before).battle ? after : before),
  sound: (fact) => {
    if (fact.type === 'Rolled' && fact.body.includes('"purpose":"AAA"')) return 'flak'
    return SOUNDS[fact.type as Fact['type']] ?? ''
  },
}
