import { describe, expect, it } from 'vitest'
import { paceWords, shortOptions, shortPace } from './pace'

const LIVE = { bank: 1200, increment: 10, cap: 1800 }
const DAYS = { bank: 604_800, turn: 86_400, nights: true, weekends: true } as const

describe('how a match is played', () => {
  it('a pace says clock, increments and rests', () => {
    expect(paceWords(null, true)).toBe('by turns, no clock')
    expect(paceWords(LIVE, false)).toBe('live, 20 minutes a side and 10 s with each decision')
    expect(paceWords(DAYS, true)).toBe('by turns, 7 days a side and 1 day with each turn; no time runs at night or at weekends')
  })

  it.each([
    [null, false, 'live, no clock'],
    [LIVE, false, 'live, 20 min each, +10 s a move'],
    [DAYS, true, 'by turns, 7 days each, +1 day a turn, nights and weekends off'],
    [{ bank: 3 * 86_400, turn: 12 * 3_600, nights: true } as const, true, 'by turns, 3 days each, +12 h a turn, nights off'],
    [{ bank: 90 }, false, 'live, 90 s each'],
  ])('in short %o is said in a few words', (clock, by_turns, words) => expect(shortPace({ clock, by_turns })).toBe(words))

  it.each([
    [{}, ''],
    [{ mode: 2 }, ''],
    [{ weather: false, turn_limit: 10 }, 'no weather and turn limit 10'],
    [{ cap_recall: true, weak_flak: true, ditching: true }, 'CAP recall and 2 more options'],
  ])('of options %o the first are named', (chosen, words) => expect(shortOptions(chosen)).toBe(words))
})
