import { expect, test } from 'vitest'
import type { MatchInfo } from '../protocol/wire'
import { type Mine, ordered } from './own'
import { statusOf, waitsFor } from './said'

/** A match of two, of which these seats are taken. */
function info(
  match: string,
  state: MatchInfo['state'],
  last: number,
  asked: readonly number[] = [],
  taken: readonly number[] = [0, 1],
): MatchInfo {
  const seats = [0, 1].map((seat) => ({
    name: `side ${seat}`,
    side: seat,
    taken: taken.includes(seat) ? 'person' : null,
    player: '',
    present: false,
    handle: '',
  }))
  return { match, state, last, asked, seats, joinable: [] } as unknown as MatchInfo
}

const mine = (now: MatchInfo): Mine => ({ match: now.match, kept: null, seats: [0], tied: [0], now, waits: waitsFor(now, [0]) })

test('first come those that wait for one, of these the one that has waited for longest', () => {
  const all = [
    info('over', 'ended', 9),
    info('theirs, of late', 'playing', 8, [1]),
    info('offered', 'open', 7),
    info('mine, of late', 'playing', 6, [0]),
    info('theirs', 'playing', 5, [1]),
    info('a seat kept for one', 'open', 4, [], [1]),
    info('mine', 'playing', 3, [0]),
  ]
  expect(ordered(all.map(mine)).map(({ match }) => match)).toEqual([
    'mine',
    'a seat kept for one',
    'mine, of late',
    'theirs, of late',
    'theirs',
    'offered',
    'over',
  ])
})

test('of a seat that is kept for one it is said that it waits, and of another who is asked', () => {
  const kept = info('kept', 'open', 1, [], [1])
  expect(statusOf(kept, [0])).toBe('Your seat waits for you')
  expect(statusOf(kept, [1])).toBe('Waiting for whoever was asked to play')
})
