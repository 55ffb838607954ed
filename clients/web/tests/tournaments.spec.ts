/** Tournaments: entered by persons, directed by one of them, from the form that makes one to the table. */

import { faults, isAccessible } from './axe'
import { enters, made, part, persons, type Someone, starts } from './cups'
import { expect, type Page, test } from './passkeys'
import { sit } from './table'

/** Rules on the first match of the open round that has no result; returns what was put. */
async function rules(page: Page, result: RegExp, reason: string): Promise<string> {
  const row = part(page, 'Rounds')
    .locator('details[open] li')
    .filter({ hasText: /· · ·|–/ })
    .first()
  await row.getByRole('button', { name: /^Rule/ }).click()
  const options = await page.getByLabel('The result').locator('option').allInnerTexts()
  const label = options.find((one) => result.test(one))!
  await page.getByLabel('The result').selectOption({ label })
  await page.getByLabel('The reason, which all read').fill(reason)
  await page.getByRole('button', { name: 'Put this result' }).click()
  await expect(page.getByLabel('The reason, which all read')).toHaveCount(0)
  return label
}

test('four enter a Swiss, its director rules on matches that come to nothing, and the table says who is ahead', async ({ known }) => {
  const [director, ...all] = (await persons(known, 5)) as [Someone, ...Someone[]]
  const other = all[0]!
  const name = `Cup of ${director.handle}`
  const path = await made(director.page, name, async (form) => {
    await form.getByLabel('Rounds', { exact: true }).selectOption('2')
    await form.getByLabel('Pace').selectOption('live, 20 minutes')
    await expect(form.getByRole('checkbox', { name: /^Rated/ })).toBeChecked()
  })

  await test.step('it is found from the lobby, and entered', async () => {
    await other.page.goto('/')
    await other.page.getByRole('link', { name: 'Tournaments' }).click()
    await other.page.getByRole('link', { name }).click()
    await expect(part(other.page, 'Conditions')).toContainText('live, 20 minutes a side and 10 s with each decision')
    await expect(part(other.page, 'You direct it')).toHaveCount(0)
    await Promise.all(all.map(({ page }) => enters(page, path)))
  })
  await starts(director.page)

  await test.step('each finds his match there, and sits down by his session', async () => {
    await other.page.goto(path)
    const play = part(other.page, 'Rounds').getByRole('link', { name: /^Play/ })
    await expect(play).toHaveCount(1, { timeout: 20_000 })
    await play.click()
    await sit(other.page)
    await expect(other.page.getByRole('heading', { name: 'Waiting for the other side' })).toBeVisible()
  })

  const put = await rules(director.page, /has won$/, 'neither has moved for a week')
  await rules(director.page, /^Drawn$/, 'both asked for it')
  await expect(part(director.page, 'Rounds').getByText('Round 2')).toBeVisible({ timeout: 20_000 })
  const points = part(director.page, 'Standings').locator('tbody .points')
  await expect(points).toHaveText(['1', '½', '½', '0'])
  await expect(part(director.page, 'Standings').locator('tbody th').first()).toHaveText(put.replace(' has won', ''))
  await expect(part(director.page, 'The director’s book')).toContainText('neither has moved for a week')

  await test.step('once it is over its director puts another result for a while, and nobody else does', async () => {
    await rules(director.page, /has won$/, 'one did not come')
    await rules(director.page, /has won$/, 'one did not come either')
    await expect(director.page.getByText('Over', { exact: true })).toBeVisible({ timeout: 20_000 })
    await expect(part(director.page, 'You direct it')).toContainText(/It is over\. Until \w+day/)
    await expect(part(director.page, 'You direct it').getByRole('button')).toHaveCount(0)
    const row = part(director.page, 'Rounds').locator('details[open] li').first()
    await row.getByRole('button', { name: /^Rule/ }).click()
    await expect(row.getByLabel('The result').locator('option')).toHaveCount(6)
    await row.getByLabel('The result').selectOption({ label: 'Drawn' })
    await row.getByLabel('The reason, which all read').fill('both had come after all')
    await row.getByRole('button', { name: 'Put this result' }).click()
    await expect(row.locator('b.result')).toHaveText('½ : ½')
    await other.page.goto(path)
    await expect(part(other.page, 'Rounds').locator('b.result').first()).toHaveText('½ : ½')
    await expect(part(other.page, 'Rounds').getByRole('button', { name: /^Rule/ })).toHaveCount(0)
  })
})

