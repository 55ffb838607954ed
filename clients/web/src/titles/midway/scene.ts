/** Midway as it is shown and heard happening. */

import { bodyOf } from '../../protocol/body'
import type { Told } from '../../protocol/wire'
import type { Sound, Staging } from '../title'
import type { Fact, GroupMoved } from './facts'
import { boxId, tableOf } from './reading'

const SOUNDS: Partial<Record<Fact['type'], Sound>> = {
  StrengthLost: 'hit',
  GroupLost: 'hit',
  CarrierDamaged: 'hit',
  CarrierCrippled: 'hit',
  CarrierSunk: 'sinking',
}

export const scene: Staging = {
  opens: new Set<Fact['type']>(['FleetFound', 'CarrierDamaged', 'CarrierSunk']),
  passed: new Set<Fact['type']>(['GroupMoved', 'HitsDesignated', 'Targeted', 'Committed', 'SearchAssigned']),
  near: (id, view) => {
    const group = tableOf(view).groups[id]
    return group ? [boxId(group.side, group.place), group.place.replace(/^(DECK|HANGAR):/, '')] : [id.replace(/^(DECK|HANGAR):/, '')]
  },
  sound: (fact: Told) => {
    if (fact.type === 'GroupMoved') {
      const { from, to } = bodyOf<GroupMoved>(fact)
      return from.startsWith('DECK:') && !to.includes(':') ? 'engines' : ''
    }
    if (fact.type === 'Rolled') return fact.body.includes('"purpose":"AA"') ? 'flak' : 'dice'
    return SOUNDS[fact.type as Fact['type']] ?? ''
  },
}
