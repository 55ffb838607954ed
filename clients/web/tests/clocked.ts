/** A match with clocks, which the lobby's form offers in minutes, of so many seconds. */

import type { Server } from './server'
import { type Page, seated, sit, type Watched } from './table'

/** Two at a table of the duel, Japan first, whose time runs; the second at a telephone if `touch`. */
export async function clocked(people: Watched, { url }: Server, bank: number, touch = false): Promise<[Page, Page]> {
  const pages: [Page, Page] = [await people.person(), await people.person(touch)]
  await pages[0].goto('/')
  const links = await pages[0].evaluate(
    (seconds) =>
      new Promise<string[]>((done) => {
        const socket = new WebSocket(`ws://${location.host}/socket`)
        const clock = { bank: seconds, increment: 0, cap: 0 }
        const wish = { title: 'midway', scenario: 'duel', clock, pace: 'live' }
        socket.onopen = () => socket.send(JSON.stringify({ t: 'create', version: 1, command: crypto.randomUUID(), ...wish }))
        socket.onmessage = ({ data }: MessageEvent<string>) => {
          const { links } = JSON.parse(data) as { links: { role: string; path: string }[] }
          done(links.filter((link) => link.role === 'seat').map((link) => link.path))
          socket.close()
        }
      }),
    bank,
  )
  for (const [seat, name] of ['Red admiral', 'Blue admiral'].entries()) {
    const page = pages[seat]!
    await page.goto(url + links[seat])
    await page.getByLabel('Your name').fill(name)
    await sit(page)
  }
  for (const page of pages) await seated(page)
  return pages
}
