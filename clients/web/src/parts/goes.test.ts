import { expect, test } from 'vitest'
import type { Choice } from '../titles/title'
import { goes } from './goes'

const choice = (label: string, ...path: string[]): Choice => ({ decision: { type: label }, key: label, label, path, leaves: false })
const names = { KAGA: 'Kaga', AKAGI: 'Akagi' }

test('where a counter may go is said by the names of the places', () => {
  const choices = [choice('Land G1 on Kaga', 'G1', 'KAGA'), choice('Land G1 on Akagi', 'G1', 'AKAGI'), choice('Done')]

  expect(goes(choices, 'G1', names)).toBe('Kaga, Akagi')
  expect(goes(choices, 'G2', names)).toBe('')
})

test('what has no place of that name is said as its button would', () => {
  expect(goes([choice('Launch G1', 'G1', 'sky'), choice('Lose G1', 'G1')], 'G1', names)).toBe('Launch G1, Lose G1')
  expect(goes([choice('Land G1 on Kaga', 'G1', 'KAGA')], 'G1', names)).toBe('Land G1 on Kaga')
})

test('a long list is cut short, and says so', () => {
  const many = Array.from({ length: 20 }, (_, number) => choice(`${number}`, 'G1', `P${number}`))
  const places = Object.fromEntries(many.map((_, number) => [`P${number}`, `Place ${number}`]))

  expect(goes(many, 'G1', places)).toBe('Place 0, Place 1, Place 2, Place 3, Place 4 and 15 more')
})
