/** The ways that task forces have gone in the last movement phase, from the facts. */

import { bodyOf } from '../../../protocol/body'
import type { Told } from '../../../protocol/wire'
import type { MarkerPlaced, PhaseBegan, Sailed, SetUp } from '../facts'
import { type SideId, SIDES } from '../reading'
import { anchor } from './hexes'

export interface Trail {
  tf: string
  side: SideId
  d: string
}

const MOVEMENT = new Set(['5.2.C', '5.2.K'])

export function trails(facts: readonly Told[]): Trail[] {
  const at = new Map<string, { node: string; side: number }>()
  let gone = new Map<string, string[]>()
  for (const fact of facts) {
    if (fact.type === 'SetUp') {
      for (const [tf, { node, side }] of Object.entries(bodyOf<SetUp>(fact).tfs)) at.set(tf, { node, side })
    } else if (fact.type === 'MarkerPlaced') {
      const { tf, force } = bodyOf<MarkerPlaced>(fact)
      at.set(tf, force)
    } else if (fact.type === 'PhaseBegan') {
      if (MOVEMENT.has(bodyOf<PhaseBegan>(fact).phase)) gone = new Map()
    } else if (fact.type === 'Sailed') {
      const { tf, path } = bodyOf<Sailed>(fact)
      const before = at.get(tf)
      if (!before || !path.length) continue
      gone.set(tf, [...(gone.get(tf) ?? [before.node]), ...path])
      at.set(tf, { ...before, node: path.at(-1)! })
    }
  }
  return [...gone].map(([tf, nodes]) => ({
    tf,
    side: SIDES[at.get(tf)?.side ?? 0] ?? 'JP',
    d: nodes
      .map(anchor)
      .map(({ x, y }, place) => `${place ? 'L' : 'M'}${x} ${y}`)
      .join(''),
  }))
}
