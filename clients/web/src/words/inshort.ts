/** Several choices in one short sentence: those that go the same way together, the words that they share said once. */

import type { Choice } from '../titles/title'

/** So many of one kind are named, and so many kinds. */
const NAMED = 3

/** What a label says at its end of strength, cost or loss is left out where there are several. */
const WORTH = /(, | loses 1 of )\d+ SP$/

/** What follows a name begins with one of these; other words that several labels end with belong to the names, as in "second
 * division". */
const AFTER_NAMES = new Set(['SP', 'aboard', 'along', 'ashore', 'at', 'for', 'from', 'home', 'in', 'into', 'on', 'to', 'up', 'with'])

export function inShort(choices: readonly Choice[]): string {
  const [first, ...others] = choices
  if (!first || !others.length) return first?.label ?? ''
  const kinds = new Map<string, string[]>()
  for (const { decision, path, label } of choices) {
    const kind = [decision.type, ...path.slice(1)].join(' ')
    kinds.set(kind, [...(kinds.get(kind) ?? []), label.replace(WORTH, '')])
  }
  const all = [...kinds.values()]
  const more = all.slice(NAMED).flat().length
  return all.slice(0, NAMED).map(together).join(' · ') + (more ? ` and ${more} more` : '')
}

/** "Launch A to attack" and "Launch B to attack" as "Launch A and B to attack". */
function together(labels: readonly string[]): string {
  const [first, ...others] = [...new Set(labels)].map((label) => label.split(' '))
  if (!others.length) return labels.length > 1 ? `${labels[0]} ×${labels.length}` : labels[0]!
  const all = [first!, ...others]
  const shortest = Math.min(...all.map(({ length }) => length))
  const alike = (most: number, at: (words: readonly string[], place: number) => string | undefined): number => {
    let count = 0
    while (count < most && all.every((words) => at(words, count) === at(first!, count))) count++
    return count
  }
  const before = alike(shortest - 1, (words, place) => words[place])
  const last = alike(shortest - 1 - before, (words, place) => words.at(-1 - place))
  const goesOn = first!.findIndex((word, place) => place >= first!.length - last && AFTER_NAMES.has(word))
  const after = goesOn < 0 ? 0 : first!.length - goesOn
  const names = all.map((words) => {
    const times = labels.filter((label) => label === words.join(' ')).length
    return words.slice(before, words.length - after).join(' ') + (times > 1 ? ` ×${times}` : '')
  })
  const shown = names.length > NAMED ? [...names.slice(0, NAMED - 1), `${names.length - NAMED + 1} more`] : names
  const list = `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
  return [...first!.slice(0, before), list, ...first!.slice(first!.length - after)].join(' ')
}
