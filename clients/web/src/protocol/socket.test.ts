import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Line, Socket } from './socket'

const HOUR_MS = 3_600_000
const URL_HERE = 'ws://here'

/** A connection that is there at once, and gone as soon as it is closed. */
class Connection {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static all: Connection[] = []
  readyState = 0
  onopen = (): void => undefined
  onmessage: (event: { data: string }) => void = () => undefined
  onclose: (event: { code: number; reason: string }) => void = () => undefined

  constructor(url: string) {
    // All files share a window, and what another has left there hears of it, too.
    if (url === URL_HERE) Connection.all.push(this)
  }

  open(): void {
    this.readyState = 1
    this.onopen()
  }

  send(text: string): void {
    if (text.includes('ping')) this.onmessage({ data: '{"t":"pong"}' })
  }

  close(): void {
    this.readyState = 3
    this.onclose({ code: 1000, reason: '' })
  }
}

let socket: Socket
let lines: Line[]

function look(hidden: boolean): void {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden)
  document.dispatchEvent(new Event('visibilitychange'))
}

function connected(): void {
  socket = new Socket(URL_HERE, { opened: () => undefined, said: () => undefined, line: (line) => lines.push(line) })
  Connection.all[0]!.open()
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', Connection)
  Connection.all = []
  lines = []
})

afterEach(() => {
  socket.close()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('one that rests has no connection until somebody looks again', () => {
  connected()
  look(true)
  socket.rest()
  vi.advanceTimersByTime(HOUR_MS)
  expect([Connection.all.length, lines.at(-1)]).toEqual([1, 'lost'])

  look(false)
  Connection.all[1]!.open()
  expect([Connection.all.length, lines.at(-1)]).toEqual([2, 'open'])
})

test('a connection that is lost while nobody looks comes back by itself', () => {
  connected()
  look(true)
  Connection.all[0]!.close()
  vi.advanceTimersByTime(1_000)
  expect(Connection.all.length).toBe(2)
})
