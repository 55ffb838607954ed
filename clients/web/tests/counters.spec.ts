import { offerNimitz } from './nimitz'
import { playOn } from './quick'
import type { Locator } from '@playwright/test'
import { expect, factsOf, offer, type Page, seated, sit, test } from './table'

const card = (page: Page) => page.locator('[data-card]')
const glowingCounter = (page: Page) => page.locator('.stage .counter[data-glow]:not([tabindex="-1"])').first()

/** A table at which somebody is asked this; both seats are played from the page. */
async function table(page: Page, start: (page: Page) => Promise<string>, asks: string, least = 0): Promise<void> {
  const match = await start(page)
  await sit(page)
  await seated(page)
  await playOn(page, match, 8, { most: 12_000, asks, least })
  await page.goto(`/match/${match}`)
  await seated(page)
}

const duel = (page: Page) => offer(page, { against: 'solo' })

async function middle(one: Locator): Promise<{ x: number; y: number }> {
  const box = (await one.boundingBox())!
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

async function isApart(page: Page, one: Locator): Promise<void> {
  const [over, under] = [(await card(page).boundingBox())!, (await one.boundingBox())!]
  const across = over.x < under.x + under.width && under.x < over.x + over.width
  expect(across && over.y < under.y + under.height && under.y < over.y + over.height, 'the card lies over its counter').toBe(false)
}

test('a counter says who it is when it is pointed at or has the focus, and can still be chosen', async ({ people }) => {
  const page = await people.person()
  await table(page, duel, 'LAUNCH')
  const counter = glowingCounter(page)
  const id = (await counter.getAttribute('data-id'))!

  await test.step('pointed at', async () => {
    await counter.hover()
    await expect(card(page)).toHaveAttribute('data-card', id)
    await expect(card(page)).toContainText(/Strength points\s*\d of \d/)
    await expect(card(page)).toContainText('on the deck of')
    await expect(card(page)).toContainText('Now:')
    await isApart(page, counter)
    await page.mouse.move(5, 5)
    await expect(card(page)).toHaveCount(0)
  })

  await test.step('Esc hides it, and it stays hidden until something else is pointed at', async () => {
    await counter.hover()
    await expect(card(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(card(page)).toHaveCount(0)
  })

  await test.step('by keyboard', async () => {
    await page.mouse.move(5, 5)
    await page.locator('.stage').evaluate((stage) => stage.querySelector<SVGElement>('[data-glow]')!.focus({ focusVisible: true }))
    await page.keyboard.press('Tab')
    const now = await page.evaluate(() => document.activeElement!.getAttribute('data-id'))
    await expect(card(page)).toHaveAttribute('data-card', now!)
    await page.keyboard.press('Escape')
    await expect(card(page)).toHaveCount(0)
  })

  await test.step('a carrier, too', async () => {
    const ship = page.locator('.stage .ship').first()
    const { x, y } = (await ship.boundingBox())!
    await page.mouse.move(x + 30, y + 12)
    await expect(card(page)).toContainText('carrier')
    await expect(card(page)).toContainText(/Damage\s*\d+ of 10/)
    await isApart(page, ship)
  })

  await test.step('a click under a card chooses, and shuts it', async () => {
    await counter.hover()
    await expect(card(page)).toBeVisible()
    await counter.click()
    await expect(card(page)).toHaveCount(0)
    await expect(page.locator('.stage .picked, .stage .box.glowing').first()).toBeVisible()
  })
})

test('on a telephone a long press says who a counter is and chooses nothing; a tap chooses', async ({ people }) => {
  const phone = await people.person(true)
  await table(phone, duel, 'LAUNCH')
  const facts = await factsOfPhone(phone)
  const counter = glowingCounter(phone)
  const { x, y } = await middle(counter)
  const finger = await phone.context().newCDPSession(phone)
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
  await expect(card(phone)).toBeVisible()
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await phone.waitForTimeout(300)
  await expect(card(phone)).toBeVisible()
  await expect(phone.locator('.stage .picked')).toHaveCount(0)
  expect((await card(phone).boundingBox())!.width).toBeLessThanOrEqual(390)
  await isApart(phone, counter)
  expect(await factsOfPhone(phone)).toBe(facts)

  await counter.tap()
  await expect(card(phone)).toHaveCount(0)
  await expect(phone.locator('.stage .picked, .stage .box.glowing').first()).toBeVisible()
})

/** The log is a tab of its own there. */
async function factsOfPhone(phone: Page): Promise<number> {
  const tab = (name: string): Promise<void> => phone.getByRole('navigation').getByRole('button', { name, exact: true }).tap()
  await tab('Log')
  const facts = await factsOf(phone)
  await tab('Board')
  return facts
}

/** A table at which a ship is hit and somebody is to lose a strength point; if dice do not lead there, another. Returns a
 * counter that lies open and has a point left when it has lost one. */
async function struck(page: Page): Promise<Locator> {
  const hit = page.locator('.stage .wounds')
  const open = page.locator('.stage .counter[data-glow]:not([tabindex="-1"])')
  for (let seed = 8; seed < 14; seed++) {
    const match = await offer(page, { against: 'solo', scenario: 'historical-4-june' })
    await sit(page)
    await seated(page)
    for (let asks: number | null = 0, least = 600; asks !== null; least += 50) {
      const { facts, asked } = await playOn(page, match, seed, { most: 12_000, asks: 'LOSE', least })
      await page.goto(`/match/${match}`)
      await seated(page)
      const strong = await open.evaluateAll(
        (all) => all.find((one) => /strength [2-9] of/.test(one.getAttribute('aria-label')!))?.getAttribute('data-id') ?? '',
      )
      if (asked !== null && strong && (await hit.count())) return page.locator(`.stage .counter[data-id="${strong}"]`)
      ;[asks, least] = [asked, Math.max(least, facts)]
    }
  }
  throw new Error('no ship was hit')
}

test('hits are seen on the ship, over what lies on her, and a lost point leaves its counter', async ({ people }) => {
  const page = await people.person()
  const counter = await struck(page)
  const ships = await page
    .locator('.stage .ship')
    .evaluateAll((all) => all.map((one) => Number(/damage (\d+)/.exec(one.getAttribute('aria-label')!)![1])).filter((damage) => damage > 0))
  const smoke = await page
    .locator('.stage .wounds')
    .evaluateAll((all) => all.map((one) => ({ smoke: Number(one.getAttribute('data-smoke')), sunk: one.textContent.includes('SUNK') })))
  expect(smoke.length, 'a mark on each ship that is hit').toBe(ships.length)
  expect(ships.length, 'ships are hit').toBeGreaterThan(0)
  for (const one of smoke) expect(one.smoke > 0 || one.sunk).toBe(true)
  const below = await page.evaluate(() => {
    const wounds = [...document.querySelectorAll('.stage .wounds')]
    const counters = [...document.querySelectorAll('.stage .counter')]
    return counters.every((one) => wounds.every((other) => one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING))
  })
  expect(below, 'no counter is drawn over smoke').toBe(true)

  await expect(page.locator('[data-lost]')).toHaveCount(0)
  await counter.dispatchEvent('click')
  await expect(counter.locator('[data-lost]').first()).toBeAttached()
  // Who wants no motion sees the empty pip alone.
  await expect(counter.locator('[data-lost]').first()).toHaveCSS('opacity', '0')
})

test('ships that wait for a battle lie in the tray and are put together', async ({ people }) => {
  const page = await people.person()
  await table(page, (here) => offerNimitz(here, 'alone', '1944'), 'PlaceShip')
  const waiting = page.getByRole('region', { name: /Ships that wait/ })
  const ships = waiting.locator('[data-id]')
  const before = await ships.count()
  expect(before).toBeGreaterThan(0)
  await ships.first().hover()
  await expect(card(page)).toContainText('United States')
  const all = waiting.getByRole('button', { name: /Pick all/ })
  if (await all.count()) await all.click()
  else await ships.first().click()
  const picked = await waiting.locator('[aria-pressed="true"]').evaluateAll((found) => found.map((one) => one.getAttribute('data-id')!))
  expect(picked.length).toBeGreaterThan(0)

  const coast = page.locator('.stage .area[data-id="CO"]')
  await expect(coast).toHaveAttribute('data-glow', 'true')
  const { x, y } = (await coast.boundingBox())!
  await page.mouse.click(x + 40, y + 12)
  for (const id of picked) await expect(waiting.locator(`[data-id="${id}"]`)).toHaveCount(0)
  await expect(coast).toHaveAttribute('aria-label', new RegExp(`United States, at sea: ${picked.length}`))
  await expect(page.locator('.refused')).toHaveCount(0)
})

test('what a new page shows under a pointer at rest has no card before the pointer moves', async ({ people }) => {
  const page = await people.person()
  await table(page, duel, 'LAUNCH')
  const { pathname } = new URL(page.url())
  const id = (await glowingCounter(page).getAttribute('data-id'))!
  const { x, y } = await middle(glowingCounter(page))
  await page.goto('/')
  await page.mouse.move(x, y)
  await page
    .locator(`a[href="${pathname}"]`)
    .first()
    .evaluate((link: HTMLElement) => link.click())
  await seated(page)
  await expect(page.locator(`.stage [data-id="${id}"]`)).toBeVisible()
  // Longer than a pointer has to rest.
  await page.waitForTimeout(500)
  await expect(card(page)).toHaveCount(0)
  await page.mouse.move(x + 1, y + 1)
  await expect(card(page)).toHaveAttribute('data-card', id)
})
