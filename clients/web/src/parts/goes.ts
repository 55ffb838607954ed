/** Where a counter may go, or what may be done with it, in a line of its card. */

import type { Choice, Names } from '../titles/title'

const MOST = 6

/** From the choices that begin with it; '' where there are none. */
export function goes(choices: readonly Choice[], id: string, names: Names): string {
  const own = choices.filter(({ path }) => path[0] === id)
  if (!own.length) return ''
  const places = own.map(({ path }) => (path.length === 2 ? (names[path[1]!] ?? '') : ''))
  const said = own.length > 1 && places.every(Boolean) ? places : own.map(({ label }) => label)
  const all = [...new Set(said)]
  const more = all.length > MOST ? ` and ${all.length - MOST + 1} more` : ''
  return (more ? all.slice(0, MOST - 1) : all).join(', ') + more
}
