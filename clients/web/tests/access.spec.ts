import AxeBuilder from '@axe-core/playwright'
import { chances, clickWhatGlows, expect, offer, seated, sit, test, type Page } from './table'

async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations
    .filter((one) => one.impact === 'serious' || one.impact === 'critical')
    .flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`))
}

test('axe finds no serious fault on any page, dark and light, wide and narrow', async ({ people }) => {
  const page = await people.person()
  const match = await offer(page, { against: 'solo' })
  const pages: [string, string][] = [
    ['the lobby', '/'],
    ['a match', `/match/${match}`],
    ['a replay', `/match/${match}/replay#12`],
    ['verify', `/match/${match}/verify`],
    ['the rules', '/rules/midway#M7.3'],
    ['nowhere', '/nowhere'],
  ]
  expect(await faults(page), 'the invitation').toEqual([])
  await sit(page)
  await seated(page)
  const chance = chances(5)
  for (let round = 0; round < 30; round++) await clickWhatGlows(page, chance)
  for (const theme of ['dark', 'light']) {
    await page.evaluate((name) => localStorage.setItem('fleetfold.tastes', JSON.stringify({ theme: name })), theme)
    for (const [name, path] of pages) {
      await page.goto(path)
      await page.locator('main h1').first().waitFor({ state: 'attached' })
      await page.waitForTimeout(300)
      expect(await faults(page), `${name}, ${theme}`).toEqual([])
    }
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/match/${match}`)
    await seated(page)
    for (const tab of ['Log', 'Fleets', 'Aid', 'Talk', 'Board']) {
      await page.getByRole('button', { name: tab, exact: true }).click()
      expect(await faults(page), `${tab} on a telephone, ${theme}`).toEqual([])
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  }
})

test('on a telephone every button is 40 pixels high, and nothing is wider than the screen', async ({ people }) => {
  const page = await people.person()
  await page.setViewportSize({ width: 390, height: 844 })
  await offer(page, { against: 'solo' })
  await sit(page)
  await seated(page)
  for (const tab of ['Board', 'Log', 'Fleets', 'Aid', 'Talk']) {
    await page.getByRole('button', { name: tab, exact: true }).click()
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('.acts button, .tabs button, .keys button')]
        .filter((one) => one.getClientRects().length && one.getBoundingClientRect().height < 40)
        .map((one) => one.textContent),
    )
    expect(small).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  }
})

test('on a telephone what glows is brought into sight, and a tap on it decides', async ({ people }) => {
  const page = await people.person()
  await page.setViewportSize({ width: 390, height: 844 })
  await offer(page, { against: 'random', side: 'United States' })
  await sit(page)
  await seated(page)
  const counter = page.locator('.counter.glowing').first()
  await expect(counter).toBeVisible({ timeout: 60_000 })
  await expect(counter).toBeInViewport()
  const before = await counter.getAttribute('aria-label')
  const id = await counter.getAttribute('data-id')
  await counter.click()
  await expect(page.locator(`[data-id="${id}"]`)).not.toHaveAttribute('aria-label', before!)
})
