import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NOTHING } from '../protocol/fold'
import { Watching } from './watching.svelte'

const over = { ...NOTHING.view.match, over: true }
const report = (): Response => new Response(JSON.stringify({ reason: 'Japan has no carrier left.' }))
const asked = vi.fn<() => Promise<Response>>()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', asked)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  asked.mockReset()
})

test('the reason of an ending is asked for again when it could not be had, and no more once it is here', async () => {
  const watching = new Watching('m', '')
  asked
    .mockRejectedValueOnce(new Error('no line'))
    .mockResolvedValueOnce(new Response('', { status: 503 }))
    .mockResolvedValue(report())
  void watching.ended(over)
  await vi.advanceTimersByTimeAsync(1)
  expect(watching.outcome(over)).toBe('The match is drawn.')

  await vi.advanceTimersByTimeAsync(60_000)
  void watching.ended(over)
  await vi.advanceTimersByTimeAsync(600_000)

  expect(watching.outcome(over)).toBe('The match is drawn. Japan has no carrier left.')
  expect(asked).toHaveBeenCalledTimes(3)
})

test('it is asked for ever more seldom, and not after the page was left', async () => {
  const watching = new Watching('m', '')
  asked.mockRejectedValue(new Error('no line'))
  void watching.ended(over)
  await vi.advanceTimersByTimeAsync(600_000)
  const often = asked.mock.calls.length
  watching.close()
  await vi.advanceTimersByTimeAsync(3_600_000)

  expect(often).toBeGreaterThan(4)
  expect(often).toBeLessThan(15)
  expect(asked.mock.calls.length).toBe(often)
})

test('names are looked up again each minute and when the page comes back into sight, until it is left', async () => {
  const watching = new Watching('m', '')
  asked.mockRejectedValue(new Error('no line'))
  await watching.look()
  const stop = watching.keepLooking()
  asked.mockClear()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toHaveBeenCalledTimes(1)

  document.dispatchEvent(new Event('visibilitychange'))
  expect(asked).toHaveBeenCalledTimes(2)
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(600_000)
  expect(asked, 'out of sight').toHaveBeenCalledTimes(2)
  vi.restoreAllMocks()
  stop()
  await vi.advanceTimersByTimeAsync(600_000)
  document.dispatchEvent(new Event('visibilitychange'))

  expect(asked).toHaveBeenCalledTimes(2)
})
