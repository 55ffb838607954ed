import { expect, test } from 'vitest'
import type { MatchInfo } from '../protocol/wire'
import { worthWatching } from './worth'

const match = (id: string, more: Partial<MatchInfo>): MatchInfo =>
  ({ match: id, seats: [{ taken: 'person' }, { taken: 'person' }], onlookers: 0, rated: false, last: 0, ...more }) as MatchInfo

const bots = [{ taken: 'person' }, { taken: 'bot' }] as MatchInfo['seats']

test('what others watch stands on top, then who plays whom, then whether it is rated, then the latest move', () => {
  const all = [
    match('latest against a bot', { last: 9, seats: bots }),
    match('older', { last: 1 }),
    match('later', { last: 2 }),
    match('rated', { rated: true }),
    match('watched', { onlookers: 1, seats: bots }),
  ]

  const found = worthWatching(all, [], 5).map((one) => one.match)

  expect(found).toEqual(['watched', 'rated', 'later', 'older', 'latest against a bot'])
})

test('what is shown keeps its place while nobody looks elsewhere', () => {
  const all = [match('one', { last: 1 }), match('two', { last: 2 })]

  expect(worthWatching(all, ['one', 'two'], 1).map((one) => one.match)).toEqual(['one'])
})
