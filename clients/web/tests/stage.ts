/** A server whose clock is moved on by hand, with a mail server and a push service beside it (`tests/weeks/stage.py`). */

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { project, python, type Server } from './server'

export interface Told {
  seat: number
  channel: 'mail' | 'push' | 'webhook'
  kind: string
}

export interface Stage extends Server {
  /** Where the person at a seat is pushed to, and keys as a browser has them; he has this address. */
  receiver(seat: number, address: string, key: string): Promise<{ endpoint: string; p256dh: string; auth: string }>
  /** The token of the link that was mailed next. */
  letter(): Promise<string>
  asked(match: string): Promise<number[]>
  /** When nobody is at a match. */
  away(match: string): Promise<void>
  /** Moves the clock on; what was told since the last time. */
  later(seconds: number): Promise<Told[]>
}

export async function startStage(): Promise<Stage> {
  const child = spawn(python, ['-m', 'tests.weeks', 'stage'], { cwd: project, stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const heard = async <T>(): Promise<T> => {
    const { value, done } = (await lines.next()) as { value: string; done?: boolean }
    if (done) throw new Error(`the stage has ended: ${said.slice(-2000)}`)
    return JSON.parse(value) as T
  }
  const ask = <T>(what: object): Promise<T> => {
    child.stdin.write(`${JSON.stringify(what)}\n`)
    return heard<T>()
  }
  const url = await heard<string>()
  const never = (): Promise<never> => Promise.reject(new Error('nothing runs beside a stage'))
  return {
    url,
    restart: never,
    beside: never,
    stop: () =>
      new Promise((done) => {
        child.once('exit', () => done())
        if (child.exitCode === null) child.stdin.end()
        else done()
      }),
    receiver: (seat, address, key) => ask({ receiver: seat, address, key }),
    letter: () => ask({ letter: true }),
    asked: (match) => ask({ asked: match }),
    away: (match) => ask({ away: match }),
    later: (seconds) => ask({ later: seconds }),
  }
}
