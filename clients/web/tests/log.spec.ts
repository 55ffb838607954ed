import { playOut, tokensOf } from './quick'
import { expect, factsOf, offer, type Page, seated, settled, sit, test } from './table'

/** How far the end of the log is below what one sees of it, in pixels. */
const below = (page: Page): Promise<number> =>
  page.locator('.log').evaluate((log) => Math.round(log.scrollHeight - log.scrollTop - log.clientHeight))
/** Where the log stands. */
const top = (page: Page): Promise<number> => page.locator('.log').evaluate((log) => Math.round(log.scrollTop))

test('the log stays at its end while turns go by; a reader who scrolls up stays where he is', async ({ people }) => {
  const page = await people.person()
  const driver = await people.person()
  const match = await offer(page, { against: 'solo', scenario: 'historical-4-june' })
  await sit(page)
  await seated(page)
  const tokens = await tokensOf(page, match)
  await driver.goto('/verify')
  let facts = 0
  const play = async (more: number): Promise<void> => {
    const before = await factsOf(page)
    ;({ facts } = await playOut(driver, match, tokens, facts + 1, { most: facts + more }))
    await expect.poll(() => factsOf(page)).toBeGreaterThan(before)
  }

  await test.step('the last line is in view after each of many commands, through several turns', async () => {
    while (!(await page.locator('.log h2', { hasText: 'Turn 5' }).count())) {
      await play(30)
      await expect.poll(() => below(page), { message: `at fact ${facts}` }).toBeLessThan(2)
    }
    await expect(page.locator('.log h2 button[aria-expanded="true"]')).toHaveText([/Turn 4/, /Turn 5/])
  })

  const unseen = page.getByRole('button', { name: /\d+ new/ })
  await test.step('scrolled up, it stands still while facts come, and says how many', async () => {
    await page.locator('.log').hover()
    await page.mouse.wheel(0, -400)
    await expect.poll(() => below(page)).toBeGreaterThan(300)
    await page.waitForFunction(() => new Promise((rest) => requestAnimationFrame(() => requestAnimationFrame(() => rest(true)))))
    const stands = await top(page)
    await expect(unseen).toHaveCount(0)
    await play(30)
    await expect(unseen).toBeVisible()
    const first = Number.parseInt(await unseen.innerText(), 10)
    await play(30)
    expect(Number.parseInt(await unseen.innerText(), 10)).toBeGreaterThan(first)
    expect(await top(page)).toBe(stands)
  })

  await test.step('the button brings him to the end, where he stays', async () => {
    await unseen.click()
    await expect(unseen).toHaveCount(0)
    expect(await below(page)).toBeLessThan(2)
    await play(30)
    await expect.poll(() => below(page)).toBeLessThan(2)
  })

  await test.step('so does scrolling down by himself', async () => {
    await page.locator('.log').focus()
    await page.keyboard.press('PageUp')
    await expect.poll(() => below(page)).toBeGreaterThan(100)
    await play(30)
    await expect(unseen).toBeVisible()
    await settled(page)
    await page.keyboard.press('End')
    await expect(unseen).toHaveCount(0)
    await play(30)
    await expect.poll(() => below(page)).toBeLessThan(2)
  })
})
