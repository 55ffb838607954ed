import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Frame, Told } from '../protocol/wire'
import { title as midway } from '../titles/midway'
import { title as nimitz } from '../titles/nimitz'
import { type Beat, beatsOf, chosen, lengths } from './beats'

const steps = readFileSync('src/fixtures/duel.steps.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Frame)
const facts = steps.flatMap((step) => step.facts)

/** The beats of the step that ends with a fact. */
function beatsUpTo(upto: number): Beat[] {
  const step = steps.find((one) => one.upto === upto)!
  return beatsOf(
    facts.filter(({ seq }) => seq <= upto),
    step.after,
    midway,
  )
}

let seq = 0
function fact(type: string, words: string, body: object = {}): Told {
  seq++
  return { seq, type, words, body: JSON.stringify({ type, ...body }), at: 0, command: 'c', index: 0, ver: 1, audience: 7, salt: '' }
}
const roll = (subject = 'KAGA'): Told =>
  fact('Rolled', '', { index: 0, rule: 'M7.8', purpose: 'ATTACK_D', by: 1, sides: 6, dice: [5, 6], target: '5+ is 1 hit', subject })

describe('a recorded duel', () => {
  it('has a beat for each roll of a strike, with what it was for', () => {
    expect(beatsUpTo(242).map(({ roll }) => [roll?.purpose, roll?.subject])).toEqual([
      ['ATTACK_D', 'ENTERPRISE'],
      ['ATTACK_T', 'ENTERPRISE'],
    ])
  })

  it('shows a roll beside what it is about, and what goes without saying is not told', () => {
    const [beat, ...others] = beatsUpTo(173)

    expect(others).toEqual([])
    expect(beat).toMatchObject({ from: 164, seq: 164, ids: ['US:READY'], told: [], drawn: false })
  })

  it('has no beat where nothing was rolled and nothing weighs', () => {
    expect(beatsUpTo(93)).toEqual([])
  })

  it('has a beat for every roll, and ends with the end', () => {
    const whole = beatsOf(facts, 0, midway)

    expect(whole.filter((beat) => beat.roll)).toHaveLength(facts.filter(({ type }) => type === 'Rolled').length)
    expect(whole.at(-1)).toMatchObject({ roll: null, weight: 'grave' })
    expect(whole.at(-1)!.told.map(({ type }) => type)).toEqual(['GameEnded'])
  })
})

describe('beats', () => {
  it('tell what came of a roll until the next step of the sequence begins', () => {
    const run = [
      roll(),
      fact('Repaired', '[KAGA] repairs'),
      fact('StepStarted', '[US] Planning', { side: 1 }),
      fact('Repaired', '[SORYU] repairs'),
    ]

    expect(beatsOf(run, 0, midway).map(({ told }) => told.map(({ words }) => words))).toEqual([['[KAGA] repairs']])
  })

  it('tell by itself what several rolls led to, and what it led to in turn', () => {
    const run = [roll(), roll(), fact('CarrierDamaged', '[KAGA] takes 7 hits'), fact('CarrierCrippled', '[KAGA] is crippled')]

    const [, last, damage] = beatsOf(run, 0, midway)

    expect(last!.told).toEqual([])
    expect(damage).toMatchObject({ roll: null, weight: 'grave', ids: ['KAGA', 'KAGA'] })
    expect(damage!.told).toHaveLength(2)
  })

  it('tell the three sentences that weigh most', () => {
    const light = (): Told => fact('Repaired', 'light')
    const [beat] = beatsOf([roll(), light(), light(), light(), fact('GroupLost', 'lost')], 0, midway)

    expect(beat!.told.map(({ words }) => words)).toEqual(['light', 'light', 'lost'])
  })

  it('leave out what was taken back', () => {
    const first = roll()
    const run = [first, fact('Undone', '', { back_to: first.seq - 1 }), roll('SORYU')]

    expect(beatsOf(run, 0, midway).map(({ ids }) => ids)).toEqual([['SORYU']])
  })

  it('that the board draws itself hold their dice and what is hit', () => {
    const rolled = { index: 0, rule: 'N12', purpose: 'Bomb runs', by: 0, sides: 10, dice: [3], target: '4 or less hits', subject: 'us-1' }
    const run = [
      fact('CombatBegan', '', { step: 'Bomb runs', area: 'IS' }),
      fact('Rolled', '', rolled),
      fact('Damaged', '[ja-2] is damaged', { target: 'ja-2', why: 'Bomb runs' }),
      fact('BattleEnded', 'The battle ends'),
    ]

    expect(beatsOf(run, 0, nimitz).map(({ drawn, told }) => [drawn, told.length])).toEqual([
      [true, 0],
      [false, 1],
    ])
  })
})

describe('pace', () => {
  const many = beatsOf(
    Array.from({ length: 130 }, () => roll()),
    0,
    midway,
  )
  const sum = (list: readonly number[]): number => list.reduce((all, one) => all + one, 0)

  it('quick: a beat has its time, a phase of 130 facts ten seconds at most, and each beat enough of them to be seen', () => {
    const shown = chosen(many, 'quick')

    expect(lengths(many.slice(0, 5), 'quick')).toEqual(many.slice(0, 5).map(() => 700))
    expect(sum(lengths(shown, 'quick'))).toBeLessThanOrEqual(10_001)
    expect(Math.min(...lengths(shown, 'quick'))).toBeGreaterThanOrEqual(249)
  })

  it('quick: a roll or two alone are shown twice as long, so that they are seen', () => {
    expect(lengths(many.slice(0, 1), 'quick')).toEqual([1_400])
    expect(lengths(many.slice(0, 2), 'quick')).toEqual([1_400, 1_400])
    expect(sum(lengths(many.slice(0, 3), 'quick'))).toBeCloseTo(3_000)
  })

  it('slow: nothing is left out and nothing is hurried', () => {
    expect(chosen(many, 'slow')).toHaveLength(130)
    expect(lengths(many, 'slow')).toEqual(many.map(() => 2_000))
  })

  it('what tells more is shown longer', () => {
    const [plain, grave] = lengths(beatsOf([roll(), roll(), fact('GroupLost', ''), fact('CarrierCrippled', '')], 0, midway), 'quick')

    expect(grave).toBeGreaterThan(plain!)
  })
})
