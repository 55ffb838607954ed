import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ago } from '../words/time'
import { Socket } from './socket'
import { ServerTime, serverTime } from './time.svelte'

const DAY_US = 86_400_000_000

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('before anything is heard it is what the computer says, and nothing is over for certain', () => {
  const time = new ServerTime()

  expect([time.now(), time.least()]).toEqual([Date.now() * 1_000, -Infinity])
})

test('an answer bounds the time by when it was asked for and when it was heard', () => {
  const time = new ServerTime()

  vi.advanceTimersByTime(3_000)
  time.heard(DAY_US, 1_000_000, 3_000_000)

  expect([time.now(), time.least()]).toEqual([DAY_US + 1_000_000, DAY_US])
})

test('a quick answer narrows what a slow one left open, and a slow one widens nothing', () => {
  const time = new ServerTime()

  time.heard(DAY_US, -4_000_000, 0)
  time.heard(DAY_US + 100_000, 0, 0)
  time.heard(DAY_US, -9_000_000, 0)

  expect([time.now(), time.least()]).toEqual([DAY_US + 100_000, DAY_US + 100_000])
})

test('the day’s clock may be set: the time goes on from what was heard', () => {
  const time = new ServerTime()
  time.heard(DAY_US, 0, 0)

  vi.advanceTimersByTime(10_000)
  vi.setSystemTime(300_000)

  expect(time.now()).toBe(DAY_US + 10_000_000)
})

test.each([3_600_000_000, -3_600_000_000])('what agrees with nothing before it counts alone: %i µs', (jump) => {
  const time = new ServerTime()
  time.heard(DAY_US, 0, 0)

  time.heard(DAY_US + jump, -200_000, 0)

  expect([time.now(), time.least()]).toEqual([DAY_US + jump + 100_000, DAY_US + jump])
})

test('a connection asks for the time first, and again when somebody looks', () => {
  const sent: string[] = []
  class Wire {
    static readonly OPEN = 1
    static last: Wire
    readyState = Wire.OPEN
    onopen = (): void => undefined
    onmessage: (event: { data: string }) => void = () => undefined
    constructor() {
      Wire.last = this
    }
    send(text: string): void {
      sent.push((JSON.parse(text) as { t: string }).t)
    }
    close(): void {
      this.readyState = 3
    }
  }
  vi.stubGlobal('WebSocket', Wire)
  const said: unknown[] = []
  const socket = new Socket('ws://here', {
    opened: () => void socket.send({ t: 'lobby' }),
    said: (message) => said.push(message),
    line: () => undefined,
  })

  Wire.last.onopen()
  vi.advanceTimersByTime(2_000)
  Wire.last.onmessage({ data: JSON.stringify({ t: 'pong', now: 9 * DAY_US }) })
  document.dispatchEvent(new Event('visibilitychange'))

  expect(sent).toEqual(['ping', 'lobby', 'ping'])
  expect(said).toEqual([])
  expect(serverTime.now()).toBe(9 * DAY_US + 1_000_000)
  expect([ago(8 * DAY_US), ago(9 * DAY_US - 120_000_000)]).toEqual(['1 day ago', '2 min ago'])
  socket.close()
})
