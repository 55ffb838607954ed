import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Told } from '../../../protocol/wire'
import { sections, turns } from '../../../words/log'
import { title } from '..'
import { chapter } from './story/samples'
import { told } from './story/told.svelte'
import { loadCampaign } from './words.svelte'

const fact = (seq: number, type: string, body: object = {}): Told =>
  ({ seq, type, body: JSON.stringify(body), words: type, command: '', at: 0 }) as unknown as Told
const begun = (seq: number): Told =>
  fact(seq, 'OperationIs', { operation: { player: 1, hq: 'hq_cf' }, why: 'has the Initiative and leads', begun: true })
const bids = (seq: number): Told => fact(seq, 'PhaseBegan', { phase: '5.1.O', name: 'Bids' })

const called = (...facts: Told[]): unknown[] => turns(sections(facts, title)).map(({ named, sections: [first] }) => [named, first!.from])

describe('P20 the log of a long war, which begins with its last passage', () => {
  beforeAll(loadCampaign)
  afterEach(() => (told.list = []))

  it('begins in the chapter that the first fact lies in, and counts on from its Operation', () => {
    told.list = [
      chapter(41, { since: 4_000, upto: 4_800, figures: { operations: 17 } }),
      chapter(42, { named: 'Operation 18: [side:0], from [hq_cf]', since: 5_000, upto: 5_999, figures: { operations: 18 } }),
    ]

    expect(called(fact(5_400, 'Sailed'), bids(6_000), begun(6_010), fact(6_020, 'Sailed'))).toEqual([
      ['Operation 18: [side:0], from [hq_cf]', 5_400],
      ['Operation 19: [side:1], from [hq_cf]', 6_000],
    ])
  })

  it('counts an Operation once whose bids it begins in', () => {
    told.list = [chapter(42, { named: 'Operation 18: [side:1], from [hq_cf]', since: 5_000, upto: 5_999, figures: { operations: 18 } })]

    expect(called(fact(5_010, 'Sailed'), begun(5_020), fact(5_030, 'Sailed'), bids(6_000), begun(6_010), fact(6_020, 'Sailed'))).toEqual([
      ['Operation 18: [side:1], from [hq_cf]', 5_010],
      ['Operation 19: [side:1], from [hq_cf]', 6_000],
    ])
  })

  it('says no number of a cycle whose beginning it has not got', () => {
    told.list = [chapter(42, { since: 5_000, upto: 5_999, figures: { operations: 18 } })]
    const phase = fact(5_400, 'PhaseBegan', { phase: '5.2.C', name: '' })
    const titles = (...facts: Told[]): string[] => sections([...facts, fact(5_500, 'Sailed')], title).map((one) => one.title)

    expect(titles(phase)).toEqual(['C Advantage movement'])
    expect(titles(fact(5_300, 'CycleBegan', { cycle: 3 }), phase)).toEqual(['Cycle 3, C Advantage movement'])
  })

  it('that begins with the match needs nothing of it', () => {
    told.list = [chapter(1, { kind: 'month', named: 'August 1942', since: 9 })]

    expect(called(fact(1, 'Created'), fact(9, 'MonthsSetUp', { war: { month: '1942-08' } }), begun(20), fact(21, 'Sailed'))).toEqual([
      [undefined, 1],
      ['August 1942', 9],
      ['Operation 1: [side:1], from [hq_cf]', 20],
    ])
  })
})
