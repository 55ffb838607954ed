import { afterEach, beforeEach, expect, test } from 'vitest'
import { AT_FIRST, type Bounds, hands, placed, type Seen, zoomed } from './seen'

const WHOLE: Bounds = { window: [400, 300], whole: [400, 300], least: 1 }
const TALL: Bounds = { window: [400, 300], whole: [400, 900], least: 0.5 }

test('what lies under the pointer stays there when it is zoomed', () => {
  const { k, x, y } = zoomed(AT_FIRST, 2, [100, 60], [100, 60], WHOLE)

  expect([k, k * 100 + x, k * 60 + y]).toEqual([2, 100, 60])
})

test('no part of the window stays empty that the board could fill', () => {
  expect(placed({ k: 2, x: 30, y: -500 }, WHOLE)).toEqual({ k: 2, x: 0, y: -300 })
  expect(placed({ k: 1, x: -30, y: -700 }, TALL)).toEqual({ k: 1, x: 0, y: -600 })
})

test('a board under notices can be moved down from under them, and no farther', () => {
  expect(placed({ k: 1, x: 0, y: 90 }, { ...WHOLE, covered: 60 })).toEqual({ k: 1, x: 0, y: 60 })
  expect(placed({ k: 1, x: 0, y: -90 }, { ...WHOLE, covered: 60 })).toEqual({ k: 1, x: 0, y: 0 })
  expect(placed({ k: 1, x: 0, y: 90 }, { ...TALL, covered: 60 })).toEqual({ k: 1, x: 0, y: 60 })
})

test('a board that is smaller than its window stands in the middle', () => {
  expect(placed({ k: 0.5, x: 0, y: -200 }, TALL)).toEqual({ k: 0.5, x: 100, y: -150 })
})

test('it is seen neither nearer than six times nor from farther than all of it', () => {
  expect(zoomed(AT_FIRST, 40, [0, 0], [0, 0], WHOLE).k).toBe(6)
  expect(zoomed(AT_FIRST, 0.1, [0, 0], [0, 0], TALL).k).toBe(0.5)
})

let window: HTMLElement
let seen: Seen
let letGo: () => void
let clicks = 0

function send(type: string, init: PointerEventInit): void {
  window.dispatchEvent(new PointerEvent(type, { bubbles: true, buttons: 1, pointerType: 'mouse', ...init }))
}

beforeEach(() => {
  window = document.body.appendChild(document.createElement('div'))
  seen = { k: 2, x: -100, y: -100 }
  letGo = hands(
    window,
    () => seen,
    () => WHOLE,
    (now) => (seen = now),
  )
  clicks = 0
  window.addEventListener('click', () => (clicks += 1))
})
afterEach(() => {
  letGo()
  window.remove()
})

test('a drag moves the board and chooses nothing', () => {
  send('pointerdown', { clientX: 50, clientY: 50 })
  send('pointermove', { clientX: 90, clientY: 30 })
  send('pointerup', { buttons: 0 })
  send('pointermove', { clientX: 0, clientY: 0, buttons: 0 })
  window.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }))

  expect([seen, clicks]).toEqual([{ k: 2, x: -60, y: -120 }, 0])
})

test('a hand that trembles still chooses', () => {
  send('pointerdown', { clientX: 50, clientY: 50 })
  send('pointermove', { clientX: 53, clientY: 50 })
  send('pointerup', { buttons: 0 })
  window.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }))

  expect(clicks).toBe(1)
})

test('a drag that goes beyond the edge comes back to where it took hold', () => {
  send('pointerdown', { clientX: 50, clientY: 50 })
  send('pointermove', { clientX: 900, clientY: 50 })
  send('pointermove', { clientX: 50, clientY: 50 })

  expect(seen).toEqual({ k: 2, x: -100, y: -100 })
})

test('two fingers that part bring the board nearer, about their middle', () => {
  send('pointerdown', { pointerId: 1, pointerType: 'touch', clientX: 100, clientY: 100 })
  send('pointerdown', { pointerId: 2, pointerType: 'touch', clientX: 200, clientY: 100 })
  send('pointermove', { pointerId: 1, pointerType: 'touch', clientX: 50, clientY: 100 })
  send('pointermove', { pointerId: 2, pointerType: 'touch', clientX: 250, clientY: 100 })

  expect(seen).toEqual({ k: 4, x: -350, y: -300 })
})
