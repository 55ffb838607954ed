/** Two browsers play each title to its end, and one against the house, by nothing but what glows and the buttons that are
 * offered. */

import { Clicker, coralSea, midway, nimitz, pacificWar } from './clicking'
import { offerNimitz } from './nimitz'
import { chances, expect, offer, type Page, seated, test } from './table'

interface Evening {
  /** Offers the match and sits down. */
  start: (host: Page) => Promise<string>
  /** Where the guest sits down. */
  seat: string
  likings: [host: typeof midway, guest: typeof midway]
  /** The guest plays by touch, on a telephone. */
  phone?: boolean
  /** What each of them clicks at least once. */
  does?: string
  /** Why it ended, as its page says. */
  reason?: RegExp
  tag?: string
}

const person = { against: 'person', name: 'Red admiral' } as const

/** Why a battle of Pacific War ends (P33.1). */
const POINTS = /: Japan has \d+ points?, the Allies have \d+\. (Japanese|Allied|Draw)/

/** With two cores the duel takes under 20 s, 4 June one to two minutes, Coral Sea and Nimitz two to three. */
const EVENINGS: Record<string, Evening> = {
  'Midway, the duel': {
    start: (host) => offer(host, { ...person, side: 'Japan' }),
    seat: 'United States',
    likings: [midway, midway],
    tag: '@soak', // `duel.spec.ts` plays it to its end at every run
  },
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
  'Pacific War, Coral Sea': {
    start: (host) => offer(host, { ...person, title: 'pacific_war', side: 'Japan', scenario: 'E1' }),
    seat: 'Allies',
    likings: [pacificWar, pacificWar],
    phone: true,
    does: 'Take off',
    reason: POINTS,
  },
}

function timed(name: string, clickers: readonly Clicker[], begun: number): void {
  const clicks = clickers.map(({ clicked }) => clicked.length).join(' and ')
  const took = `${clicks} clicks in ${Math.round((Date.now() - begun) / 1_000)} s`
  test.info().annotations.push({ type: 'took', description: took })
  console.log(`${name}: ${took}`)
}

/** What the page of the end says: who won, why, what counted and what was lost. */
async function told(page: Page): Promise<Record<'won' | 'reason' | 'counted' | 'lost', string>> {
  const head = page.getByRole('heading', { level: 1 })
  await expect(head).toHaveText(/ won|drawn/)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(page.viewportSize()!.width)
  const lost = await page.getByRole('region', { name: 'Losses' }).innerText()
  return {
    won: await head.innerText(),
    reason: await page.locator('.reason').innerText(),
    // Nothing is counted where all is over before.
    counted: (await page.getByRole('region', { name: 'What counted' }).allInnerTexts()).join('\n'),
    lost,
  }
}

for (const [name, { start, seat, likings, phone, does, reason, tag }] of Object.entries(EVENINGS)) {
  test(`${name}: two who meet in the lobby play to the end by what can be clicked`, { tag: tag ? [tag] : [] }, async ({ people }) => {
    if (tag) test.setTimeout(3_000_000)
    const [host, guest] = [await people.person(), await people.person(phone)]
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
    const clickers = both.map((page, place) => new Clicker(page, likings[place]!, chances(3 + place), phone && page === guest))
    await Promise.all(clickers.map((one) => one.play()))

    timed(name, clickers, begun)
    for (const page of both) await page.getByRole('link', { name: 'How it ended' }).click()
    const [first, second] = [await told(host), await told(guest)]
    expect(second).toEqual(first)
    if (reason) expect(first.reason).toMatch(reason)
    for (const { clicked } of clickers) if (does) expect(clicked.filter((one) => one.startsWith(does))).not.toHaveLength(0)
  })
}

test(
  'Pacific War, Midway: one who plays against the house comes to the end by what can be clicked',
  { tag: '@soak' },
  async ({ people }) => {
    const page = await people.person()
    await offer(page, { title: 'pacific_war', against: 'steady', side: 'Allies', scenario: 'B1', name: 'Blue admiral' })
    await seated(page)

    const begun = Date.now()
    const clicker = new Clicker(page, pacificWar, chances(3))
    await clicker.play()

    timed('Pacific War, Midway', [clicker], begun)
    await page.getByRole('link', { name: 'How it ended' }).click()
    expect((await told(page)).reason).toMatch(POINTS)
  },
)
