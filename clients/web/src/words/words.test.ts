import { describe, expect, it } from 'vitest'
import stepsText from '../fixtures/duel.steps.jsonl?raw'
import lows from '../fixtures/low.json'
import { lines } from '../protocol/records'
import type { Clock, Frame, Told } from '../protocol/wire'
import { title } from '../titles/midway'
import type { Choice, Title } from '../titles/title'
import { inForce, takenBack } from './facts'
import { countedIn, counts, hitsOf, isColumn, ofTotal, sections } from './log'
import { isLow } from './low'
import { lead, mainOf, pick, taken, taking, targets, together } from './picking'
import { idsIn, plain, ruleIn } from './sentence'
import { ago, countdown, duration, span } from './time'
import { whole } from './whole'

const facts = lines<Frame>(stepsText).flatMap((frame) => frame.facts)
const choice = (key: string, ...path: string[]): Choice => ({ decision: { type: key }, key, label: key, path, leaves: false })

it('gives a reason as a sentence', () => {
  expect(whole('there is no such match')).toBe('There is no such match.')
  expect(whole('The server cannot be reached.')).toBe('The server cannot be reached.')
  expect(whole('')).toBe('')
})

describe('picking', () => {
  const list = [choice('a', 'G1', 'KAGA'), choice('b', 'G1', 'AKAGI'), choice('c', 'G2', 'KAGA'), choice('DONE')]

  it('lights what can be clicked next', () => {
    expect(targets(list, [])).toEqual(new Set(['G1', 'G2']))
    expect(targets(list, ['G1'])).toEqual(new Set(['KAGA', 'AKAGI']))
  })

  it('decides as soon as one choice is left', () => {
    expect(pick(list, [], 'G2')).toEqual({ choice: list[2] })
    expect(pick(list, [], 'G1')).toEqual({ picked: ['G1'] })
    expect(pick(list, ['G1'], 'AKAGI')).toEqual({ choice: list[1] })
  })

  it('calls the only act one that most would press, unless it costs what one may want to keep', () => {
    const [act, done] = [choice('act'), { ...choice('DONE'), leaves: true }]

    expect(mainOf([act, done], [act, done])).toBe(act)
    expect(mainOf([{ ...act, main: false }, done], [{ ...act, main: false }, done])).toBeUndefined()
  })

  it('goes ahead where there is nothing to pick', () => {
    const carriers = [choice('a', 'G1', 'ENTERPRISE'), choice('b', 'G1', 'HORNET')]

    expect(lead(carriers)).toEqual(['G1'])
    expect(lead(list)).toEqual([])
    expect(lead([list[0]!])).toEqual([])
  })

  it('lets go of what is clicked again, and begins anew elsewhere', () => {
    expect(pick(list, ['G1'], 'G1')).toEqual({ picked: [] })
    expect(pick(list, ['G1'], 'G2')).toEqual({ choice: list[2] })
    expect(pick(list, ['G1'], 'nowhere')).toEqual({ picked: ['G1'] })
  })

  it('takes others the same way, and nothing else', () => {
    const bundle = together(list[0]!, ['G2'])

    expect(bundle.count).toBe(2)
    expect(bundle.next(list)).toBe(list[0])
    expect(bundle.next(list.slice(1)), 'not where it was not meant to go').toBe(list[2])
    expect(bundle.next([choice('d', 'G3', 'KAGA'), choice('DONE')])).toBeUndefined()
  })
})

describe('taking what is suggested', () => {
  it('ends the step, but is only sent where decisions of one step are held back until each is whole', () => {
    expect(taking(false)).toBe('Taking it ends this step.')
    expect(taking(true)).toBe('Taking it sends it; you may be asked again.')
  })
})

describe('sentences', () => {
  const known = { names: { KAGA: 'Kaga' }, sides: ['Japan', 'United States'], seats: ['Red admiral', ''] }

  it('name ids, seats and sides', () => {
    expect(plain('[seat:0] of [side:1] hits [KAGA] and [X-1]', known)).toBe('Red admiral of United States hits Kaga and X-1')
    expect(idsIn('[KAGA] meets [US:MOVING]')).toEqual(['KAGA', 'US:MOVING'])
  })

  it('give a seat without a name the article of its side', () => {
    const nobody = { ...known, seats: ['Japan', 'United States'] }

    expect(plain('[seat:1] took back “[KAGA]”, [seat:0] agreed', nobody)).toBe('The United States took back “Kaga”, Japan agreed')
    expect(plain('It came of a decision by [seat:1]', nobody)).toBe('It came of a decision by the United States')
    expect(plain('[seat:0] took back', known)).toBe('Red admiral took back')
  })

  it('carry their rule at the end', () => {
    expect(ruleIn('[side:1] won: sudden death (M13.2)')).toBe('M13.2')
    expect(ruleIn('[J1] is Detected by search (P24.2)')).toBe('P24.2')
    expect(ruleIn('Advantage air missions (P5.2.D)')).toBe('P5.2.D')
    expect(ruleIn('The aircraft pick their targets (P28.5.1)')).toBe('P28.5.1')
    expect(ruleIn('The match is drawn: agreement')).toBe('')
  })
})

describe('dice', () => {
  it.each([
    [4, '4+ hits', true],
    [3, '4+ hits', false],
    [6, '6 is 2 hits', true],
    [2, '6 is 2 hits', false],
    [5, '1 to 4 names the search group, 5 and 6 again', false],
    [3, '', false],
    [3, '5 or less hits, 2 or less twice', true],
    [6, '5 or less hits', false],
    [7, '7 or more', true],
    [1, '1-2 one turn, 3-5 two', false],
    [2, '2 for each of CI, GI', false],
  ])('%d with "%s" counts: %s', (face, target, wanted) => {
    expect(counts(face, target)).toBe(wanted)
  })
})

