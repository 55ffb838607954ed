import { expect, test } from 'vitest'
import { withParts } from './http'

const names = withParts({ jp_5div: '5 Division', 'us_1.b': 'what is called so', x: 'X' })

test.each([
  ['jp_5div', '5 Division'],
  ['jp_5div.a', '5 Division, part a'],
  ['us_1.b', 'what is called so'],
  ['jp_6div.a', undefined],
  ['jp_5div.ab', undefined],
  ['.a', undefined],
  ['x', 'X'],
  ['', undefined],
])('a part of a unit is called after it: %s', (id, name) => {
  expect(names[id]).toBe(name)
})

test('the names that there are stay the only ones that are listed', () => {
  expect(Object.keys(names)).toEqual(['jp_5div', 'us_1.b', 'x'])
  expect({ ...names, 'seat:0': 'Japan' }).toHaveProperty('jp_5div', '5 Division')
})
