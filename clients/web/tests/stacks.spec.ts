import { playOn } from './quick'
import { boardOf, choose, expect, offer, type Page, pocketed, seated, sit, test } from './table'

/** A crowded table whose groups can move on: both seats are played from `page`. */
async function crowd(page: Page): Promise<string> {
  const match = await offer(page, { against: 'solo', scenario: 'historical-4-june' })
  await sit(page)
  await seated(page)
  await playOn(page, match, 5, { most: 2_000, asks: 'ADVANCE' })
  await page.goto(`/match/${match}`)
  await seated(page)
  return match
}

const stacks = (page: Page) => page.locator('[data-stack].glowing')
const inFan = (page: Page) => page.locator('[data-fan] .counter')
const placeOf = (page: Page, id: string) => page.locator(`[data-id="${id}"]`).getAttribute('aria-label')

test('a crowded box shows stacks that fan out by pointer, by key and by tap, and a click on a counter chooses it', async ({ people }) => {
  const page = await people.person()
  const match = await crowd(page)
  await expect(stacks(page).first()).toBeVisible()
  const board = await boardOf(page)

  await test.step('the stack says how many lie in it and glows for what can be chosen', async () => {
    const label = (await stacks(page).first().getAttribute('aria-label'))!
    const count = Number(/Stack of (\d+)/.exec(label)![1])
    expect(count).toBeGreaterThan(1)
    expect(label).toMatch(/\d+ to choose from/)
    await expect(stacks(page).first()).toContainText(`×${count}`)
    const boxes = await page
      .locator('.counter')
      .evaluateAll((all) => all.map((one) => one.querySelector('.paper')!.getBoundingClientRect().height))
    expect(Math.min(...boxes), 'every counter can be read').toBeGreaterThan(26)
  })

  await test.step('pointing at it fans it out, and leaving shuts it', async () => {
    await stacks(page).first().hover()
    await expect(inFan(page).first()).toBeVisible()
    expect(await boardOf(page), 'the same counters, read the same').toEqual(board)
    await page.mouse.move(5, 5)
    await expect(inFan(page)).toHaveCount(0)
  })

  await test.step('a click on any of its counters moves that one', async () => {
    const lowest = (await page.locator('.stage .counter.glowing[tabindex="-1"]').first().getAttribute('data-id'))!
    const before = await placeOf(page, lowest)
    await choose(page, lowest)
    await expect(page.locator(`[data-id="${lowest}"]`)).not.toHaveAttribute('aria-label', before!)
    await page.keyboard.press('u')
    await expect(page.locator(`[data-id="${lowest}"]`)).toHaveAttribute('aria-label', before!)
  })

  await test.step('by keyboard: Enter opens, Escape shuts and gives the stack its focus back, Enter on a counter chooses', async () => {
    await page.mouse.move(5, 5)
    await stacks(page).first().focus()
    const id = await stacks(page).first().getAttribute('data-stack')
    await page.keyboard.press('Enter')
    await expect(page.locator('[data-fan] .counter.glowing').first()).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(inFan(page)).toHaveCount(0)
    await expect(page.locator(`[data-stack="${id}"]`)).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    const chosen = (await page.evaluate(() => document.activeElement!.getAttribute('data-id')))!
    const before = await placeOf(page, chosen)
    await page.keyboard.press('Enter')
    await expect(page.locator(`[data-id="${chosen}"]`)).not.toHaveAttribute('aria-label', before!)
  })

  await test.step('on a telephone a tap opens it, and what can be chosen has the size of a fingertip', async () => {
    const phone = await people.person(true)
    await pocketed(page, phone)
    await phone.goto(`/match/${match}`)
    await seated(phone)
    await expect
      .poll(() => phone.evaluate(() => document.documentElement.scrollWidth), 'nothing is wider than the screen')
      .toBeLessThanOrEqual(390)
    await expect(stacks(phone).first()).toBeInViewport()
    await stacks(phone).first().tap()
    await expect(inFan(phone).first()).toBeVisible()
    const sizes = await phone
      .locator('[data-fan] .counter.glowing .paper')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height)))
    expect(sizes.length).toBeGreaterThan(0)
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(40)
    const counter = phone.locator('[data-fan] .counter.glowing').first()
    const id = (await counter.getAttribute('data-id'))!
    const before = await placeOf(phone, id)
    await counter.tap()
    await expect(phone.locator(`[data-id="${id}"]`)).not.toHaveAttribute('aria-label', before!)
    await expect(inFan(phone)).toHaveCount(0)
  })
})

test('M8.3 a click on a counter in a box that glows chooses the box', async ({ people }) => {
  const page = await people.person()
  const match = await offer(page, { against: 'solo' })
  await sit(page)
  await seated(page)
  await playOn(page, match, 4, { most: 200, asks: 'LAUNCH' })
  await page.goto(`/match/${match}`)
  await seated(page)
  const dismiss = page.getByRole('button', { name: 'Dismiss' })
  await dismiss.click({ timeout: 5_000 }).catch(() => undefined)
  const moving = page.locator('.stage .box.glowing')
  // Bombers can go to one place alone, and are there at once.
  const onDeck = (type: string) => page.locator(`.stage .counter.glowing[aria-label*="${type}"]`).first()
  await onDeck('bombers').click()
  const launched = page.locator('.stage .counter:not(.glowing)', { has: page.locator('.moved') }).last()
  await expect(launched).toHaveAttribute('aria-label', /Moving/)

  await onDeck('fighters').click()
  const name = (await page.locator('.stage .counter.picked').getAttribute('data-id'))!
  await expect(moving).toBeVisible()
  await launched.click()

  await expect(page.locator(`.stage .counter[data-id="${name}"]`)).toHaveAttribute('aria-label', /Moving/)
})
