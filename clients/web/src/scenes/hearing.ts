/** Which sounds facts make. The sounds themselves are loaded when somebody wants to hear them. */

import type { Told } from '../protocol/wire'
import { taste } from '../state/tastes.svelte'
import type { Sound, Title } from '../titles/title'

/** More at once are noise. */
const MOST = 3

/** The sounds of some facts, each once, in their order. */
export function heardIn(facts: readonly Told[], title: Title): Sound[] {
  if (!taste.sound) return []
  const all = facts.flatMap((fact) => {
    const own = title.scene?.sound?.(fact)
    return own ? [own] : fact.type === 'Rolled' ? ['dice' as const] : []
  })
  return [...new Set(all)].slice(0, MOST)
}

/** Plays sounds, one shortly after the other, if sound is on. */
export function hear(sounds: readonly Sound[]): void {
  if (!taste.sound || !sounds.length) return
  const { volume } = taste
  void import('./sounds').then(({ play }) => play(sounds, volume))
}
