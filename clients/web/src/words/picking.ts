/** From clicks to a decision: a choice has a path of ids on the board; each click narrows the list. Whenever
 * one choice alone is left, it is the decision. Knows ids only, no title. */

import type { Bundle, Choice } from '../titles/title'

export function open(choices: readonly Choice[], picked: readonly string[]): Choice[] {
  return choices.filter((one) => one.path.length > 0 && picked.every((id, place) => one.path[place] === id))
}

/** The choices that are left on a way, those that begin alike once: what can be picked next. */
export function left(choices: readonly Choice[], picked: readonly string[]): Choice[] {
  const found = open(choices, picked)
  return found.filter((one, place) => found.findIndex((other) => other.path[picked.length] === one.path[picked.length]) === place)
}

/** The ids that can be clicked next. */
export function targets(choices: readonly Choice[], picked: readonly string[]): Set<string> {
  const next = open(choices, picked).map((one) => one.path[picked.length])
  return new Set(next.filter((id): id is string => id !== undefined && id !== ''))
}

/** How far the way is the same for all of several choices: there is nothing to pick on it. */
export function lead(choices: readonly Choice[]): string[] {
  const [first, ...rest] = choices.filter((one) => one.path.length > 0)
  if (!first || !rest.length) return []
  const end = first.path.findIndex((id, place) => rest.some((one) => one.path[place] !== id))
  return first.path.slice(0, end < 0 ? first.path.length : end)
}

/** The button that most would press, to be told from the others; undefined where that is a matter of judgement. */
export function mainOf(buttons: readonly Choice[], choices: readonly Choice[]): Choice | undefined {
  const said = buttons.find((one) => one.main)
  if (said) return said
  const acts = buttons.filter((one) => !one.leaves)
  if (acts.length) {
    return acts.length === 1 && acts[0]!.main !== false && choices.every((one) => one === acts[0] || one.leaves) ? acts[0] : undefined
  }
  // Nothing is left but to be done.
  return choices.every((one) => one.leaves) ? buttons[0] : undefined
}

/** What comes of taking a suggestion that is more than quiet picks. Where those are held back, it may be one of many decisions of
 * a step, as each task force of a day is: it goes out, and that is all that can be said. */
export function taking(keeps: boolean): string {
  return keeps ? 'Taking it sends it; you may be asked again.' : 'Taking it ends this step.'
}

export type Picked = { picked: string[] } | { choice: Choice }

/** What a click on `id` leads to: a decision, or a longer or a new way to one. */
export function pick(choices: readonly Choice[], picked: readonly string[], id: string): Picked {
  if (picked.at(-1) === id) return { picked: picked.slice(0, -1) }
  const from = targets(choices, picked).has(id) ? picked : []
  if (!targets(choices, from).has(id)) return { picked: [...picked] }
  const way = [...from, id]
  const still = open(choices, way)
  const [only] = still
  const done = still.length === 1 && only && (!only.whole || only.path.length === way.length)
  return done ? { choice: only } : { picked: way }
}

/** What a bundle would take of a list, as far as the list tells: each thing goes one way. */
export function taken(bundle: Bundle, choices: readonly Choice[]): Choice[] {
  const found: Choice[] = []
  for (let left = [...choices]; found.length < bundle.count;) {
    const next = bundle.next(left)
    if (!next) break
    found.push(next)
    left = left.filter((one) => one !== next && (!next.path.length || one.path[0] !== next.path[0]))
  }
  return found
}

/** The same way for others as well: where the first pick of a choice goes, these go, too, as long as they may. */
export function together(choice: Choice, also: readonly string[]): Bundle {
  const [first = '', ...rest] = choice.path
  const all = new Set([first, ...also])
  const goes = ({ path }: Choice): boolean => all.has(path[0]!) && path.length > 1 && rest.every((id, place) => path[place + 1] === id)
  return { label: `${choice.label}, and ${also.length} more`, count: all.size, next: (choices) => choices.find(goes) }
}
