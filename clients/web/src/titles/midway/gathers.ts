/** What several facts of a kind in a row come to, for one line of the log. */

import { bodyOf } from '../../protocol/body'
import type { Told } from '../../protocol/wire'
import type { Gathered } from '../title'
import type { GroupMoved, HitsDesignated, LossProposed, StrengthLost, Targeted } from './facts'
import { type PlaneType, TYPE_NAMES } from './reading'

const CAUSES: Record<string, string> = {
  CAP_DOGFIGHT: 'to the CAP',
  ESCORT_DOGFIGHT: 'to the escorts',
  CAP_VS_BOMBERS: 'to the CAP',
  AA: 'to anti-aircraft fire',
  DITCHING: 'to ditching',
}

/** Where both sides decide at once, the boxes of a sentence say whose groups they are. */
function whose(fact: Told): string {
  const side = /\[(JP|US):/.exec(fact.words)?.[1]
  return side ? `${side === 'JP' ? 'Japanese' : 'American'} groups` : 'groups'
}

function moved(fact: Told): string {
  const { from, to } = bodyOf<GroupMoved>(fact)
  if (from === 'WAITING') return 'groups landed'
  if (from.startsWith('HANGAR:')) return 'groups brought up on deck'
  if (to.startsWith('HANGAR:')) return 'groups struck below'
  if (from.startsWith('DECK:')) return to.startsWith('CAP') ? 'groups launched on combat air patrol' : 'groups launched'
  if (from === 'ATTACKING') return 'groups left the attack'
  if (to === 'HOME') return 'groups turned back'
  return `${whose(fact)} moved on`
}

export function gathers(fact: Told): Gathered | null {
  switch (fact.type) {
    case 'GroupMoved':
      return { what: moved(fact) }
    case 'StrengthLost': {
      const { group, points, cause } = bodyOf<StrengthLost>(fact)
      return { what: `losses ${CAUSES[cause] ?? ''}`.trim(), item: `[${group}] ${points} SP` }
    }
    case 'HitsDesignated':
      return { what: 'hits on the bombers', item: TYPE_NAMES[bodyOf<HitsDesignated>(fact).plane_type as PlaneType] }
    case 'LossProposed':
      return { what: 'losses proposed by the admiral', item: `[${bodyOf<LossProposed>(fact).group}]` }
    case 'Targeted': {
      const { group, ship } = bodyOf<Targeted>(fact)
      return { what: 'groups have their targets', item: `[${group}] on [${ship}]` }
    }
    case 'SearchAssigned':
      return { what: 'groups share out the search' }
    default:
      return null
  }
}
