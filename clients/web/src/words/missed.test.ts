import { expect, test } from 'vitest'
import type { Told } from '../protocol/wire'
import type { Title } from '../titles/title'
import { weighty } from './missed'

const title = {
  turnWord: 'Sequence',
  chapter: (fact: Told) => (fact.type === 'TurnBegan' ? { turn: fact.seq, title: 'Resupply', side: null } : null),
  weight: (fact: Told) => (fact.type === 'Sunk' ? 'grave' : fact.type === 'Moved' ? 'heavy' : ''),
} as unknown as Title

function facts(...types: string[]): Told[] {
  return types.map((type, place) => ({ seq: place + 1, type, words: type, body: '{}', command: '', at: 0, h: '' }) as unknown as Told)
}

test('what weighs is told with where it happened, and nothing of what was seen before', () => {
  const told = weighty(facts('TurnBegan', 'Sunk', 'Rolled', 'Moved', 'Sunk', 'Moved'), 2, 5, title)

  expect(told.map(({ fact, chapter }) => [fact.seq, chapter])).toEqual([
    [4, 'Sequence 1, Resupply'],
    [5, 'Sequence 1, Resupply'],
  ])
})

test('of too much the grave is told before the heavy, and the latest before the earlier, in the order of the match', () => {
  const told = weighty(facts('Sunk', 'Moved', 'Moved', 'Moved', 'Moved', 'Moved', 'GameEnded'), 0, 7, title)

  expect(told.map(({ fact }) => fact.seq)).toEqual([1, 4, 5, 6, 7])
})

test('what was taken back did not happen', () => {
  const list = facts('Sunk', 'Moved', 'Undone')
  list[2] = { ...list[2]!, body: '{"back_to": 1}' }

  expect(weighty(list, 0, 3, title).map(({ fact }) => fact.seq)).toEqual([1])
})

test('a correction weighs', () => {
  const list = facts('Sunk', 'Moved', 'Undone')
  list[2] = { ...list[2]!, body: '{"back_to": 1, "consent": true}' }

  expect(weighty(list, 1, 3, title).map(({ fact }) => fact.seq)).toEqual([3])
})
