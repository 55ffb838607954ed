import { describe, expect, it } from 'vitest'
import { Lexicon } from '../glossary/term'
import { read } from './book'
import type { Block, Span } from './markdown'
import { spansOf } from './markdown'
import { marked } from './marked'

const TEXT = `# Rules

## M7 The deck

**M7.1 Deck.** A clear deck, and again a clear deck. See M7.2.

- The clear deck of a list of the rule.

**M7.2** A clear deck anew.

| no. | rule |
|---|---|
| **M7.3** | clear deck, clear deck |
| **M7.4** | clear deck |

### Deck

The clear deck of a section.
`
const lexicon = new Lexicon('midway', [{ name: 'clear deck', gloss: 'Empty.' }])

describe('the words of the game in a rulebook', () => {
  const { blocks } = read(TEXT)
  const found = marked(blocks, (text, seen) => lexicon.cut(text, seen))
  const spans = (some: readonly Block[]): Span[] => some.flatMap(spansOf).flat()

  it('are marked once in each rule, each row with a number, and each section', () => {
    const terms = found.map((block) => spans([block]).filter(({ kind }) => kind === 'term').length)

    expect(terms).toEqual([0, 0, 1, 0, 1, 2, 0, 1])
  })

  it('leave the text as it was', () => {
    const text = (some: readonly Block[]): string =>
      spans(some)
        .map((span) => span.text)
        .join('')

    expect(text(found)).toBe(text(blocks))
  })
})