describe('hits', () => {
  it.each([
    ['4+ hits', 3],
    ['6 is 2 hits', 4],
    ['5+ is one more hit', 2],
    ['4 or less hits, 1 or less twice', 3],
    ['4 or less holds', null],
    ['', null],
  ])('of "%s" are %s', (target, wanted) => {
    expect(hitsOf({ target, dice: [1, 4, 6, 6] })).toBe(wanted)
  })

  it.each([
    ['column 3', true],
    ['no column at [cv_akagi]', true],
    ['5 or less', false],
  ])('says whether a target is a column that modifiers have shifted: %s', (target, wanted) => {
    expect(isColumn(target)).toBe(wanted)
  })

  it.each([
    ['5 or less hits, 2 or less twice', true, false],
    ['7 or less holds', false, true],
    ['7 or less', false, true],
    ['4+ hits', false, false],
  ])('says whether what modifiers add is in the target: %s', (target, inIt, total) => {
    expect([countedIn(target), ofTotal(target)]).toEqual([inIt, total])
  })
})

describe('the log', () => {
  it('is grouped by turn and step, with every visible fact once', () => {
    const found = sections(facts, title)
    const seqs = found.flatMap((section) => section.entries.map((entry) => entry.fact.seq))

    expect(found.some((section) => section.turn === 2)).toBe(true)
    expect(new Set(seqs).size).toBe(seqs.length)
    const last = facts.findLast((fact) => fact.type === 'NonceShown')
    const passed = (fact: Told): boolean => title.silent(fact) || (fact.type.startsWith('Nonce') && fact !== last)
    expect(seqs).toEqual(facts.filter((fact) => !passed(fact)).map((fact) => fact.seq))
  })

  it('strikes what was taken back, but no notice', () => {
    const fact = (seq: number, type: string, body: object = {}): Told =>
      ({ seq, type, body: JSON.stringify({ type, ...body }), words: type }) as Told
    const list = [fact(1, 'GroupMoved'), fact(2, 'GroupMoved'), fact(3, 'DrawOffered'), fact(4, 'Undone', { back_to: 1 })]

    expect(takenBack(list)).toEqual(new Set([2]))
    expect(inForce(list).map(({ seq }) => seq)).toEqual([1, 3, 4])
  })

  it('heads turns that were taken back, and then the one from which the match went on', () => {
    const list = ['Turn', 'Moved', 'Moved', 'Turn', 'Moved', 'Undone', 'Moved', 'Turn'].map(
      (type, place): Told => ({ seq: place + 1, type, body: JSON.stringify({ back_to: 2, consent: true }), words: type }) as Told,
    )
    let turn = 0
    const counted = {
      chapter: ({ type, seq }: Told) => (type === 'Turn' ? { turn: (turn = seq === 8 ? 2 : turn + 1), title: '', side: null } : null),
      silent: ({ type }: Told) => type === 'Turn',
    } as unknown as Title

    const found = sections(list, counted).map((one) => [one.turn, one.entries.map(({ fact, undone }) => fact.seq * (undone ? -1 : 1))])

    expect(found).toEqual([
      [1, [2, -3]],
      [2, [-5]],
      [1, [6, 7]],
      [2, []],
    ])
  })
})

describe('time', () => {
  it.each([
    [65_000_000, '1:05'],
    [3_725_000_000, '1:02:05'],
    [-5, '0:00'],
    [200_000_000_000, '2 d 7 h'],
  ])('%d microseconds are %s', (microseconds, wanted) => {
    expect(duration(microseconds)).toBe(wanted)
  })
  it.each([
    [59_000_000, 'less than a minute'],
    [60_000_000, '1 min'],
    [12_000_000_000, '3 h 20 min'],
    [48 * 3_600_000_000, '2 days'],
  ])('%d microseconds last %s', (microseconds, wanted) => {
    expect(span(microseconds)).toBe(wanted)
  })
  it.each([
    [59_000_000, 'just now'],
    [60_000_000, '1 min ago'],
    [86_400_000_000, '1 day ago'],
    [172_800_000_000, '2 days ago'],
  ])('%d microseconds since are %s', (microseconds, wanted) => {
    expect(ago(0, microseconds)).toBe(wanted)
  })

  it.each([
    [10_000_000, '0:10'],
    [9_990_000, '9.9'],
    [50_000, '0.0'],
    [0, '0:00'],
    [-5, '0:00'],
  ])('of %d microseconds a clock shows %s', (microseconds, wanted) => {
    expect(countdown(microseconds)).toBe(wanted)
  })

  it.each(lows)('of $clock less than $low seconds are little', ({ clock, low }) => {
    expect([low - 1, low].map((left) => isLow(left * 1_000_000, clock as Clock))).toEqual([true, false])
  })

  it('without a clock there is never little time', () => {
    expect(isLow(0, null)).toBe(false)
  })
})

describe('a bundle that is looked at', () => {
  const bundle = (count: number) => ({ label: 'All', count, next: (now: Choice[]) => now.find((one) => one.key.startsWith('go')) })

  it('takes each thing once, in the order of the list', () => {
    const choices = [choice('stay', 'c'), choice('go a', 'a', 'x'), choice('go a too', 'a', 'y'), choice('go b', 'b', 'x')]

    expect(taken(bundle(2), choices).map(({ key }) => key)).toEqual(['go a', 'go b'])
  })

  it('takes no more than it counts, and nothing where nothing fits', () => {
    expect(taken(bundle(1), [choice('go a', 'a'), choice('go b', 'b')])).toHaveLength(1)
    expect(taken(bundle(3), [choice('stay', 'c')])).toEqual([])
  })
})
