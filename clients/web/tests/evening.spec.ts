/** Two browsers play each title to its end, by nothing but what glows and the buttons that are offered. */

import { Clicker, coralSea, midway, nimitz } from './clicking'
import { offerNimitz } from './nimitz'
import { chances, expect, offer, type Page, seated, test } from './table'

interface Evening {
  /** Offers the match and sits down. */
  start: (host: Page) => Promise<string>
  /** Where the guest sits down. */
  seat: string
  likings: [host: typeof midway, guest: typeof midway]
  tag?: string
}

const person = { against: 'person', name: 'Red admiral' } as const

/** With two cores the duel takes under 20 s, 4 June one to two minutes, Coral Sea and Nimitz two to three. */
const EVENINGS: Record<string, Evening> = {
  'Midway, the duel': { start: (host) => offer(host, { ...person, side: 'Japan' }), seat: 'United States', likings: [midway, midway] },
  'Midway, 4 June': {
    start: (host) => offer(host, { ...person, side: 'Japan', scenario: 'historical-4-june' }),
    seat: 'United States',
    likings: [midway, midway],
    tag: '@soak',
  },
  'Coral Sea, Fortress Rabaul': {
    start: (host) => offer(host, { ...person, title: 'coral_sea', side: 'Japan', scenario: 'fortress' }),
    seat: 'Allies',
    likings: [coralSea('Allies'), coralSea('Japan')],
    tag: '@soak',
  },
  'Nimitz, 1945': { start: (host) => offerNimitz(host, 'two', '1945'), seat: 'Japan', likings: [nimitz, nimitz], tag: '@soak' },
}

for (const [name, { start, seat, likings, tag }] of Object.entries(EVENINGS)) {
  test(`${name}: two who meet in the lobby play to the end by what can be clicked`, { tag: tag ? [tag] : [] }, async ({ people }) => {
    if (tag) test.setTimeout(3_000_000)
    const [host, guest] = [await people.person(), await people.person()]
    await guest.goto('/')
    const match = await start(host)
    await guest
      .locator(`.lists [data-match="${match}"]`)
      .getByRole('button', { name: `Join as ${seat}` })
      .click()
    await guest.getByLabel('Your name').fill('Blue admiral')
    await guest.getByRole('button', { name: 'Sit down' }).click()
    const both = [host, guest]
    for (const page of both) await seated(page)

    const begun = Date.now()
    const clickers = both.map((page, place) => new Clicker(page, likings[place]!, chances(3 + place)))
    await Promise.all(clickers.map((one) => one.play()))

    const clicks = clickers.map(({ clicked }) => clicked.length)
    const took = `${clicks.join(' and ')} clicks in ${Math.round((Date.now() - begun) / 1_000)} s`
    test.info().annotations.push({ type: 'took', description: took })
    console.log(`${name}: ${took}`)
    for (const page of both) await page.getByRole('link', { name: 'How it ended' }).click()
    const told = async (page: Page): Promise<string> => {
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/ won|drawn/)
      return page.getByRole('region', { name: 'Losses' }).innerText()
    }
    expect(await told(guest)).toBe(await told(host))
    expect(await guest.getByRole('heading', { level: 1 }).innerText()).toBe(await host.getByRole('heading', { level: 1 }).innerText())
  })
}
