/** Plays seats of a match over the socket, without the page: to get far into a match in seconds. */

import type { Page } from '@playwright/test'

export interface Until {
  /** So many facts, or the end. */
  most: number
  /** A seat is asked this: its option's type. */
  asks?: string
  /** One of its options says this, too. */
  says?: string
  /** Not before so many facts. */
  least?: number
  /** Only this seat. */
  seat?: number
  /** Seats end a stage only where nothing else can be done: more is fought in a match. */
  presses?: boolean
  /** Seats take what the house proposes, else what ends the step, else the first on the list: months pass without a battle. */
  hurries?: boolean
}

/** What ends a step, the first of them that there is. */
const SOONEST = ['suggested', 'done', 'pass', 'no_bid', 'forfeit', 'end_contact']

/** The tokens of the seats of a match that are kept in a browser. */
export function tokensOf(page: Page, match: string): Promise<string[]> {
  return page.evaluate((id) => {
    const kept = JSON.parse(localStorage.getItem(`fleetfold.match.${id}`)!) as { ways: { role: string; token: string }[] }
    return kept.ways.filter((way) => way.role === 'seat').map((way) => way.token)
  }, match)
}

/** Plays on with the seats that are kept in a browser. Its page leaves the match: it would have to draw every step. */
export async function playOn(page: Page, match: string, seed: number, until: Until): ReturnType<typeof playOut> {
  await page.goto('/verify')
  return playOut(page, match, await tokensOf(page, match), seed, until)
}

/** The match must be started. Returns the number of facts at the end, and the seat that is asked what was waited for. */
export function playOut(
  page: Page,
  match: string,
  tokens: string[],
  seed: number,
  until: Until,
): Promise<{ facts: number; asked: number | null }> {
  return page.evaluate(
    async ({ id, seats, first, limit, wanted, said, least, whose, share, ways }) =>
      new Promise<{ facts: number; asked: number | null }>((done) => {
        let [head, stopped] = [0, false]
        const stop = (asked: number | null): void => {
          stopped = true
          for (const one of sockets) {
            // Closed while it connects, the browser would report an error that is none.
            if (one.readyState === WebSocket.CONNECTING) one.onopen = () => one.close()
            else one.close()
          }
          done({ facts: head, asked })
        }
        const sockets = seats.map((token, place) => {
          let seat = -1
          // Chance is a function of the seat and of how many decisions it made: who is heard first changes nothing.
          let made = 0
          const chance = (lot: number): number => {
            let bits = Math.imul(first + place * 7_919 + made * 104_729 + lot * 1_299_709, 0x9e3779b1)
            bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b)
            return ((bits ^ (bits >>> 13)) >>> 0) / 2 ** 32
          }
          let now = { upto: 0, prompts: [] as { seat: number; options: { type: string }[]; quiet?: number[]; sealed?: boolean }[] }
          /** A decision is on its way, or the frame with what came of it. */
          let [waits, reach] = [false, 0]
          const socket = new WebSocket(`ws://${location.host}/socket`)
          const decide = (): void => {
            const prompt = now.prompts.find((one) => one.seat === seat)
            if (!prompt || waits || stopped || now.upto < reach) return
            waits = true
            // Sent one by one: in a sealed window only what ends a command.
            const options = prompt.options.filter((_, place) => !prompt.sealed || !prompt.quiet?.includes(place))
            const others = options.filter((option) => !/^(DONE|STRIKE_BELOW|done|new_tf|transfer_ship)$/.test(option.type))
            const list = others.length && chance(0) < share ? others : options
            const [soonest] = ways.flatMap((type) => options.filter((option) => option.type === type))
            const decision = ways.length ? (soonest ?? options[0]) : list[Math.floor(chance(1) * list.length)]
            socket.send(JSON.stringify({ t: 'decide', match: id, command: crypto.randomUUID(), answers: now.upto, decision }))
          }
          socket.onopen = () => socket.send(JSON.stringify({ t: 'hello', version: 1, match: id, token, after: 0 }))
          socket.onmessage = ({ data }: MessageEvent<string>) => {
            const message = JSON.parse(data) as {
              t: string
              seat?: number
              seq?: number
              upto: number
              facts?: { type: string }[]
              prompts: { seat: number; options: { type: string }[]; quiet?: number[]; sealed?: boolean }[]
            }
            if (message.t === 'welcome') seat = message.seat!
            if (message.t === 'receipt' || message.t === 'refused') {
              waits = false
              reach = message.seq ?? 0
              // What others decided meanwhile may have made it void; no hurry then.
              if (message.t === 'receipt') {
                made++
                decide()
              } else setTimeout(decide, 50)
            }
            if (stopped || (message.t !== 'frame' && message.t !== 'view')) return
            head = Math.max(head, message.upto)
            now = message
            const asks = (one: { seat: number; options: { type: string }[] }): boolean =>
              head >= least &&
              (whose === null || one.seat === whose) &&
              one.options.some((option) => option.type === wanted && JSON.stringify(option).includes(said))
            const asked = message.prompts.find(asks)
            if (asked || head >= limit || message.facts?.some((fact) => fact.type === 'Ended')) {
              stop(asked?.seat ?? null)
              return
            }
            decide()
          }
          return socket
        })
      }),
    {
      id: match,
      seats: tokens,
      first: seed,
      limit: until.most,
      wanted: until.asks ?? '',
      said: until.says ?? '',
      least: until.least ?? 0,
      whose: until.seat ?? null,
      share: until.presses ? 1 : 0.93,
      ways: until.hurries ? SOONEST : [],
    },
  )
}