test('who is not asked to a tournament is told so, and who is asked enters; nobody is taken off the list without a reason', async ({
  known,
}) => {
  const all = await persons(known, 3)
  const [director, asked, stranger] = all as [Someone, Someone, Someone]
  const path = await made(director.page, `Masters of ${director.handle}`, async (form) => {
    await form.getByRole('radio', { name: /^Round robin/ }).check()
    await form.getByRole('radio', { name: /^By invitation/ }).check()
    await form.getByLabel('Entrants at most').fill('4')
    await expect(form).toContainText('6 matches for each')
  })
  await stranger.page.goto(path)
  await expect(part(stranger.page, 'Entry')).toContainText('By invitation')
  await expect(part(stranger.page, 'Entry').getByRole('button')).toHaveCount(0)

  const own = part(director.page, 'You direct it')
  await own.getByLabel('Invite somebody').fill('nobody_of_this_name')
  await own.getByRole('button', { name: 'Invite' }).click()
  await expect(own.getByRole('alert')).toHaveText(/^[A-Z].*\.$/)
  await own.getByLabel('Invite somebody').fill(asked.handle)
  await own.getByRole('button', { name: 'Invite' }).click()
  await expect(own.getByRole('listitem')).toContainText('has not answered yet')
  await asked.page.goto('/tournaments')
  await expect(part(asked.page, 'My tournaments')).toContainText('You are invited')
  await enters(asked.page, path)

  await director.page.reload()
  await expect(own).toContainText('once two have entered')
  await part(director.page, 'Entrants')
    .getByRole('button', { name: `Take out ${asked.handle}` })
    .click()
  await director.page.getByRole('button', { name: `Take ${asked.handle} out` }).click()
  await expect(part(director.page, 'Entrants')).toContainText(asked.handle)
  await part(director.page, 'Entrants').getByLabel('The reason, which all read').fill('asked by mistake')
  await director.page.getByRole('button', { name: `Take ${asked.handle} out` }).click()
  await expect(part(director.page, 'Entrants')).toContainText('Nobody has entered yet')
  await expect(part(director.page, 'The director’s book')).toContainText('Somebody was taken off the list: “asked by mistake”')
  await asked.page.reload()
  await expect(part(asked.page, 'Entry')).toContainText('By invitation')
  await own.getByRole('button', { name: /^Call the tournament off/ }).click()
  await own.getByLabel('The reason, which all read').fill('too few of us')
  await own.getByRole('button', { name: 'Call it off' }).click()
  await expect(director.page.getByText('Why it was called off: “too few of us”')).toBeVisible()
  await expect(own).toHaveCount(0)
})

test('axe finds nothing on the pages of tournaments, and nothing is wider than a telephone', async ({ known }) => {
  const [director, other] = (await persons(known, 2)) as [Someone, Someone]
  const looked = async (name: string): Promise<void> => {
    await director.page.setViewportSize({ width: 1440, height: 900 })
    await isAccessible(director.page, name)
    await director.page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => director.page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(390)
    expect(await faults(director.page), `${name} on a telephone`).toEqual([])
    await director.page.setViewportSize({ width: 1440, height: 900 })
  }
  await director.page.goto('/tournaments')
  await director.page.getByRole('button', { name: 'Make a tournament' }).click()
  await director.page.getByRole('dialog').waitFor()
  expect(await faults(director.page), 'the form').toEqual([])
  const path = await made(director.page, `Knock-out of ${director.handle}`, async (form) => {
    await form.getByRole('radio', { name: /^Knock-out/ }).check()
  })
  await Promise.all([director, other].map(({ page }) => enters(page, path)))
  await looked('one that is open')
  await starts(director.page)
  await expect(part(director.page, 'Bracket')).toBeVisible()
  await part(director.page, 'Rounds').getByRole('button', { name: /^Rule/ }).first().click()
  await looked('one under way')
  await director.page.goto('/tournaments')
  await expect(part(director.page, 'My tournaments')).toContainText('You play and direct')
  await looked('the list')
})
