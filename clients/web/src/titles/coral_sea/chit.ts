/** What has come of the chit that was played last, from the facts of its battle. */

import { bodyOf } from '../../protocol/body'
import type { Modifier, Rolled } from '../../protocol/facts'
import type { Told } from '../../protocol/wire'
import type { CheckRolled } from './facts'

export interface OfChit {
  /** The last check that it has brought, with the modifiers of its die; null before that. */
  check: (CheckRolled & { reasons: readonly Modifier[] }) | null
  /** A card has taken its effect (C21.1). */
  cancelled: boolean
}

export function ofChit(facts: readonly Told[]): OfChit {
  const last = (...types: string[]): number => facts.findLastIndex(({ type }) => types.includes(type))
  const cancelled = facts[last('ChitCancelled', 'ChitRevealed', 'BattleBegan')]?.type === 'ChitCancelled'
  const at = last('CheckRolled', 'ChitRevealed', 'BattleBegan')
  const found = facts[at]
  if (found?.type !== 'CheckRolled') return { check: null, cancelled }
  const roll = facts.slice(Math.max(0, at - 3), at).findLast((fact) => fact.type === 'Rolled')
  return { check: { ...bodyOf<CheckRolled>(found), reasons: roll ? (bodyOf<Rolled>(roll).modifiers ?? []) : [] }, cancelled }
}
