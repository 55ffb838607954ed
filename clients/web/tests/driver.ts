/** Plays both seats of a match over the socket from a page beside it, some decisions at a time: what is asked now is
 * told, so that another page can be compared with it. */

import type { Page } from '@playwright/test'
import { tokensOf } from './quick'

export interface Asked {
  seat: number
  rule: string
  options: { type: string }[]
  quiet?: number[]
  sealed?: boolean
}

export interface Moment {
  /** The last fact. */
  head: number
  over: boolean
  prompts: Asked[]
}

interface Driving {
  drive(most: number, seen: readonly string[]): Promise<Moment>
}

/** What kind of question it is: the types of its options. */
export function kindOf({ options }: Asked): string {
  return [...new Set(options.map(({ type }) => type))].sort().join()
}

export class Driver {
  private constructor(private readonly page: Page) {}

  /** `page` is of the browser that keeps the seats; it leaves the match for good. */
  static async of(page: Page, match: string, seed: number): Promise<Driver> {
    const tokens = await tokensOf(page, match)
    await page.evaluate(
      ({ id, seats, first }) => {
        let state = first >>> 0
        const chance = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32
        let [head, receipt] = [0, -1]
        const said = { over: false }
        let prompts: Asked[] = []
        let heard = (): void => undefined
        const eyes = seats.map((token) => {
          const eye = { socket: new WebSocket(`ws://${location.host}/socket`), seat: -1, upto: -1, prompts: [] as Asked[] }
          eye.socket.onopen = () => eye.socket.send(JSON.stringify({ t: 'hello', version: 1, match: id, token, after: 0 }))
          eye.socket.onmessage = ({ data }: MessageEvent<string>) => {
            const told = JSON.parse(data) as {
              t: string
              seat?: number
              seq?: number
              upto: number
              prompts: Asked[]
              facts?: { type: string }[]
            }
            if (told.t === 'welcome') eye.seat = told.seat!
            if (told.t === 'refused') receipt = head
            if (told.t === 'receipt') receipt = told.seq!
            if (told.t === 'frame' || told.t === 'view') {
              eye.upto = told.upto
              eye.prompts = told.prompts.filter(({ seat }) => seat === eye.seat)
              said.over ||= told.facts?.some(({ type }) => type === 'Ended') ?? false
            }
            heard()
          }
          return eye
        })
        const until = (met: () => boolean): Promise<void> =>
          new Promise((done) => {
            heard = () => {
              if (met()) done()
            }
            heard()
          })
        const look = (): void => {
          head = eyes[0]!.upto
          prompts = eyes.flatMap((eye) => eye.prompts)
        }
        const kind = ({ options }: Asked): string => [...new Set(options.map(({ type }) => type))].sort().join()
        Object.assign(window, {
          drive: async (most: number, seen: readonly string[]): Promise<Moment> => {
            await until(() => eyes.every((eye) => eye.upto >= 0 && eye.upto === eyes[0]!.upto))
            look()
            for (let count = 0; count < most && !said.over && prompts.length; count++) {
              if (count && prompts.some((one) => !seen.includes(kind(one)))) break
              const prompt = prompts[Math.floor(chance() * prompts.length)]!
              const eye = eyes.find(({ seat }) => seat === prompt.seat)!
              // What goes back and forth without end is chosen seldom.
              // Sent one by one: in a sealed window only what ends a command.
              const options = prompt.options.filter((_, place) => !prompt.sealed || !prompt.quiet?.includes(place))
              const others = options.filter(({ type }) => !/^(DONE|STRIKE_BELOW|pass|set_top|done|new_tf|transfer_ship)$/.test(type))
              const list = others.length && chance() < 0.93 ? others : options
              const decision = list[Math.floor(chance() * list.length)]
              receipt = -1
              eye.socket.send(JSON.stringify({ t: 'decide', match: id, command: crypto.randomUUID(), answers: eye.upto, decision }))
              await until(() => receipt >= 0 && eyes.every(({ upto }) => upto >= receipt && upto === eyes[0]!.upto))
              look()
            }
            return { head, over: said.over, prompts }
          },
        })
      },
      { id: match, seats: tokens, first: seed },
    )
    return new Driver(page)
  }

  /** Decides so many times, or until a question comes whose kind is not among those seen, or the end. */
  drive(most: number, seen: readonly string[]): Promise<Moment> {
    return this.page.evaluate(([count, kinds]) => (window as unknown as Driving).drive(count, kinds), [most, seen] as const)
  }
}
