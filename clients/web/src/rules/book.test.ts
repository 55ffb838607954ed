import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { read } from './book'
import { parse, plainText } from './markdown'

const TEXT = `# Rules

## M7 Carrier Attacks

**M7.1** Played if there are groups.
It goes on here.

**M7.2 Escorts leave.** First all \`F\` go, see M7.1.

- one
- two, which
  goes on

| no. | rule |
|---|---|
| **M15.1** | limit |

## M8 Launch

**M8.1** Other.
`

describe('the rulebook', () => {
  const book = read(TEXT)

  it('finds a rule by its number, with what belongs to it', () => {
    expect(book.find('M7.1')?.blocks.map(plainText)).toEqual(['M7.1 Played if there are groups. It goes on here.'])
    expect(book.find('M7.2')?.blocks.map((block) => block.kind)).toEqual(['paragraph', 'list', 'table'])
    expect(book.find('M7.2')?.chapter).toBe('M7 Carrier Attacks')
  })

  it('finds a row of a table, and a whole chapter', () => {
    expect(book.find('M15.1')?.blocks).toHaveLength(1)
    expect(book.find('M7')?.blocks).toHaveLength(5)
    expect(book.find('M99')).toBeNull()
  })

  it('finds rules that are written as a list, and one right below another', () => {
    const listed = read('## C5\n\n- **C5.1** One:\n  - a\n  - b\n- **C5.2** *Choice.* Two,\n  and on.\n\n**C6.1** Three.\n**C6.2** Four.\n')

    expect(listed.find('C5.1')?.blocks.map(plainText)).toEqual(['C5.1 One:', 'a b'])
    expect(listed.find('C5.2')?.blocks.map(plainText)).toEqual(['C5.2 Choice. Two, and on.'])
    expect(listed.find('C6.2')?.blocks.map(plainText)).toEqual(['C6.2 Four.'])
  })

  it.each(['midway', 'coral-sea', 'nimitz'])('finds every rule of %s that begins with its number', (name) => {
    const text = readFileSync(join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'rules', `${name}.md`), 'utf8')
    const numbers = [...text.matchAll(/^(?:- )?\*\*([CMN]\d+\.\d+)\b/gm)].map((found) => found[1]!)
    const rulebook = read(text)

    expect(numbers.length).toBeGreaterThan(90)
    expect(numbers.filter((number) => !rulebook.find(number))).toEqual([])
  })

  it('lists its chapters', () => {
    expect(book.chapters.map((chapter) => chapter.anchor)).toEqual(['M7', 'M8'])
  })

  it('makes numbers links', () => {
    const [block] = parse('See M7.1 and `M7.2`.')

    expect(block?.kind === 'paragraph' && block.spans.map((span) => span.kind)).toEqual(['text', 'rule', 'text', 'code', 'text'])
  })
})
