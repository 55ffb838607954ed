/** One websocket that comes back by itself. It knows messages, not matches.
 *
 * `opened` is called after every connection, so that whoever watches can say hello again; what was sent and
 * not answered is the business of `follow`, which sends it again under the same command id.
 */

import { elapsed, serverTime } from './time.svelte'
import type { Incoming, Outgoing } from './wire'

export type Line = 'connecting' | 'open' | 'lost' | 'closed'

const PING_MS = 15_000
const SILENCE_MS = 25_000
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 8_000
/** Close codes after which coming back the same way is of no use. */
const FOR_GOOD = new Set([4400, 4401, 4403, 4404])
const SIGNED_OUT = 'signed out'
/** An event of the window: the server has closed a connection because the session that it came with has ended. */
export const SHOWN_OUT = 'fleetfold:shown-out'

export interface Listener {
  opened(): void
  said(message: Outgoing): void
  line(state: Line, code: number): void
}

export class Socket {
  private socket: WebSocket | undefined
  private heard = 0
  private wait = FIRST_WAIT_MS
  private timer: ReturnType<typeof setTimeout> | undefined
  private pulse: ReturnType<typeof setInterval> | undefined
  private asleep = false
  private done = false
  /** When each ping went out that is not answered. */
  private asked: number[] = []
  private readonly awake = (): void => this.hurry()

  constructor(
    private readonly url: string,
    private readonly listener: Listener,
  ) {
    addEventListener('online', this.awake)
    document.addEventListener('visibilitychange', this.awake)
    this.connect()
  }

  send(message: Incoming): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false
    this.socket.send(JSON.stringify(message))
    return true
  }

  close(): void {
    this.done = true
    removeEventListener('online', this.awake)
    document.removeEventListener('visibilitychange', this.awake)
    this.shut()
  }

  private shut(): void {
    clearTimeout(this.timer)
    clearInterval(this.pulse)
    const { socket } = this
    // Closed while it connects, a browser reports an error that is none.
    if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close()
    else socket?.close()
  }

  /** Gives the connection up until somebody looks again, or the network is back. */
  rest(): void {
    this.asleep = true
    this.shut()
  }

  /** Connect now instead of when the wait is over: the network is back, or somebody looks again. */
  private hurry(): void {
    if (this.done || document.hidden) return
    // The computer may have slept, and its clock with it.
    if (this.socket?.readyState === WebSocket.OPEN) this.ping()
    else if (this.socket?.readyState !== WebSocket.CONNECTING) {
      clearTimeout(this.timer)
      this.connect()
    }
  }

  private connect(): void {
    if (this.done) return
    this.asleep = false
    this.listener.line('connecting', 0)
    const socket = new WebSocket(this.url)
    this.socket = socket
    socket.onopen = () => {
      this.heard = Date.now()
      this.asked = []
      this.pulse = setInterval(() => this.beat(socket), PING_MS)
      // First of all: then the time is known before there is a clock to be shown.
      this.ping()
      this.listener.line('open', 0)
      this.listener.opened()
    }
    socket.onmessage = (event: MessageEvent<string>) => {
      this.heard = Date.now()
      this.wait = FIRST_WAIT_MS
      const message = JSON.parse(event.data) as Outgoing
      if (message.t === 'pong') this.told(message.now)
      else this.listener.said(message)
    }
    socket.onclose = ({ code, reason }) => {
      this.lost(socket, code)
      if (code === 4401 && reason.startsWith(SIGNED_OUT)) dispatchEvent(new Event(SHOWN_OUT))
    }
  }

  private beat(socket: WebSocket): void {
    if (Date.now() - this.heard > SILENCE_MS) socket.close()
    else if (socket.readyState === WebSocket.OPEN) this.ping()
  }

  private ping(): void {
    this.asked.push(elapsed())
    this.send({ t: 'ping' })
  }

  /** A ping is answered; pongs come in the order of pings. */
  private told(now?: number): void {
    const asked = this.asked.shift()
    if (now && asked !== undefined) serverTime.heard(now, asked, elapsed())
  }

  private lost(socket: WebSocket, code: number): void {
    if (socket !== this.socket || this.done) return
    clearInterval(this.pulse)
    if (FOR_GOOD.has(code)) {
      this.done = true
      this.listener.line('closed', code)
      return
    }
    this.listener.line('lost', code)
    if (this.asleep) return
    this.timer = setTimeout(() => this.connect(), this.wait * (0.75 + Math.random() / 2))
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT_MS)
  }
}

export function socketUrl(): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/socket`
}
