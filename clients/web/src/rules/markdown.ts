/** As much Markdown as the rulebooks use, read into blocks: headings, paragraphs, lists, tables, code, rules, figures.
 * Nothing is ever turned into HTML text, so nothing in a rulebook can become markup. */

import { cellsForPlayers } from './player'

export type Span =
  | { kind: 'text' | 'bold' | 'italic' | 'code'; text: string }
  | { kind: 'rule'; text: string }
  /** A word of the glossary. */
  | { kind: 'term'; text: string; term: string }
  | { kind: 'link'; text: string; href: string }

export type Block =
  | { kind: 'heading'; level: number; spans: Span[]; anchor: string }
  | { kind: 'paragraph'; spans: Span[]; anchor: string }
  | { kind: 'list'; ordered: boolean; items: Span[][] }
  | { kind: 'table'; head: Span[][]; rows: { cells: Span[][]; anchor: string }[] }
  | { kind: 'code'; text: string }
  | { kind: 'line' }
  /** A picture of a part of the board, which stands beside its paragraph; a picture that is too wide for that; or an
   * example to step through: by its name among the title's figures. */
  | { kind: 'picture' | 'board' | 'example'; name: string }

const INLINE =
  /\*\*(.+?)\*\*|`([^`]+)`|\*([^*\s][^*]*?)\*|\[([^\]]+)\]\((https?:[^)]+|#[^)]+|\/[^)]+)\)|\b([A-Z]\d+(?:\.\d+)*(?:\.[A-Z])?|R-\d+)\b/g
/** A rule that begins with its number. */
const NUMBERED = /^\*\*[A-Z]\d+\.\d+/
const FIGURE = /^<!-- (picture|board|example): (\S+) -->\s*$/

export function spans(text: string): Span[] {
  const found: Span[] = []
  let from = 0
  for (const match of text.matchAll(INLINE)) {
    if (match.index > from) found.push({ kind: 'text', text: text.slice(from, match.index) })
    const [all, bold, code, italic, link, href, rule] = match
    if (bold !== undefined) found.push({ kind: 'bold', text: bold.replaceAll('`', '') })
    else if (code !== undefined) found.push({ kind: 'code', text: code })
    else if (italic !== undefined) found.push({ kind: 'italic', text: italic })
    else if (link !== undefined) found.push({ kind: 'link', text: link, href: href! })
    else if (rule !== undefined) found.push({ kind: 'rule', text: rule })
    from = match.index + all.length
  }
  if (from < text.length) found.push({ kind: 'text', text: text.slice(from) })
  return found
}

/** The rule number at the beginning of a heading, a paragraph or a row: "M7.3 Decision …". */
export function anchorOf(text: string): string {
  return /^(?:#+\s*)?(?:\*\*)?([A-Z]\d+(?:\.\d+)*(?:\.[A-Z])?|R-\d+)\b/.exec(text.trim())?.[1] ?? ''
}

function cells(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())
}

export function parse(text: string): Block[] {
  const lines = text.split(/\r?\n/)
  const blocks: Block[] = []
  let at = 0
  const line = (): string => lines[at] ?? ''
  while (at < lines.length) {
    if (!line().trim()) at++
    else if (line().startsWith('```')) {
      const from = ++at
      while (at < lines.length && !line().startsWith('```')) at++
      blocks.push({ kind: 'code', text: lines.slice(from, at++).join('\n') })
    } else if (/^#{1,6} /.test(line())) {
      const [, marks, words] = /^(#+) (.*)$/.exec(line())!
      blocks.push({ kind: 'heading', level: marks!.length, spans: heading(words!), anchor: anchorOf(words!) })
      at++
    } else if (/^(-{3,}|\*{3,})\s*$/.test(line())) {
      blocks.push({ kind: 'line' })
      at++
    } else if (FIGURE.test(line())) {
      const [, kind, name] = FIGURE.exec(line())!
      blocks.push({ kind: kind as 'picture' | 'board' | 'example', name: name! })
      at++
    } else if (line().startsWith('|')) {
      const from = at
      while (line().startsWith('|')) at++
      blocks.push(table(lines.slice(from, at)))
    } else if (/^\s*([-*]|\d+\.) /.test(line())) {
      const from = at
      while (line().trim() && !/^#|^\|/.test(line()) && !FIGURE.test(line())) at++
      blocks.push(...listed(lines.slice(from, at)))
    } else {
      const from = at++
      while (line().trim() && !/^(#{1,6} |\||```|\s*([-*]|\d+\.) )/.test(line()) && !NUMBERED.test(line()) && !FIGURE.test(line())) at++
      const words = lines.slice(from, at).join(' ')
      blocks.push({ kind: 'paragraph', spans: spans(words), anchor: anchorOf(words) })
    }
  }
  return blocks
}

/** A heading's own number is not a link to itself. */
function heading(words: string): Span[] {
  return spans(words).map((span) => (span.kind === 'rule' ? { kind: 'text', text: span.text } : span))
}

function table(lines: string[]): Block {
  const [head = [], ...rows] = cellsForPlayers(lines.filter((_, place) => place !== 1).map(cells))
  return {
    kind: 'table',
    head: head.map(spans),
    rows: rows.map((texts) => ({
      cells: texts.map(spans),
      anchor: /^\*\*|^(?:[A-Z]|R-)\d+$/.test(texts[0] ?? '') ? anchorOf(texts[0]!) : '',
    })),
  }
}

/** A list; what begins with a rule's number stands for itself, so that it is found like any other rule. */
function listed(lines: string[]): Block[] {
  const items: string[] = []
  for (const line of lines) {
    const item = /^\s*(?:[-*]|\d+\.) (.*)$/.exec(line)
    if (item) items.push(item[1]!)
    else items[items.length - 1] += ` ${line.trim()}`
  }
  const ordered = /^\s*\d/.test(lines[0] ?? '')
  const blocks: Block[] = []
  for (const item of items) {
    const last = blocks.at(-1)
    if (NUMBERED.test(item)) blocks.push({ kind: 'paragraph', spans: spans(item), anchor: anchorOf(item) })
    else if (last?.kind === 'list') last.items.push(spans(item))
    else blocks.push({ kind: 'list', ordered, items: [spans(item)] })
  }
  return blocks
}

/** The lines of text in a block. */
export function spansOf(block: Block): Span[][] {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return [block.spans]
    case 'list':
      return block.items
    case 'table':
      return [...block.head, ...block.rows.flatMap((row) => row.cells)]
    default:
      return []
  }
}

export function plainText(block: Block): string {
  if (block.kind === 'code') return block.text
  return spansOf(block)
    .map((line) => line.map((span) => span.text).join(''))
    .join(' ')
}
