/** Matches that the form of the lobby does not offer: with clocks of seconds. */

import type { Page } from '@playwright/test'

interface Wish {
  title: string
  scenario: string
  bots?: Record<number, string>
  clock?: { bank: number; increment: number; cap: number; by_claim?: true }
  pace?: string
}

/** Offers a match over the socket, from a page of the server; returns the links of its seats. */
export function made(page: Page, wish: Wish): Promise<string[]> {
  return page.evaluate(
    (asked) =>
      new Promise<string[]>((done, failed) => {
        const socket = new WebSocket(`ws://${location.host}/socket`)
        socket.onopen = () => socket.send(JSON.stringify({ t: 'create', version: 1, command: crypto.randomUUID(), ...asked }))
        socket.onmessage = ({ data }: MessageEvent<string>) => {
          const { links, reason } = JSON.parse(data) as { links?: { role: string; path: string }[]; reason?: string }
          if (links) done(links.filter((link) => link.role === 'seat').map((link) => link.path))
          else failed(new Error(reason))
          socket.close()
        }
      }),
    wish,
  )
}
