/** Ladders and what a person has played, on a server with a season of rated matches. */

import { isAccessible } from './axe'
import { expect, type Page, test } from './table'

/** Puts the season there, once a server, and waits until it is counted. */
async function season(page: Page, server: { beside(...module: string[]): Promise<string> }): Promise<void> {
  const known = await page.request.get('/api/people/spruance/results')
  if (!known.ok()) await server.beside('tests.rated_season')
  await expect
    .poll(
      async () => ((await (await page.request.get('/api/people/spruance/results')).json()) as { matches: { reason: string }[] }).matches[0],
    )
    .toMatchObject({ opponents: [{ name: 'someone' }], after: expect.any(Number) })
}

test('a ladder leads to a person, and from there to matches and opponents', async ({ people, server }) => {
  const page = await people.person()
  await season(page, server)
  await page.goto('/')
  await page.getByRole('link', { name: 'Ratings' }).click()
  await expect(page).toHaveTitle(/Ratings: Midway/)
  const rows = page.locator('tbody').first().getByRole('row')
  await expect(rows).toHaveCount(4)
  const ratings = (await rows.locator('.rating').allTextContents()).map(Number)
  expect(ratings).toEqual([...ratings].sort((one, two) => two - one))
  await expect(rows.locator('.place')).toHaveText(['1', '2', '3', '4'])
  const provisional = page.locator('tbody').nth(1)
  await expect(provisional.getByRole('row', { name: /steady bot of the house/ })).toBeVisible()
  await expect(provisional.getByRole('row', { name: /Nagumos_bot bot of nagumo/ })).toBeVisible()
  await expect(provisional).not.toContainText(/someone|\bgone\b/i)
  await expect(page.getByRole('region', { name: 'How equal the sides are' })).toContainText(
    /of 122 matches: \d+ % \(\d+ to \d+ %, counts\)/,
  )

  await rows.getByRole('link', { name: 'Spruance' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Spruance')
  await expect(page.getByRole('img', { name: /^From \d+ on \d+ \w+ \d{4} to \d+ on/ })).toBeVisible()
  const matches = page.getByRole('region', { name: 'Matches' }).getByRole('listitem')
  await expect(matches).toHaveCount(50)
  await expect(matches.first()).toContainText('against someone')
  await page.getByRole('button', { name: 'Earlier matches' }).click()
  await expect.poll(() => matches.count()).toBeGreaterThan(50)

  await matches.filter({ hasText: 'Tanaka' }).first().getByRole('link', { name: 'Tanaka' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tanaka')
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Spruance')
})

test('luck over all matches is said in a sentence, of hits and of checks apart', async ({ people, server }) => {
  const page = await people.person()
  await season(page, server)
  await page.goto('/people/spruance')
  const luck = page.getByRole('region', { name: 'Luck' })
  await expect(luck.getByRole('heading', { level: 3 })).toHaveText(['Midway'])
  await expect(luck.getByRole('heading', { level: 4 })).toHaveText(['Hits in 1 match', 'Checks and repairs in 1 match'])
  await expect(luck).toContainText(
    'Within ordinary luck, unlucky: 4.0 hits below what was to be expected of 30 dice, where fair dice stay within ± 5.4 in 19 of 20 cases.',
  )
  await expect(luck).toContainText('Within ordinary luck, lucky: 2.0 successes above what was to be expected of 12 dice')
  await expect(luck.getByText('◆', { exact: true })).toHaveCount(2)

  await page.goto('/people/nagumo')
  await expect(luck).toContainText('Too few to speak of luck: 5 dice for hits.')
  await expect(luck.getByText('◆', { exact: true })).toHaveCount(0)

  await page.goto('/people/fletcher')
  await expect(page.getByRole('region', { name: 'Matches' })).toBeVisible()
  await expect(luck).toHaveCount(0)
})

test('a title without rated matches says so, and a name that nobody has', async ({ people, server }) => {
  const page = await people.person()
  await season(page, server)
  await page.goto('/ratings/coral_sea')
  await expect(page.getByText('Nobody has a rating in Coral Sea yet')).toBeVisible()
  people.expectBreaks()
  await page.goto('/people/gone')
  await expect(page.getByRole('alert')).toContainText('There is nobody of this name.')
})

test('results can be read by everybody, and fit a telephone', async ({ people, server }) => {
  const page = await people.person()
  await season(page, server)
  for (const path of ['/ratings/midway', '/people/spruance']) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await isAccessible(page, path)
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), `${path} at ${width}`).toBeLessThanOrEqual(width)
    }
  }
})
