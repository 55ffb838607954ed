import { describe, expect, it } from 'vitest'
import { read } from './book'
import { parse, plainText, spansOf } from './markdown'

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

  it('finds rules within rules, and the phases of a cycle by their letters', () => {
    const within = read(
      '## P28\n\n**P28.5 Attack.** See P28.5.1, R-7 and P5.2.C.\n\n**P28.5.1 Targets.** One.\n\n**P5.2.C Movement.** Two.\n',
    )
    const [, first] = within.blocks

    expect(within.find('P28.5.1')?.blocks.map(plainText)).toEqual(['P28.5.1 Targets. One.'])
    expect(within.find('P5.2.C')?.blocks.map(plainText)).toEqual(['P5.2.C Movement. Two.'])
    expect(spansOf(first!).flatMap((line) => line.filter(({ kind }) => kind === 'rule').map(({ text }) => text))).toEqual([
      'P28.5.1',
      'P5.2.C',
    ])
  })

  it('lists its chapters', () => {
    expect(book.chapters.map((chapter) => chapter.anchor)).toEqual(['M7', 'M8'])
  })

  it('makes numbers links', () => {
    const [block] = parse('See M7.1 and `M7.2`.')

    expect(block?.kind === 'paragraph' && block.spans.map((span) => span.kind)).toEqual(['text', 'rule', 'text', 'code', 'text'])
  })

  it('makes the numbers of rulings links, to their rows', () => {
    const text = '# R\n\n**N1.1** Lost first (R-86, not R-99).\n\n| no. | what |\n|---|---|\n| R-86 | Lost with the deck |\n'
    const ruled = read(text)
    const linked = ruled.blocks
      .flatMap(spansOf)
      .flat()
      .filter(({ kind }) => kind === 'rule')

    expect(linked.map((span) => span.text)).toEqual(['R-86', 'R-86'])
    expect(ruled.find('R-86')?.blocks.map(plainText)).toEqual(['no. what R-86 Lost with the deck'])
  })

  it('links no number that it does not have', () => {
    const [block] = read('**M7.1** Groups AKA-F1 and AKA-D1, see M7.1 and M9.9.').blocks

    expect(block?.kind === 'paragraph' && block.spans.filter((span) => span.kind === 'rule').map((span) => span.text)).toEqual(['M7.1'])
  })
})

describe('the text for players', () => {
  const texts = (text: string): string[] => read(text).blocks.map(plainText)

  it('leaves out what is for engines inside a paragraph, and the paragraph goes on', () => {
    expect(
      texts('**M1.1** Groups<!-- engine --> (`groups` in the data)<!-- /engine --> fly\n<!-- engine -->\nover\n<!-- /engine -->\nthe sea.'),
    ).toEqual(['M1.1 Groups fly the sea.'])
  })

  it('leaves out the beginning of a line alone, and no more of the book', () => {
    expect(
      texts('<!-- engine -->D1<!-- /engine --> Choose.\n\n**M1.2** Fly.\n\n<!-- engine -->\nSeeds.\n<!-- /engine -->\n\nOver.'),
    ).toEqual(['Choose.', 'M1.2 Fly.', 'Over.'])
    expect(texts('| a | b |\n|---|---|\n| <!-- engine -->D1<!-- /engine --> Card<!-- engine --> (D2)<!-- /engine --> | all |')).toEqual([
      'a b Card all',
    ])
  })

  it('leaves out rules and whole chapters, and their names in the list of chapters', () => {
    const book = read(
      '## M1 Planes\n\n**M1.1** Fly.\n\n<!-- engine -->\n**M1.2** Seeds.\n<!-- /engine -->\n\n---\n\n## M2 Engine\n\n<!-- engine -->\n**M2.1** JSON.\n<!-- /engine -->\n\n---\n\n## M3 End\n\nOver.',
    )

    expect(book.chapters.map((chapter) => chapter.anchor)).toEqual(['M1', 'M3'])
    expect(book.blocks.map((block) => block.kind)).toEqual(['heading', 'paragraph', 'line', 'heading', 'paragraph'])
    expect(book.find('M1.2')).toBeNull()
    expect(book.find('M2')).toBeNull()
  })

  it('leaves out rows and columns of a table', () => {
    const text =
      '| <!-- engine -->id<!-- /engine --> | box | who |\n|---|---|---|\n| READY | Ready | all |\n<!-- engine -->\n| X | Y | Z |\n<!-- /engine -->\n| HOME | Home <!-- engine -->`HOME`<!-- /engine --> | all |'

    expect(texts(text)).toEqual(['box who Ready all Home all'])
  })

  it('leaves out where a rule comes from', () => {
    expect(texts('**M1.1** One. [S]\n\n**M1.2** Two,\nthree. [S, X]\n\nFour [source; public: rules3; R-69].\n\nSee [X](/x).')).toEqual([
      'M1.1 One.',
      'M1.2 Two, three.',
      'Four.',
      'See X.',
    ])
  })

  it('names months', () => {
    expect(texts('**M1.1** From 1942-06 to 1945-12, in 1942-43 and 7-12 times.')).toEqual([
      'M1.1 From June 1942 to December 1945, in 1942-43 and 7-12 times.',
    ])
  })

  it('holds figures at their places', () => {
    const book = read('**M1.1** One.\n<!-- picture: boxes -->\n\n- a\n<!-- example: E1 -->\n\n**M1.2** Two.')

    expect(book.blocks.map((block) => block.kind)).toEqual(['paragraph', 'picture', 'list', 'example', 'paragraph'])
    expect(book.find('M1.1')?.blocks).toHaveLength(4)
  })
})
