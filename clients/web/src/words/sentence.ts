/** Sentences of facts: plain English with ids in square brackets, cut into words and ids. */

import { the, withArticle } from './article'

export interface Piece {
  text: string
  /** The id to light up on the board, if it is one. */
  id: string
  /** The word of the glossary that it is, if it is one. */
  term: string
}

export interface Known {
  names: Record<string, string>
  sides: readonly string[]
  /** Name of each seat. */
  seats: readonly string[]
}

const MARK = /\[([^\]\s]+)\]/g

/** The ids a sentence names. */
export function idsIn(words: string): string[] {
  return [...words.matchAll(MARK)].map((found) => found[1]!)
}

/** `cut` finds the words of the glossary in what stands between the ids. */
export function pieces(words: string, known: Known, cut = (text: string) => [{ text, term: '' }]): Piece[] {
  const parts: Piece[] = []
  const between = (from: number, to: number): void => {
    if (to > from) parts.push(...cut(words.slice(from, to)).map((one) => ({ ...one, id: '' })))
  }
  let from = 0
  for (const found of words.matchAll(MARK)) {
    between(from, found.index)
    parts.push({ text: seated(found[1]!, known, found.index === 0) ?? nameOf(found[1]!, known), id: found[1]!, term: '' })
    from = found.index + found[0].length
  }
  between(from, words.length)
  return parts
}

/** A seat that bears the name of its side, with the article of that; undefined for all other ids. */
function seated(id: string, known: Known, first: boolean): string | undefined {
  const name = id.startsWith('seat:') ? nameOf(id, known) : ''
  return known.sides.includes(name) ? (first ? withArticle : the)(name) : undefined
}

export function nameOf(id: string, known: Known): string {
  const [kind, rest] = [id.slice(0, id.indexOf(':')), id.slice(id.indexOf(':') + 1)]
  if (kind === 'seat') return known.seats[Number(rest)] ?? `seat ${rest}`
  if (kind === 'side') return known.sides[Number(rest)] ?? `side ${rest}`
  return known.names[id] ?? id
}

/** The sentence as plain text, for announcements and labels. */
export function plain(words: string, known: Known): string {
  return pieces(words, known)
    .map((piece) => piece.text)
    .join('')
}

const RULE = /\b([MCNPEB]\d+(?:\.\d+)*(?:\.[A-Z])?|\d+\.\d+(?:\.\d+)?)\b/

/** The rule number that a sentence of a roll or an end carries at its end in brackets, if any. */
export function ruleIn(words: string): string {
  const found = /\(([^()]*)\)\s*$/.exec(words)
  return (found && RULE.exec(found[1]!)?.[1]) || ''
}
