import { faults } from './axe'
import { playOut, tokensOf } from './quick'
import { expect, offered, openForm, type Page, seated, sit, test } from './table'

interface Course {
  title: string
  scenario: string
  /** What is chosen in the lobby besides. */
  set: (page: Page) => Promise<void>
  facts: number
}

const ALONE: Course = {
  title: 'nimitz',
  scenario: '1942',
  set: (page) => page.locator('input[name="mode"][value="1"]').check(),
  facts: 300,
}
const BOTH = (page: Page): Promise<void> =>
  page
    .getByLabel('Against', { exact: true })
    .selectOption('solo')
    .then(() => undefined)
const MIDWAY: Course = { title: 'midway', scenario: 'historical-4-june', set: BOTH, facts: 700 }
const CORAL_SEA: Course = { title: 'coral_sea', scenario: 'campaign', set: BOTH, facts: 300 }

/** A match under way that has dice in its log, or an ended one. */
async function played(page: Page, idle: Page, { title, scenario, set, facts }: Course): Promise<string> {
  await openForm(page, title)
  await page.locator(`input[name="scenario"][value="${scenario}"]`).check()
  await set(page)
  const match = await offered(page)
  await sit(page)
  await seated(page)
  await idle.goto('/verify')
  await playOut(idle, match, await tokensOf(page, match), 4, { most: facts })
  return match
}

/** The verdict and the line of the fact that is disputed. */
async function same(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /decided again/ })
  await expect(dialog.locator('[data-verdict="same"]')).toHaveText(/comes out the same/)
  const asked = dialog.locator('li.asked')
  await expect(asked).toBeInViewport()
  await expect(asked.locator('.said')).not.toHaveText('')
  await expect(dialog.locator('li.differs')).toHaveCount(0)

  // Exact values are behind an opener.
  expect(await dialog.innerText()).not.toMatch(/[0-9a-f]{12,}|"type"/)
  await dialog.getByText('For auditors').click()
  await expect(dialog.getByLabel('Recorded facts')).toContainText('"type"')
  await dialog.getByText('For auditors').click()
}

test('Nimitz: a choice of the automated side is disputed with one click, live and in replay', async ({ people }) => {
  const page = await people.person()
  const match = await played(page, await people.person(), ALONE)
  const turn = page.locator('.log h2 button', { hasText: 'Turn 1' })
  if ((await turn.getAttribute('aria-expanded')) === 'false') await turn.click()
  const why = page.locator('.log details', { hasText: 'to choose from' }).first()
  await why.locator('summary').click()
  await why.getByRole('button', { name: 'Dispute' }).click()
  await same(page)

  await test.step('it says what that proves, looks its rule up, and is in nobody’s way', async () => {
    await page.getByText('What this proves').click()
    await expect(page.getByText('fleetfold verify')).toBeVisible()
    expect(await faults(page)).toEqual([])
    await page.locator('.about .rule').click()
    await expect(page.getByRole('dialog', { name: /^Rule N/ })).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('it leads to the moment, and there to the same answer', async () => {
    await page.getByRole('dialog').getByRole('button', { name: 'Look at this moment' }).click()
    await page.waitForURL(new RegExp(`/match/${match}/replay`))
    await page.getByRole('button', { name: 'Dispute this step' }).click()
    await expect(page.locator('[data-verdict="same"]')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  await test.step('the first step is a notice, which nobody can dispute', async () => {
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+ArrowRight')
    await expect(page.getByRole('button', { name: 'Dispute this step' })).toHaveCount(0)
  })
})

for (const course of [MIDWAY, CORAL_SEA]) {
  test(`${course.title}: a roll is disputed; what is hidden is counted and not shown`, async ({ people }) => {
    const page = await people.person()
    await played(page, await people.person(), course)
    const shut = page.locator('.log h2 button[aria-expanded="false"]')
    while (await shut.count()) await shut.last().press('Enter')
    await page
      .getByRole('button', { name: /Dispute the roll/ })
      .first()
      .click()
    await same(page)
    await expect(page.locator('[data-kept]')).toHaveText(/kept until the match has ended:\s+nothing of it comes out otherwise/)
  })
}
