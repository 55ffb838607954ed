/** Coral Sea as it is shown and heard happening. */

import type { Sound, Staging } from '../title'
import type { Fact } from './facts'
import { tableOf } from './reading'

const SOUNDS: Partial<Record<Fact['type'], Sound>> = {
  CardPlayed: 'card',
  ChitRevealed: 'card',
  UnitDepleted: 'hit',
  UnitDestroyed: 'hit',
  AirfieldDamaged: 'hit',
  FortressFell: 'hit',
  BattleBegan: 'engines',
}

export const scene: Staging = {
  opens: new Set<Fact['type']>(['ChitRevealed', 'ChitInVain', 'ChitCancelled', 'SiegeLaid']),
  passed: new Set<Fact['type']>(['SupplyLeft', 'HandHas', 'ChitsHeld', 'UnitsShown', 'RpHas', 'ChecksModified', 'OperationEnded']),
  near: (id, view) => {
    const area = tableOf(view).units[id]?.area
    return area ? [area] : []
  },
  sound: (fact) => SOUNDS[fact.type as Fact['type']] ?? '',
}
