import { describe, expect, it } from 'vitest'
import recordText from '../fixtures/duel.record.jsonl?raw'
import stepsText from '../fixtures/duel.steps.jsonl?raw'
import { lines } from '../protocol/http'
import type { Frame, Told } from '../protocol/wire'
import { title as midway } from '../titles/midway'
import { sections } from './log'
import { retold } from './retold'

const SEATS = [{ name: 'Japan' }, { name: 'United States' }]
let seq = 0
const fact = (type: string, body: object = {}, words = ''): Told => ({ seq: ++seq, type, words, body: JSON.stringify(body) }) as Told
const launch = (id: string): Told => fact('GroupMoved', { group: id }, `[${id}] is launched`)
const loud = (): boolean => false

describe('what is taken back', () => {
  it('is told in the log’s own words, with its moment', () => {
    const facts = [fact('Created'), fact('Started'), launch('A'), launch('B'), fact('Decided', {}, 'x'), launch('C')]
    const asked = fact('UndoOffered', { seat: 0, back_to: facts[1]!.seq })

    expect(retold(asked, [...facts, asked], loud)).toEqual({
      words: '[seat:0] asked to take back: “[A] is launched” and 2 more',
      moment: facts.at(-1)!.seq,
    })
  })

  it('is no more than the reader may see', () => {
    const start = fact('Started')
    const undone = fact('Undone', { seat: 1, back_to: start.seq })

    expect(retold(undone, [start, undone], loud)).toEqual({ words: '[seat:1] took back: a decision of which nothing is seen' })
  })

  it('is not what was taken back before', () => {
    const start = fact('Started')
    const one = launch('A')
    const first = fact('Undone', { seat: 0, back_to: start.seq })
    const other = launch('B')
    const second = fact('Undone', { seat: 0, back_to: start.seq })
    const facts = [start, one, first, other, second]

    expect(facts.filter(({ type }) => type === 'Undone').map((fact) => retold(fact, facts, loud)?.words)).toEqual([
      '[seat:0] took back: “[A] is launched”',
      '[seat:0] took back: “[B] is launched”',
    ])
  })
})

describe('the dice', () => {
  it('are one line when all have put their share in, with the exact values behind it', () => {
    const facts = [
      fact('Created', { commitment: 'ab'.repeat(32), seats: SEATS }),
      ...[0, 1].map((seat) => fact('NonceCommitted', { seat, hash: `${seat}`.repeat(64) })),
      ...[0, 1].map((seat) => fact('NonceShown', { seat, nonce: `${seat}`.repeat(32) })),
    ]
    const told = facts.map((one) => retold(one, facts, loud))

    expect(told.slice(1, 4)).toEqual([null, null, null])
    expect(told[4]?.words).toBe('Both players have set the dice: nobody can choose them now')
    expect(told[4]?.exact?.map(([, value]) => value.length)).toEqual([64, 64, 64, 32, 32])
  })
})

describe('the log of a recorded match', () => {
  const seen = lines<Frame>(stepsText).flatMap((frame) => frame.facts)
  const all = lines<Told>(recordText).filter((line) => 'words' in line)

  it.each([
    ['as it was seen', seen],
    ['in full', all.length ? all : seen],
  ])('has nothing in hex in sight, %s, and no number of a fact', (_, facts) => {
    const sentences = sections(facts, midway).flatMap(({ entries }) => entries.map(({ words }) => words))

    expect(sentences.length).toBeGreaterThan(50)
    expect(sentences.filter((words) => /[0-9a-f]{12,}|\bfact \d/.test(words))).toEqual([])
  })
})
