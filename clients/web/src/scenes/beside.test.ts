import { expect, test } from 'vitest'
import { beside } from './beside'

const FRAME = new DOMRect(100, 50, 1000, 600)
const CARD = { offsetWidth: 200, offsetHeight: 80 } as HTMLElement
const ABOUT = new DOMRect(500, 300, 40, 40)

test('a card of a scene lies beside what it is about, and on the side where nothing can be chosen', () => {
  expect(beside(ABOUT, FRAME, CARD)).toMatchObject({ x: 452, y: 230 })

  expect(beside(ABOUT, FRAME, CARD, [new DOMRect(600, 300, 40, 40)])).toMatchObject({ x: 188, y: 230 })
  // Where it covers something wherever it lies, it is where it would be anyway.
  expect(beside(ABOUT, FRAME, CARD, [FRAME])).toMatchObject({ x: 452, y: 230 })
})
