import { expect, test } from 'vitest'
import type { Choice } from '../titles/title'
import { goesAtOnce } from './lastpick.svelte'

function choice(type: string, leaves: boolean): Choice {
  return { decision: { type }, key: type, label: type, path: [], leaves }
}
const PASS = choice('pass', true)
const CARD = choice('play_card', false)

test('a pass in a window goes as soon with a card in hand as without one', () => {
  for (const hand of [[PASS], [PASS, CARD]]) expect(goesAtOnce(PASS, hand, { quiet: false, window: true })).toBe(true)
})

test('what ends a step is held back where something else could be chosen', () => {
  const done = choice('Done', true)

  expect(goesAtOnce(done, [done, choice('Move', false)], { quiet: false, window: false })).toBe(false)
  expect(goesAtOnce(done, [done], { quiet: false, window: false })).toBe(true)
})

test('an answer with a card is held back in a window, too, and a quiet pick nowhere', () => {
  expect(goesAtOnce(CARD, [PASS, CARD], { quiet: false, window: true })).toBe(false)
  expect(goesAtOnce(CARD, [PASS, CARD], { quiet: true, window: false })).toBe(true)
})

test('a pick that was the only one waits like any other: how fast it went would tell what is in a hand', () => {
  const chit = choice('play_chit', false)

  expect(goesAtOnce(chit, [chit], { quiet: false, window: false })).toBe(false)
  expect(goesAtOnce(chit, [chit, choice('play_chit', false)], { quiet: false, window: false })).toBe(false)
})
