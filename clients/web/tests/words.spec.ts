import { faults } from './axe'
import { expect, offer, type Page, seated, sit, test } from './table'

/** A match of Midway on 4 June, with both sides by one: Japan is asked to land planes. */
async function begun(page: Page): Promise<void> {
  await offer(page, { against: 'solo', scenario: 'historical-4-june' })
  await sit(page)
  await seated(page)
}

test('a marked word says what it means, by pointer and by key, with its rule (M4.2)', async ({ people }) => {
  const page = await people.person()
  await begun(page)
  const word = page.locator('.prompt [data-term="clear deck"]')
  const gloss = page.locator('#gloss')
  await word.hover()
  await expect(gloss).toContainText('A deck without planes')
  await expect(word).toHaveAttribute('aria-describedby', 'gloss')
  expect(await faults(page)).toEqual([])

  await page.keyboard.press('Escape')
  await expect(gloss).toHaveCount(0)
  await page.mouse.move(0, 0)
  await word.focus()
  await expect(gloss).toBeVisible()

  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  const rule = page.getByRole('dialog', { name: 'Rule M4.2' })
  await expect(rule).toContainText('clear')
  await expect(gloss).toHaveCount(0)

  await test.step('in a rule, too, and Esc shuts the word before the rule', async () => {
    await rule.locator('[data-term]').first().click()
    await expect(rule.locator('#gloss')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(gloss).toHaveCount(0)
    await expect(rule).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(rule).toHaveCount(0)
  })
})

test('a marked word says what it means by a tap, and shuts by the next', async ({ people }) => {
  const page = await people.person(true)
  await begun(page)
  const word = page.locator('.prompt [data-term="clear deck"]')
  await word.tap()
  const gloss = page.locator('#gloss')
  await expect(gloss).toBeInViewport({ ratio: 1 })

  await page
    .locator('.prompt .words p')
    .first()
    .tap({ position: { x: 4, y: 4 } })
  await expect(gloss).toHaveCount(0)
})

test('the primer of 4 June says that the fleet must be found, and shows where (M12.1)', async ({ people }) => {
  const page = await people.person()
  await begun(page)
  await page.getByRole('button', { name: 'Aid', exact: true }).click()
  await page.getByText('Your aim, and how to play here').click()
  const advice = page.locator('.primer li', { hasText: 'must be found first' })
  await advice.getByRole('button', { name: 'Show me' }).click()
  await expect(page.locator('.stage .box.lit').first()).toBeVisible()
})

test('a rulebook ends with its glossary, which is searched', async ({ people }) => {
  const page = await people.person()
  await page.goto('/rules/nimitz#glossary')
  await expect(page.getByRole('heading', { name: 'Glossary' })).toBeInViewport()
  await page.getByLabel('Search the glossary').fill('scouted')
  await expect(page.locator('dl dt')).toHaveText(['scouted order'])
  await page.locator('dd a').click()
  await expect(page).toHaveURL(/#N5\.4$/)
})
