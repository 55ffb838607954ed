import { describe, expect, it } from 'vitest'
import { outAt, ownHours, stillAt, used } from './hours'
import { type Clock, type Hours, type MatchView, NO_MATCH } from './wire'

const at = (text: string): number => Date.parse(`${text}Z`) * 1_000
const HOUR = 3_600_000_000

function match(clock: Partial<Clock>, hours: Hours | null): MatchView {
  return { ...NO_MATCH, clock: { bank: 60, increment: 0, cap: 0, ...clock }, ...(hours ? { hours: { 0: hours } } : {}) }
}

const SPRING = Date.parse('2027-03-28T01:00Z') / 1_000
const BERLIN: Hours = {
  offsets: [
    [0, 3600],
    [SPRING, 7200],
  ],
  night: 1380,
}
const NIGHTS = match({ nights: true }, { offsets: [[0, 0]], night: 1380 })

describe('a clock that stands still', () => {
  it('does so in the night, and says until when', () => {
    expect(stillAt(NIGHTS, 0, at('2027-06-01T22:59'))).toBeNull()
    expect(stillAt(NIGHTS, 0, at('2027-06-01T23:00'))).toEqual({ why: 'night', until: at('2027-06-02T07:00') })
    expect(stillAt(NIGHTS, 0, at('2027-06-02T03:00'))).toEqual({ why: 'night', until: at('2027-06-02T07:00') })
    expect(stillAt(NIGHTS, 0, at('2027-06-02T07:00'))).toBeNull()
  })

  it('does so at a weekend, of who has said nothing by UTC', () => {
    const weekends = match({ weekends: true }, null)
    expect(stillAt(weekends, 0, at('2027-06-05T00:00'))).toEqual({ why: 'weekend', until: at('2027-06-07T00:00') })
    expect(stillAt(weekends, 0, at('2027-06-04T23:59'))).toBeNull()
  })

  it('goes on to do so where a night follows a weekend', () => {
    const both = match({ nights: true, weekends: true }, { offsets: [[0, 0]], night: 0 })
    expect(stillAt(both, 0, at('2027-06-05T12:00'))).toEqual({ why: 'weekend', until: at('2027-06-07T08:00') })
  })

  it('goes by what the wall shows when summer time begins', () => {
    const berlin = match({ nights: true }, BERLIN)
    expect(stillAt(berlin, 0, at('2027-03-27T22:00'))).toEqual({ why: 'night', until: at('2027-03-28T05:00') })
    expect(used(berlin, 0, at('2027-03-27T21:00'), at('2027-03-28T06:00'))).toBe(2 * HOUR)
  })

  it('is out when what is left has run, and not put off at the beginning of a night', () => {
    expect(outAt(NIGHTS, 0, at('2027-06-01T22:00'), HOUR)).toBe(at('2027-06-01T23:00'))
    expect(outAt(NIGHTS, 0, at('2027-06-01T22:00'), 2 * HOUR)).toBe(at('2027-06-02T08:00'))
    expect(outAt(NIGHTS, 0, at('2027-06-02T02:00'), 0)).toBe(at('2027-06-02T02:00'))
    expect(used(NIGHTS, 0, at('2027-06-01T22:00'), at('2027-06-02T22:00'))).toBe(16 * HOUR)
  })

  it('does so on a holiday, and in the night in which that ends', () => {
    const [since, until] = [at('2027-06-02T12:00'), at('2027-06-04T01:00')]
    const away = { ...NIGHTS, holidays: { 0: [{ since, until }] } }
    expect(stillAt(away, 0, since)).toEqual({ why: 'holiday', until: at('2027-06-04T07:00') })
    expect(outAt(away, 0, at('2027-06-02T11:00'), 2 * HOUR)).toBe(at('2027-06-04T08:00'))
    expect(used(away, 0, at('2027-06-02T11:00'), at('2027-06-04T08:00'))).toBe(2 * HOUR)
  })

  it('runs always where it has neither', () => {
    const plain = match({}, null)
    expect(stillAt(plain, 0, at('2027-06-05T03:00'))).toBeNull()
    expect(outAt(plain, 0, 5, HOUR)).toBe(5 + HOUR)
    expect(used(plain, 0, 5, 4)).toBe(0)
  })
})

it('one’s own hours are those of this computer', () => {
  expect(ownHours(60).night).toBe(60)
  expect(ownHours(60).zone).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone)
})
