import { expect, test } from 'vitest'
import { beside, type Box } from './placing'

const ROOM = { width: 1000, height: 800 }
const CARD = { width: 260, height: 200 }

function apart(one: Box, other: Box): boolean {
  return (
    one.left + one.width <= other.left ||
    other.left + other.width <= one.left ||
    one.top + one.height <= other.top ||
    other.top + other.height <= one.top
  )
}

test('a card lies to the right of its counter where there is room, else to the left', () => {
  const middle = { left: 400, top: 300, width: 40, height: 40 }
  const edge = { left: 940, top: 300, width: 40, height: 40 }

  expect(beside([middle], CARD, ROOM)).toMatchObject({ left: 450, top: 300 })
  expect(beside([edge], CARD, ROOM)).toMatchObject({ left: 670, top: 300 })
})

test('it keeps clear of the whole open stack, and of the counter alone where the stack leaves no room', () => {
  const stack = { left: 300, top: 200, width: 300, height: 300 }
  const whole = { left: 20, top: 20, width: 960, height: 760 }
  const counter = { left: 500, top: 300, width: 40, height: 40 }

  expect(apart(beside([stack, counter], CARD, ROOM), stack)).toBe(true)
  expect(apart(beside([whole, counter], CARD, ROOM), counter)).toBe(true)
})

test('wherever a counter is, its card lies in the window and not over it', () => {
  for (let left = 0; left <= 340; left += 34) {
    for (let top = 0; top <= 600; top += 60) {
      const counter = { left, top, width: 44, height: 44 }
      const found = beside([counter], CARD, { width: 390, height: 664 })

      expect(apart(found, counter)).toBe(true)
      expect(found.left >= 0 && found.top >= 0 && found.left + 260 <= 390 && found.top + 200 <= 664).toBe(true)
    }
  }
})

test('where it could cover what can be chosen, it goes to the other side', () => {
  const counter = { left: 400, top: 300, width: 40, height: 40 }
  const target = { left: 500, top: 320, width: 40, height: 40 }

  expect(beside([counter], CARD, ROOM, [target])).toMatchObject({ left: 130, top: 300 })
})
