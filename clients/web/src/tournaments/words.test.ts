import { describe, expect, it } from 'vitest'
import type { PairingInfo, Predecessor, RoundInfo } from '../protocol/wire'
import { placeWords, pointsWords, predecessors, tiesOf, usualRounds } from './words'

function leg(number: number, first: number, second: number | null, points: number | null): PairingInfo {
  return {
    number,
    first,
    second,
    match: null,
    state: points === null ? 'playing' : 'over',
    points,
    second_points: points === null || second === null ? null : 1 - points,
    how: points === null ? null : 'played',
    reason: '',
    counts: true,
  }
}

const round = (...pairings: PairingInfo[]): RoundInfo => ({ number: 1, since: 0, over: null, pairings })

describe('tournaments in words', () => {
  it.each([
    [0, '0'],
    [0.5, '½'],
    [1, '1'],
    [2.5, '2½'],
  ])('%d points are %s', (points, words) => expect(pointsWords(points)).toBe(words))

  it.each([
    [1, '1st'],
    [2, '2nd'],
    [3, '3rd'],
    [4, '4th'],
    [11, '11th'],
    [12, '12th'],
    [21, '21st'],
    [113, '113th'],
  ])('place %d is %s', (place, words) => expect(placeWords(place)).toBe(words))

  it.each([
    [2, 1],
    [3, 2],
    [8, 3],
    [9, 4],
    [0, 1],
  ])('for %d entrants a Swiss has %d rounds', (entrants, rounds) => expect(usualRounds(entrants)).toBe(rounds))
})

describe('who had a place before', () => {
  const named = (handle: string, until: number): Predecessor => ({ player: { name: '', handle, kind: 'person' }, until })
  const names = (late: number, ...before: Predecessor[]): (string | null)[] =>
    predecessors({ late, before }).map(({ player }) => player.handle)

  it('has played in it, and did not hand it on at once', () => {
    expect(names(0, named('bert', 1), named('carl', 1), named('emil', 3))).toEqual(['bert', 'emil'])
    expect(names(0, named('bert', 0), named('carl', 0))).toEqual([])
    expect(names(3, named('bert', 2), named('carl', 3))).toEqual(['carl'])
  })
})

describe('ties of a knock-out', () => {
  it('gather the matches of two who meet, whoever has which side', () => {
    const [tie, other] = tiesOf(round(leg(1, 1, 4, 0.5), leg(2, 2, 3, 1), leg(3, 4, 1, 0)), undefined, null)

    expect(tie!.legs.map(({ number }) => number)).toEqual([1, 3])
    expect(tie!.points).toEqual([1.5, 0.5])
    expect(other!.points).toEqual([1, 0])
    expect(tie!.on).toBeNull()
  })

  it('say who went on: who is paired in the next round, or won the last', () => {
    const first = round(leg(1, 1, 4, 1), leg(2, 4, 1, 0), leg(3, 2, null, 1))

    expect(tiesOf(first, round(leg(4, 1, 2, null)), null).map(({ on }) => on)).toEqual([1, 2])
    expect(tiesOf(round(leg(4, 1, 2, 0)), undefined, 2).map(({ on }) => on)).toEqual([2])
  })
})
