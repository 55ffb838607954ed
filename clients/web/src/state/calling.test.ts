import { expect, test } from 'vitest'
import { tagOf } from './calling'

test('a notice of the browser has the tag of the push that says the same', async () => {
  // The same stands in tests/server/test_notices_senders.py.
  expect(await tagOf('turn', '01a208fc-c199-71e4-9c84-6d0a315f629e')).toBe('Zg49cFhfDRUI-If9uItg_aUSZzW2__Q2')
})
