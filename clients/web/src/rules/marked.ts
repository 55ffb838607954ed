/** A rulebook with its words of the game marked: each once in a rule or a section, so that it stays as readable as it was. What
 * is a heading, a lead in bold or a link already stays as it is. */

import type { Cut } from '../glossary/term'
import type { Block, Span } from './markdown'

export function marked(blocks: readonly Block[], cut: (text: string, seen: Set<string>) => Cut[]): Block[] {
  let seen = new Set<string>()
  const line = (spans: readonly Span[]): Span[] =>
    spans.flatMap((span) =>
      span.kind === 'text'
        ? cut(span.text, seen).map(({ text, term }): Span => (term ? { kind: 'term', text, term } : { kind: 'text', text }))
        : [span],
    )
  return blocks.map((block) => {
    if (block.kind === 'heading' || ('anchor' in block && block.anchor)) seen = new Set()
    if (block.kind === 'paragraph') return { ...block, spans: line(block.spans) }
    if (block.kind === 'list') return { ...block, items: block.items.map(line) }
    if (block.kind !== 'table') return block
    const rows = block.rows.map((row) => {
      if (row.anchor) seen = new Set()
      return { ...row, cells: row.cells.map(line) }
    })
    return { ...block, rows }
  })
}
