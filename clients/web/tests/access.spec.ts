import { faults, isAccessible } from './axe'
import { playOn } from './quick'
import { choose, expect, offer, seated, sit, test, tooLow } from './table'

// The rulebook is looked at in `rules.spec.ts`.
test('axe finds nothing on any page, dark and light, wide and narrow', async ({ people }) => {
  const page = await people.person()
  await offer(page, { against: 'person' })
  await expect(page.locator('.invite')).toBeVisible()
  await isAccessible(page, 'the invitation')
  const match = await offer(page, { against: 'solo' })
  await sit(page)
  await seated(page)
  await playOn(page, match, 5, { most: 120 })
  await page.goto(`/match/${match}`)
  await seated(page)
  await page.getByText('Match ▾').click()
  await page.getByRole('button', { name: 'My links' }).click()
  expect(await faults(page), 'links').toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await isAccessible(page, 'a match')

  await page.setViewportSize({ width: 390, height: 844 })
  for (const tab of ['Log', 'Fleets', 'Aid', 'Talk', 'Board']) {
    await page.getByRole('button', { name: new RegExp(`^${tab}( new here\\?)?$`) }).click()
    await isAccessible(page, `${tab} on a telephone`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const [name, path] of [
    ['a replay', `/match/${match}/replay#12`],
    ['verify', `/match/${match}/verify`],
    ['the lobby', '/'],
    ['trust', '/trust'],
    ['nowhere', '/nowhere'],
  ] as const) {
    await page.goto(path)
    await page.locator('main h1').first().waitFor({ state: 'attached' })
    if (name === 'verify') await expect(page.locator('[data-verdict="part"]')).toBeVisible({ timeout: 20_000 })
    if (name === 'the lobby') await expect(page.getByRole('heading', { name: 'My matches' })).toBeVisible()
    await isAccessible(page, name)
  }
})

test('axe finds nothing on the map and in a strike of Pacific War', async ({ people }) => {
  const page = await people.person()
  for (const asks of ['move_tf', 'allot_strike']) {
    const match = await offer(page, { against: 'solo', title: 'pacific_war', scenario: 'E1' })
    await sit(page)
    await seated(page)
    await playOn(page, match, 4, { most: 4_000, least: 20, asks })
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`/match/${match}`)
    await seated(page)
    await isAccessible(page, asks)
    await page.setViewportSize({ width: 1920, height: 1080 })
    const cut = await page.locator('.left.scroll').evaluate((one) => one.scrollWidth - one.clientWidth)
    expect(cut, 'what the left column cuts off').toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 390, height: 844 })
    await isAccessible(page, `${asks} on a telephone`)
  }
})

test('on a telephone every button is 40 pixels high, and nothing is wider than the screen', async ({ people }) => {
  const page = await people.person()
  await page.setViewportSize({ width: 390, height: 844 })
  await offer(page, { against: 'solo' })
  await sit(page)
  await seated(page)
  for (const tab of ['Board', 'Log', 'Fleets', 'Aid', 'Talk']) {
    await page.getByRole('button', { name: new RegExp(`^${tab}( new here\\?)?$`) }).click()
    expect(await tooLow(page, '.acts button, .tabs button, .keys button')).toEqual([])
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
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
  await choose(page, id!)
  await expect(page.locator(`[data-id="${id}"]`)).not.toHaveAttribute('aria-label', before!)
})
