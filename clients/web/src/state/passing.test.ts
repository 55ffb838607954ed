import { expect, test } from 'vitest'
import { Passing, type Stretch, wait } from './passing.svelte'

function given(): { passing: Passing; now: Stretch } {
  const now = { seat: 0, since: 10 }
  return { passing: new Passing(() => ({ ...now })), now }
}

test('it is offered after two passes of one stretch', () => {
  const { passing, now } = given()
  passing.answered(true)
  expect(passing.offered).toBe(false)
  now.since = 20
  passing.answered(true)
  expect(passing.offered).toBe(false)

  passing.answered(true)

  expect([passing.offered, passing.on]).toEqual([true, false])
})

test('the passes of another seat, played from here too, are its own', () => {
  const { passing, now } = given()
  passing.answered(true)
  now.seat = 1
  passing.answered(true)
  expect(passing.offered).toBe(false)
  now.seat = 0

  passing.answered(true)

  expect(passing.offered).toBe(true)
})

test('an answer that is no pass is not counted, and the count begins anew', () => {
  const { passing } = given()
  passing.answered(true)
  passing.answered(false)
  passing.answered(true)

  expect(passing.offered).toBe(false)
})

test('it holds for the seat and the stretch in which it was begun', () => {
  const { passing, now } = given()
  passing.begin()
  expect(passing.on).toBe(true)

  now.seat = 1
  expect(passing.on).toBe(false)
  now.seat = 0
  expect(passing.on).toBe(true)
  now.since = 20
  expect(passing.on).toBe(false)
})

test('an answer of another kind ends it, and so does a word', () => {
  const { passing } = given()
  passing.begin()
  passing.answered(false)
  expect(passing.on).toBe(false)

  passing.begin()
  passing.end()

  expect([passing.on, passing.offered]).toEqual([false, false])
})

test('the wait is a person’s', () => {
  const waits = Array.from({ length: 200 }, wait)

  expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000)
  expect(Math.max(...waits)).toBeLessThanOrEqual(3_000)
  expect(new Set(waits).size).toBeGreaterThan(100)
})
