import { describe, expect, it } from 'vitest'
import recordText from '../fixtures/duel.record.jsonl?raw'
import stepsText from '../fixtures/duel.steps.jsonl?raw'
import { lines } from '../protocol/records'
import type { Frame, Told } from '../protocol/wire'
import { title as midway } from '../titles/midway'
import { deedAfter, type KeptDeed } from './deeds'
import { sections } from './log'
import { type Reader, retold, type Retold } from './retold'

const SEATS = [{ name: 'Japan' }, { name: 'United States' }]
let seq = 0
let index = 0
const fact = (type: string, body: object = {}, words = ''): Told =>
  ({ seq: ++seq, index: index++, type, words, body: JSON.stringify(body) }) as Told
/** Facts of one command; `hidden` ones take their places and are not told. */
function command(...facts: ((() => Told) | 'hidden')[]): Told[] {
  index = 0
  return facts.flatMap((one) => {
    if (one !== 'hidden') return [one()]
    seq++
    index++
    return []
  })
}
const launch = (id: string) => (): Told => fact('GroupMoved', { group: id }, `[${id}] is launched`)
const notice =
  (type: string, body: object = {}) =>
  (): Told =>
    fact(type, body)
const reader: Reader = { silent: () => false, deed: () => '' }
const DONE = 'Done landing'

describe('what is taken back', () => {
  /** Asks for what seat 0 decided after a fact; how the last of the facts is then told. */
  function asked(backTo: number, facts: readonly Told[], how = reader): Retold {
    const [last] = command(notice('UndoOffered', { seat: 0, back_to: backTo })) as [Told]
    return retold(last, [...facts, last], how)!
  }

  it('is the command of whoever asks, in the log’s own words, and not what came since', () => {
    const start = command(notice('Started'))
    const own = command('hidden', launch('A'), launch('B'), 'hidden')
    const since = command('hidden', launch('C'))

    expect(asked(start[0]!.seq, [...start, ...own, ...since])).toEqual({
      words: '[seat:0] asked to take back “[A] is launched” and 1 more, and with it what was decided since',
      moment: since[0]!.seq,
    })
  })

  it('is for whoever asks what he chose, though no fact tells it', () => {
    const [start] = command(notice('Started')) as [Told]
    const deeds = [{ seat: 1, seq: start.seq + 2, what: 'Launch' }]
    command('hidden', 'hidden')
    const since = command('hidden', launch('C'))
    const decided = (...chosen: KeptDeed[]): Reader => ({ ...reader, deed: (...where) => deedAfter([...deeds, ...chosen], ...where) })
    const more = ', and with it what was decided since'

    expect(asked(start.seq, [start, ...since], decided({ seat: 0, seq: start.seq + 2, what: DONE })).words).toBe(
      `[seat:0] asked to take back “${DONE}”${more}`,
    )
    expect(asked(start.seq, [start, ...since], decided()).words).toBe(
      `[seat:0] asked to take back a decision of which nothing is to be seen${more}`,
    )
  })

  it('is, for whoever may see nothing of it, the same however much it was', () => {
    const heard = [1, 5].map((many) => {
      const [start] = command(notice('Started')) as [Told]
      command(...Array<'hidden'>(many).fill('hidden'))
      return asked(start.seq, [start])
    })

    expect(heard[0]).toEqual({ words: '[seat:0] asked to take back a decision of which nothing is to be seen' })
    expect(heard[1]).toEqual(heard[0])
  })

  it('is not what was taken back before', () => {
    const facts = command(notice('Started'))
    for (const id of ['A', 'B']) {
      const backTo = seq
      facts.push(...command('hidden', launch(id)), ...command(notice('Undone', { seat: 0, back_to: backTo })))
    }

    expect(facts.filter(({ type }) => type === 'Undone').map((one) => retold(one, facts, reader)?.words)).toEqual([
      '[seat:0] took back “[A] is launched”',
      '[seat:0] took back “[B] is launched”',
    ])
  })

  it('is, by consent, all since the moment that it leads to', () => {
    const words = 'Corrected by consent: the match goes on from before an earlier decision of [seat:1]'
    const fact = { seq: 40, type: 'Undone', body: JSON.stringify({ seat: 1, back_to: 11, consent: true }), words } as Told

    expect(retold(fact, [fact], reader)).toEqual({ words, moment: 11 })
  })

  it('is told anew when what was missing of the log has come', () => {
    const facts = [...command(notice('Started')), ...command('hidden', launch('A'))]
    const [undone] = command(notice('Undone', { seat: 0, back_to: facts[0]!.seq })) as [Told]
    const told = (seen: readonly Told[]): string => sections(seen, null).at(-1)!.entries.at(-1)!.words

    expect(told([undone])).toBe('[seat:0] took back a decision of which nothing is to be seen')
    expect(told([...facts, undone])).toBe('[seat:0] took back “[A] is launched”')
  })
})

describe('the dice', () => {
  it('are one line when all have put their share in, with the exact values behind it', () => {
    const facts = [
      fact('Created', { commitment: 'ab'.repeat(32), seats: SEATS }),
      ...[0, 1].map((seat) => fact('NonceCommitted', { seat, hash: `${seat}`.repeat(64) })),
      ...[0, 1].map((seat) => fact('NonceShown', { seat, nonce: `${seat}`.repeat(32) })),
    ]
    const told = facts.map((one) => retold(one, facts, reader))

    expect(told.slice(1, 4)).toEqual([null, null, null])
    expect(told[4]?.words).toBe('Both players have set the dice: nobody can choose them now')
    expect(told[4]?.exact?.map(([, value]) => value.length)).toEqual([64, 64, 64, 32, 32])
  })

  it('are told though the log was read before its beginning had come', () => {
    const [created] = command(notice('Created', { commitment: 'ab'.repeat(32), seats: SEATS })) as [Told]
    const shown = [0, 1].flatMap((seat) => command(notice('NonceShown', { seat, nonce: `${seat}`.repeat(32) })))
    const told = (seen: readonly Told[]): string[] => sections(seen, null).flatMap(({ entries }) => entries.map(({ words }) => words))

    expect(told(shown)).toEqual([])
    expect(told([created, ...shown])).toContain('Both players have set the dice: nobody can choose them now')
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
