import { faults } from './axe'
import { playOn } from './quick'
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

test('labels of a side say what they mean, each marked once, and no word is marked for whoever wants none', async ({ people }) => {
  const page = await people.person()
  await page.setViewportSize({ width: 1280, height: 720 })
  await begun(page)
  await page.getByRole('button', { name: 'Fleets', exact: true }).click()
  const side = page.getByRole('region', { name: 'Japan' })
  const marks = await side.locator('[data-term]').evaluateAll((all) => all.map((one) => one.getAttribute('data-term')!))
  expect(marks).toEqual(expect.arrayContaining(['points', 'deck', 'hangar', 'combat air patrol']))
  expect(new Set(marks).size, marks.join()).toBe(marks.length)
  await side.locator('[data-term="combat air patrol"]').hover()
  await expect(page.locator('#gloss')).toContainText('Fighters over their own fleet')
  expect(await faults(page)).toEqual([])

  await page.getByRole('button', { name: 'Scenes, sound and words' }).click()
  await page.getByRole('checkbox', { name: 'Underlined' }).uncheck()
  await expect(page.locator('[data-term]')).toHaveCount(0)
  await page.reload()
  await seated(page)
  await expect(page.locator('[data-term]')).toHaveCount(0)
})

test('W says on the cards of counters what their words mean, until it is not wanted any more', async ({ people }) => {
  const page = await people.person()
  const match = await offer(page, { against: 'solo' })
  await sit(page)
  await seated(page)
  await playOn(page, match, 8, { most: 12_000, asks: 'LAUNCH' })
  await page.goto(`/match/${match}`)
  await seated(page)
  const counter = page.locator('.stage .counter[data-glow]:not([tabindex="-1"])').first()
  const card = page.locator('[data-card]')
  const words = card.locator('dl')
  await counter.hover()
  await expect(card).toContainText('What the words mean')
  await expect(words).toHaveCount(0)
  await page.keyboard.press('w')
  await expect(words).toContainText('Points lost never come back')
  expect(await faults(page)).toEqual([])

  await test.step('of the next one, too, and read out with it', async () => {
    await page.mouse.move(5, 5)
    await expect(card).toHaveCount(0)
    await counter.evaluate((one) => (one as SVGElement).focus({ focusVisible: true }))
    await expect(words).toBeVisible()
    await expect(page.locator(':focus')).toHaveAccessibleDescription(/Points lost never come back/)
  })

  await page.keyboard.press('w')
  await expect(words).toHaveCount(0)
  await expect(page.locator(':focus')).toHaveAccessibleDescription('')
})

test('a tap on the foot of a card says what its words mean, and the card stays', async ({ people }) => {
  const page = await people.person(true)
  await begun(page)
  const card = page.locator('[data-card]')
  // What cannot be chosen says who it is by a tap.
  await page.locator('.stage .counter:not([data-glow], [tabindex="-1"])').first().tap()
  await card.getByRole('button', { name: 'What the words mean' }).tap()
  await expect(card.locator('dl')).toContainText('Points lost never come back')
  await expect(card).toBeInViewport({ ratio: 1 })
  expect(await faults(page)).toEqual([])

  await card.getByRole('button', { name: 'Hide what the words mean' }).tap()
  await expect(card.locator('dl')).toHaveCount(0)
  await expect(card).toBeVisible()
})

test('the primer of 4 June says that the fleet must be found, and shows where (M12.1)', async ({ people }) => {
  const page = await people.person()
  await begun(page)
  // Whoever is new is led to it, and finds it open.
  await page.getByRole('button', { name: 'Aid new here?' }).click()
  const advice = page.locator('.primer li', { hasText: 'must be found first' })
  await advice.getByRole('button', { name: 'Show me' }).click()
  await expect(page.locator('.stage .box.lit').first()).toBeVisible()

  // Then it is folded up, and nobody is told again.
  await page.reload()
  await page.getByRole('button', { name: 'Aid', exact: true }).click()
  await expect(page.getByText('Your aim, and how to play here')).toBeVisible()
  await expect(page.locator('.primer')).toBeHidden()
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
