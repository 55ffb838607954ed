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

test('a rulebook says what its words mean, by pointer, by key and by tap, and covers no number of a rule', async ({ people }) => {
  const page = await people.person()
  await page.goto('/rules/midway#M6.3')
  const rule = page.locator('[id="M6.3"]')
  const gloss = page.locator('#gloss')
  const words = rule.locator('[data-term]')
  await expect(words.first()).toBeVisible()

  await test.step('each once in a rule, and its number stays in sight', async () => {
    const terms = await words.evaluateAll((all) => all.map((one) => one.getAttribute('data-term')!))
    expect(new Set(terms).size, terms.join()).toBe(terms.length)
    const beside = page.locator('main p:has([data-term] + a.number, [data-term] ~ a.number)')
    for (let place = 0; place < 8; place++) {
      const [word, number] = [beside.nth(place).locator('[data-term]:has(~ a.number)').last(), beside.nth(place).locator('a.number').last()]
      await word.scrollIntoViewIfNeeded()
      await page.mouse.move(0, 0)
      await expect(gloss).toHaveCount(0)
      await word.hover()
      await expect(gloss).toBeVisible()
      const next = await word.evaluate((at) => {
        const links = [...at.closest('p')!.querySelectorAll('a')]
        const link = links.find((one) => at.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING)!
        const [one, other] = [link.getBoundingClientRect(), document.querySelector('#gloss')!.getBoundingClientRect()]
        return one.right <= other.left || one.left >= other.right || one.bottom <= other.top || one.top >= other.bottom
      })
      expect(next, await number.innerText()).toBe(true)
    }
  })

  await test.step('from word to word by key, down the page; Esc shuts it', async () => {
    await words.first().focus()
    for (let press = 0; press < 25; press++) {
      await page.keyboard.press('Tab')
      const about = page.locator('[data-term]:focus')
      if (!(await about.count())) continue
      await expect(about).toHaveAttribute('aria-describedby', 'gloss')
      // The page was scrolled to it meanwhile.
      await expect(gloss).toBeInViewport({ ratio: 1 })
    }
    await words.last().focus()
    await expect(gloss).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(gloss).toHaveCount(0)
  })

  await test.step('in tables and in examples', async () => {
    await expect(page.locator('td [data-term]').first()).toBeAttached()
    await page.getByRole('link', { name: 'Worked examples' }).click()
    const lines = page.getByRole('figure', { name: /CAP against an escorted wave/ }).locator('.lines [data-term]')
    await expect(lines.first()).toBeVisible()
    const terms = await lines.evaluateAll((all) => all.map((one) => one.getAttribute('data-term')!))
    expect(new Set(terms).size, terms.join()).toBe(terms.length)
  })

  const finger = await people.person(true)
  await finger.goto('/rules/midway#M6.3')
  await finger.locator('[id="M6.3"] [data-term]').first().tap()
  await expect(finger.locator('#gloss')).toBeInViewport({ ratio: 1 })
  await finger.keyboard.press('Escape')
  await expect(finger.locator('#gloss')).toHaveCount(0)

  await page.evaluate(() => localStorage.setItem('fleetfold.tastes', JSON.stringify({ marks: false })))
  await page.reload()
  await expect(page.locator('dl dt').first()).toBeVisible()
  await expect(page.locator('[data-term]')).toHaveCount(0)
})

test('what is searched for in a rulebook is shown from the top, and of the glossary what has it', async ({ people }) => {
  const page = await people.person()
  await page.goto('/rules/nimitz#N12')
  await expect(page.locator('#N12')).toBeInViewport()
  await expect(page.locator('dl dt').nth(20)).toBeAttached()

  await page.getByLabel('Search the rules').fill('airfield')

  await expect(page.getByRole('status').filter({ hasText: 'passages with “airfield”' })).toBeInViewport()
  expect(await page.evaluate(() => scrollY)).toBe(0)
  const texts = await page.locator('dl > div').allInnerTexts()
  expect(texts.length).toBeGreaterThan(0)
  expect(texts.filter((text) => !/airfield/i.test(text))).toEqual([])
})

test('the number of a ruling leads to it (R-86)', async ({ people }) => {
  const page = await people.person()
  await page.goto('/rules/nimitz#N10.12')
  await page.locator('[id="N10.12"] a.number', { hasText: 'R-86' }).click()

  await expect(page.locator('[id="R-86"]')).toBeInViewport()
})

test('a search group that is left as the only one is said to be chosen by the rules (M12.4)', async ({ people }) => {
  const page = await people.person()
  const match = await offer(page, { against: 'solo', scenario: 'historical-4-june' })
  await sit(page)
  await seated(page)
  await playOn(page, match, 8, { most: 12_000, asks: 'SEARCH_ASSIGN' })
  await page.goto(`/match/${match}`)
  await seated(page)
  const news = page.locator('.prompt .news', { hasText: 'Only one choice was left' })
  const group = page.getByRole('button', { name: /flies with search group/ }).first()
  await expect(async () => {
    if (!(await news.count())) await group.click({ timeout: 2_000 }).catch(() => undefined)
    await expect(news).toHaveText(/^Only one choice was left: .+ search group \d.*\.$/, { timeout: 500 })
  }).toPass({ timeout: 60_000 })
})
