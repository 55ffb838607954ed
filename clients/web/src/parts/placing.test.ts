import { expect, test } from 'vitest'
import { beside, type Box, clear } from './placing'

const ROOM = { left: 0, top: 0, width: 1000, height: 800 }
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
      const found = beside([counter], CARD, { left: 0, top: 0, width: 390, height: 664 })

      expect(apart(found, counter)).toBe(true)
      expect(found.left >= 0 && found.top >= 0 && found.left + 260 <= 390 && found.top + 200 <= 664).toBe(true)
    }
  }
})

test('where it could cover what can be chosen, it goes to the other side', () => {
  const counter = { left: 400, top: 300, width: 40, height: 40 }
  const target = { left: 500, top: 240, width: 40, height: 400 }

  expect(beside([counter], CARD, ROOM, [[target]])).toMatchObject({ left: 130, top: 300 })
})

test('among pieces on all sides it is moved along its counter to where it covers none of them', () => {
  const counter = { left: 400, top: 300, width: 40, height: 40 }
  const spots = [460, 340].map((left) => ({ left, top: 300, width: 40, height: 40 }))
  const others = [...spots, { left: 400, top: 350, width: 40, height: 40 }, { left: 430, top: 250, width: 40, height: 40 }]

  const found = beside([counter], CARD, ROOM, [[], others])

  expect([counter, ...others].filter((one) => !apart(found, one))).toEqual([])
  expect(found).toMatchObject({ left: 164, top: 90 })
})

test('what matters most stays in sight, though more of what matters less is covered', () => {
  const counter = { left: 400, top: 300, width: 40, height: 40 }
  const chosen = { left: 450, top: 0, width: 4, height: 800 }
  const others = { left: 0, top: 0, width: 390, height: 800 }
  const below = { left: 0, top: 350, width: 1000, height: 450 }
  const above = { left: 0, top: 0, width: 1000, height: 290 }

  const found = beside([counter], CARD, ROOM, [[chosen, below, above], [others]])

  expect(apart(found, chosen)).toBe(true)
})

test('a card about nothing on the board lies where nothing is, as high or as low as can be', () => {
  const high = { left: 0, top: 0, width: 1000, height: 100 }
  const low = { left: 0, top: 700, width: 1000, height: 100 }

  const [up, down] = [clear(CARD, ROOM, [[high, low]]), clear(CARD, ROOM, [[high, low]], true)]

  expect([up, down].flatMap((one) => [apart(one, high), apart(one, low)])).toEqual([true, true, true, true])
  expect(up.top).toBeLessThan(down.top)
  expect(up.left).toBeCloseTo(370, -2)
})

test('where it would cover a name on every side, it lies farther off if it covers none there', () => {
  const stack = { left: 400, top: 300, width: 40, height: 40 }
  const names = [
    { left: 300, top: 340, width: 240, height: 20 },
    { left: 300, top: 280, width: 240, height: 20 },
    { left: 300, top: 300, width: 100, height: 40 },
    { left: 440, top: 300, width: 100, height: 40 },
  ]
  const label = { width: 70, height: 24 }

  expect(names.every((one) => apart(beside([stack], label, ROOM, [names]), one))).toBe(false)
  const far = beside([stack], label, ROOM, [names], [10, 30])
  expect(names.every((one) => apart(far, one))).toBe(true)
  expect(beside([stack], label, ROOM, [], [10, 30])).toEqual(beside([stack], label, ROOM))
})
