/** Plays both seats of a match over the socket, without the page: to get a long match in seconds. */

import type { Page } from '@playwright/test'

/** The match must be started and both its seats kept in this browser. Returns the number of facts at the end. */
export function playOut(page: Page, match: string, seed: number, most: number): Promise<number> {
  return page.evaluate(
    async ({ id, first, limit }) => {
      const kept = JSON.parse(localStorage.getItem(`fleetfold.match.${id}`)!) as { ways: { role: string; token: string; seat: number }[] }
      let state = first >>> 0
      const chance = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32
      const seats = kept.ways.filter((way) => way.role === 'seat')
      return new Promise<number>((done) => {
        let head = 0
        const sockets = seats.map(({ token, seat }) => {
          const socket = new WebSocket(`ws://${location.host}/socket`)
          socket.onopen = () => socket.send(JSON.stringify({ t: 'hello', version: 1, match: id, token, after: 0 }))
          socket.onmessage = ({ data }: MessageEvent<string>) => {
            const message = JSON.parse(data) as {
              t: string
              upto: number
              facts?: { type: string }[]
              prompts: { seat: number; options: { type: string }[] }[]
            }
            if (message.t !== 'frame' && message.t !== 'view') return
            head = Math.max(head, message.upto)
            if (head >= limit || message.facts?.some((fact) => fact.type === 'Ended')) {
              for (const one of sockets) one.close()
              done(head)
              return
            }
            const prompt = message.prompts.find((one) => one.seat === seat)
            if (!prompt) return
            const others = prompt.options.filter((option) => option.type !== 'DONE' && option.type !== 'STRIKE_BELOW')
            const list = others.length && chance() < 0.93 ? others : prompt.options
            const decision = list[Math.floor(chance() * list.length)]
            socket.send(JSON.stringify({ t: 'decide', match: id, command: crypto.randomUUID(), answers: message.upto, decision }))
          }
          return socket
        })
      })
    },
    { id: match, first: seed, limit: most },
  )
}
