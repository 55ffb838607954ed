import { flushSync } from 'svelte'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { inPortions } from './portions.svelte'

beforeEach(() => void vi.useFakeTimers({ toFake: ['requestAnimationFrame', 'cancelAnimationFrame'] }))
afterEach(() => void vi.useRealTimers())

const items = (from: number, to: number): { id: string }[] =>
  Array.from({ length: to - from }, (_, place) => ({ id: String(from + place) }))

function framed(): void {
  vi.advanceTimersToNextFrame()
  flushSync()
}

it('draws a portion with each frame until all is drawn, and keeps what was', () => {
  const shown = $state({ all: items(0, 30) })
  let now: () => { id: string }[] = () => []
  // eslint-disable-next-line svelte/prefer-destructured-store-props -- a rune, no store
  const end = $effect.root(() => {
    now = inPortions(() => shown.all)
  })
  flushSync()
  expect(now()).toHaveLength(12)
  framed()
  expect(now()).toHaveLength(24)
  framed()
  expect(now()).toEqual(shown.all)
  expect(vi.getTimerCount()).toBe(0)

  // Half of it stays, in its place; what is new comes in portions.
  shown.all = items(15, 50)
  flushSync()
  expect(now().map(({ id }) => Number(id))).toEqual(Array.from({ length: 27 }, (_, place) => 15 + place))
  framed()
  expect(now()).toEqual(shown.all)
  end()
})
