import { expect, it } from 'vitest'
import { counted } from './count'

it.each([
  ['0 groups', counted(0, 'group')],
  ['1 group', counted(1, 'group')],
  ['2 groups', counted(2, 'group')],
  ['1 receipt agrees', counted(1, 'receipt agrees', 'receipts agree')],
])('a number of things is %j', (expected, said) => {
  expect(said).toBe(expected)
})
