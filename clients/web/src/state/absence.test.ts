import { beforeEach, expect, test } from 'vitest'
import { Absence } from './absence.svelte'
import { keepSeen, seen } from './progress'

beforeEach(() => localStorage.clear())

test('who comes for the first time has missed nothing', () => {
  const absence = new Absence('m')
  absence.reached(40)

  expect([absence.since, absence.until, absence.arrived, seen('m')]).toEqual([0, 0, 40, 40])
})

test('who was here has missed what came since, until it is dismissed', () => {
  keepSeen('m', 30)
  const absence = new Absence('m')
  absence.reached(40)
  absence.reached(44)
  expect([absence.since, absence.until]).toEqual([30, 40])

  absence.caughtUp()

  expect(absence.since).toBe(absence.until)
})

test('what comes while the page is out of sight is not seen, and is missed if that was for long', () => {
  const absence = new Absence('m')
  absence.reached(10)
  absence.turn(true, 0)
  absence.reached(25)
  expect(seen('m')).toBe(10)

  absence.turn(false, 3_600_000)

  expect([absence.since, absence.until, seen('m')]).toEqual([10, 25, 25])
})

test('a glance at something else is no absence', () => {
  const absence = new Absence('m')
  absence.reached(10)
  absence.turn(true, 0)
  absence.reached(25)

  absence.turn(false, 5_000)

  expect([absence.since, absence.until]).toEqual([0, 0])
})
