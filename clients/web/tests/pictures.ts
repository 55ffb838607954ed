/** The pictures of the README, made from a match whose choices are seeded (the dice of a match cannot be).
 * `npm run pictures`; PICTURES names another folder than pictures/. */

import { chances, clickWhatGlows, expect, factsOf, offer, over, seated, sit, test, type Page } from './table'

const FOLDER = process.env.PICTURES ?? 'pictures'
const SIZES = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const

async function shoot(page: Page, name: string): Promise<void> {
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height })
    await page.waitForTimeout(400)
    await page.screenshot({ path: `${FOLDER}/${name}-${width}.png` })
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** Plays on until `enough`, mostly many picks at once, as a person would. */
async function play(page: Page, seed: number, enough: () => Promise<boolean>): Promise<void> {
  const chance = chances(seed)
  const many = page.locator('[data-bundle]:not([disabled])')
  for (let idle = 0; idle < 200 && !(await over(page)) && !(await enough()); ) {
    const gathered = (await many.count()) > 0 && chance() < 0.6
    if (gathered) await many.first().click({ timeout: 1_000 }).catch(() => undefined)
    const moved = gathered || (await clickWhatGlows(page, chance))
    idle = moved ? 0 : idle + 1
    if (!moved) await page.waitForTimeout(30)
  }
}

test('pictures', async ({ people }) => {
  const page = await people.person()
  const match = await offer(page, { against: 'solo', scenario: 'historical-4-june', name: 'Ada' })
  await sit(page)
  await seated(page)
  const step = page.locator('header .where')
  await play(page, 4, async () => /Turn [4-9][\s\S]*Carrier Attacks/.test(await step.innerText()) && (await page.locator('.lines path').count()) >= 2)
  await shoot(page, 'match')
  const facts = await factsOf(page)
  await page.goto(`/match/${match}/replay#${Math.floor(facts * 0.7)}`)
  await expect(page.getByText('This is the past')).toBeVisible()
  await shoot(page, 'replay')

  await offer(page, { against: 'solo' })
  await sit(page)
  await seated(page)
  await play(page, 9, () => Promise.resolve(false))
  await page.getByRole('link', { name: 'Check every die' }).click()
  await expect(page.locator('[data-verdict="holds"]')).toBeVisible({ timeout: 30_000 })
  await shoot(page, 'verify')
  await page.goto('/rules/midway#M7')
  await shoot(page, 'rules')
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'My matches' })).toBeVisible()
  await shoot(page, 'lobby')
})
