/** A rulebook in memory: its blocks, and any rule by its number. */

import { rulebook } from '../protocol/http'
import { type Block, parse, plainText, type Span } from './markdown'
import { forPlayers } from './player'

export interface RuleText {
  number: string
  chapter: string
  blocks: Block[]
}

export interface Book {
  blocks: Block[]
  chapters: { anchor: string; name: string }[]
  find(number: string): RuleText | null
}

const books = new Map<string, Promise<Book>>()

export function rules(title: string): Promise<Book> {
  let book = books.get(title)
  if (!book) {
    book = rulebook(title).then(read)
    book.catch(() => books.delete(title))
    books.set(title, book)
  }
  return book
}

export function read(text: string): Book {
  const blocks = linked(withoutEmpty(parse(forPlayers(text))))
  const chapters = blocks.flatMap((block) =>
    block.kind === 'heading' && block.level === 2 ? [{ anchor: block.anchor, name: plainText(block) }] : [],
  )
  return { blocks, chapters, find: (number) => find(blocks, number) }
}

/** Without headings that have nothing under them, and lines that part nothing. */
function withoutEmpty(blocks: readonly Block[]): Block[] {
  const kept: Block[] = []
  for (const block of blocks.toReversed()) {
    const [next] = kept
    const nothing = !next || next.kind === 'line'
    if (block.kind === 'line' && nothing) continue
    if (block.kind === 'heading' && (nothing || (next.kind === 'heading' && next.level <= block.level))) continue
    kept.unshift(block)
  }
  return kept
}

/** A number is a link only where the book has the rule. */
function linked(blocks: Block[]): Block[] {
  const known = new Set(
    blocks.flatMap((block) => (block.kind === 'table' ? block.rows.map((row) => row.anchor) : 'anchor' in block ? [block.anchor] : [])),
  )
  const line = (spans: Span[]): Span[] =>
    spans.map((span) => (span.kind === 'rule' && !known.has(span.text) ? { kind: 'text', text: span.text } : span))
  return blocks.map((block) => {
    if (block.kind === 'paragraph') return { ...block, spans: line(block.spans) }
    if (block.kind === 'list') return { ...block, items: block.items.map(line) }
    if (block.kind === 'table') return { ...block, rows: block.rows.map((row) => ({ ...row, cells: row.cells.map(line) })) }
    return block
  })
}

function find(blocks: Block[], number: string): RuleText | null {
  let chapter = ''
  for (const [place, block] of blocks.entries()) {
    if (block.kind === 'heading' && block.level <= 2) chapter = plainText(block)
    if (block.kind === 'table') {
      const row = block.rows.find((one) => one.anchor === number)
      if (row) return { number, chapter, blocks: [{ ...block, rows: [row] }] }
    }
    if (!('anchor' in block) || block.anchor !== number) continue
    return { number, chapter: block.kind === 'heading' ? '' : chapter, blocks: upToNext(blocks, place) }
  }
  return null
}

/** The rule's paragraph with the lists and tables that follow it; a chapter with all its rules. */
function upToNext(blocks: Block[], from: number): Block[] {
  const first = blocks[from]!
  const end = blocks.findIndex((block, place) => {
    if (place <= from) return false
    if (block.kind === 'heading' || block.kind === 'line') {
      return first.kind !== 'heading' || block.kind === 'line' || block.level <= first.level
    }
    return first.kind !== 'heading' && block.kind === 'paragraph' && block.anchor !== ''
  })
  return blocks.slice(from, end < 0 ? undefined : end)
}
