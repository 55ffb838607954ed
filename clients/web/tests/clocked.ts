/** A match with clocks, which the lobby's form offers in minutes, of so many seconds. */

import { made } from './making'
import type { Server } from './server'
import { type Page, seated, sit, type Watched } from './table'

/** Two at a table of the duel, Japan first, whose time runs; the second at a telephone if `touch`. */
export async function clocked(
  people: Watched,
  { url }: Server,
  bank: number,
  touch = false,
  more: { by_claim?: true } = {},
): Promise<[Page, Page]> {
  const pages: [Page, Page] = [await people.person(), await people.person(touch)]
  await pages[0].goto('/')
  const clock = { bank, increment: 0, cap: 0, ...more }
  const links = await made(pages[0], { title: 'midway', scenario: 'duel', clock, pace: 'live' })
  for (const [seat, name] of ['Red admiral', 'Blue admiral'].entries()) {
    const page = pages[seat]!
    await page.goto(url + links[seat])
    await page.getByLabel('Your name').fill(name)
    await sit(page)
  }
  for (const page of pages) await seated(page)
  return pages
}
