import { boardOf, choose, expect, factsOf, offer, type Page, seated, sit, test } from './table'

/** A match against a bot in a browser that keeps the pick that ends a step for so many seconds. */
async function against(page: Page, undo: number): Promise<string> {
  await page.addInitScript((seconds) => localStorage.setItem('fleetfold.tastes', JSON.stringify({ undo: seconds })), undo)
  const match = await offer(page, { against: 'steady', side: 'Japan' })
  await sit(page)
  await seated(page)
  await expect(page.locator('.prompt.mine')).toBeVisible()
  return match
}

const done = (page: Page) => page.getByRole('button', { name: /^Done/ })
const undo = (page: Page) => page.locator('.prompt .undo')
const words = (page: Page) => page.locator('.prompt .words')

test('what ends a step is kept, can be undone, and goes out by itself, by a key, or with the page', async ({ people }) => {
  const page = await people.person()
  const match = await against(page, 4)
  const before = await factsOf(page)
  const asked = await words(page).innerText()

  await test.step('Esc and Undo drop it, and nobody has heard of it', async () => {
    await done(page).click()
    await expect(words(page)).toContainText('Done launching')
    await expect(undo(page)).toContainText('Undo: Done launching')
    await page.keyboard.press('Escape')
    await expect(words(page)).toHaveText(asked, { useInnerText: true })
    await done(page).click()
    await undo(page).click()
    await expect(words(page)).toHaveText(asked, { useInnerText: true })
    expect(await factsOf(page)).toBe(before)
  })

  await test.step('Enter sends it at once', async () => {
    await done(page).click()
    await page.keyboard.press('Enter')
    await expect(words(page)).not.toContainText('Sent in a moment')
    await expect(words(page)).toContainText('Plan the next turn')
  })

  await test.step('who leaves the page has chosen', async () => {
    await expect(page.locator('.prompt.mine')).toBeVisible()
    const said = await words(page).innerText()
    await done(page).click()
    await expect(page.locator('.prompt.kept')).toBeVisible()
    await page.goto('/verify')
    await page.goto(`/match/${match}`)
    await seated(page)
    await expect(words(page)).not.toHaveText(said, { useInnerText: true })
  })
})

test('the key that makes the last pick on the board does not send it, too', async ({ people }) => {
  const page = await people.person()
  await against(page, 4)
  const kept = page.locator('.prompt.kept')
  const glows = page.locator('.stage [data-glow]')
  const box = page.locator('.stage .box.glowing')
  const shown = async (): Promise<string> => `${await kept.count()} ${await words(page).innerText()} ${await glows.count()}`
  for (let pick = 0; pick < 40 && !(await kept.count()); pick++) {
    const before = await shown()
    await ((await box.count()) ? box : glows).first().press('Enter')
    await expect.poll(shown).not.toBe(before)
  }
  await expect(kept).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(kept).toHaveCount(0)

  await expect(glows.first()).toBeVisible()
})

test('undo says what it takes back, and asks where another has decided since; onlookers have none', async ({ people }) => {
  const page = await people.person()
  const match = await against(page, 0)
  const start = await boardOf(page)

  await test.step('one’s own last pick, in words', async () => {
    await choose(page, 'KAG-D1')
    const box = page.locator('.stage .box.glowing').first()
    if (await box.count()) await box.click()
    await expect(undo(page)).toContainText('Undo: Launch')
    await page.keyboard.press('u')
    await expect.poll(() => boardOf(page)).toEqual(start)
    await expect(undo(page)).toBeDisabled()
    await page.keyboard.press('u')
    await expect(words(page)).toContainText('you have decided nothing yet')
  })

  await test.step('across the bot’s decision it is asked, and the bot agrees', async () => {
    await done(page).click()
    for (let step = 0; step < 4 && !(await undo(page).innerText()).includes('Ask'); step++) {
      await done(page)
        .click({ timeout: 1_000 })
        .catch(() => undefined)
      await expect(page.locator('.prompt.mine')).toBeVisible()
    }
    await expect(undo(page)).toHaveText(/^↶ Ask to take back: Done \w/)
    const what = (await undo(page).innerText()).replace('↶ Ask to take back: ', '')
    await page.keyboard.press('u')
    await expect(words(page)).toContainText('only if the others agree')
    await page.keyboard.press('u')
    await expect(page.locator('.prompt .news')).toContainText(`took back “${what}”`)
  })

  const onlooker = await people.person()
  await onlooker.goto(`/match/${match}`)
  await seated(onlooker)
  await expect(undo(onlooker)).toHaveCount(0)
})

test('a suggestion stays on the board from when it is asked for until it is left or taken, and one undo takes it back', async ({
  people,
}) => {
  for (const touch of [false, true]) {
    const page = await people.person(touch)
    await against(page, 0)
    const start = await boardOf(page)
    const suggest = page.locator('[data-suggest]')
    const press = (name: string | RegExp) => (touch ? page.getByRole('button', { name }).tap() : page.getByRole('button', { name }).click())

    await press('Suggest')
    await expect(words(page)).toContainText('Suggested: Launch')
    const seen = await boardOf(page)
    expect(seen).not.toEqual(start)
    // Beside the words: on one it would say what it means.
    if (touch) await words(page).tap({ position: { x: 4, y: 4 } })
    else await page.mouse.move(0, 0)
    await expect(suggest).toHaveText('Take it')
    await expect(page.getByRole('button', { name: /^Let go/ })).toBeInViewport({ ratio: 1 })
    expect(await boardOf(page)).toEqual(seen)
    await press(/^Let go/)
    await expect.poll(() => boardOf(page)).toEqual(start)
    await expect(undo(page)).toBeDisabled()

    await press('Suggest')
    await expect(suggest).toHaveText('Take it')
    // Sooner it would be the second of two taps.
    await page.waitForTimeout(600)
    await press('Take it')
    await expect(undo(page)).toContainText('Undo: Launch')
    await (touch ? undo(page).tap() : undo(page).click())
    await expect.poll(() => boardOf(page)).toEqual(start)
  }
})

test('a suggestion is taken by the button that has asked for it, and not by a double click', async ({ people }) => {
  const page = await people.person()
  await against(page, 0)
  const facts = await factsOf(page)
  const suggest = page.locator('[data-suggest]')
  const box = (await suggest.boundingBox())!

  await suggest.click()
  await expect(suggest).toHaveText('Take it')
  const after = (await suggest.boundingBox())!
  expect([after.x, after.y, after.width]).toEqual([box.x, box.y, box.width])
  await page.keyboard.press('Escape')
  await expect(suggest).toHaveText('Suggest')

  await suggest.dblclick()
  await expect(suggest).toHaveText('Take it')
  await expect(page.locator('.prompt.waits')).toHaveCount(0)
  expect(await factsOf(page)).toBe(facts)
})

test('a suggestion that ends a step goes at once: it has been seen', async ({ people }) => {
  const page = await people.person()
  await against(page, 4)
  const facts = await factsOf(page)
  const suggest = page.locator('[data-suggest]')

  await suggest.click()
  await expect(suggest).toHaveText('Take it')
  // All of it in short, and what comes of it.
  await expect(words(page).locator('p').first()).toHaveText(/Suggested: Launch .+ and .+ to attack.*\. Taking it ends this step\./)
  const seen = await boardOf(page)
  await suggest.click()
  await expect(page.locator('.prompt.kept')).toHaveCount(0)
  await expect.poll(() => factsOf(page), { timeout: 3_000 }).toBeGreaterThan(facts)
  // The pick that ends the step is named and marked before; on the board it is seen with the others now.
  const launched = (board: string[]): string[] => board.filter((one) => one.endsWith('Moving to Attack (Japan)'))
  expect(launched(seen)).not.toEqual([])
  expect(launched(await boardOf(page))).toEqual(launched(seen))
})

test('many picks that end a step are kept as one, and undone as one', async ({ people }) => {
  const page = await people.person()
  await against(page, 4)
  const start = await boardOf(page)
  const facts = await factsOf(page)

  await page.locator('[data-bundle]').first().click()
  await expect(page.locator('.prompt.kept')).toBeVisible()
  await expect(undo(page)).toContainText('Undo: Launch')
  expect(await boardOf(page)).not.toEqual(start)
  await undo(page).click()
  await expect.poll(() => boardOf(page)).toEqual(start)
  expect(await factsOf(page)).toBe(facts)

  await page.locator('[data-bundle]').first().click()
  await expect(page.locator('.prompt.kept')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect.poll(() => factsOf(page)).toBeGreaterThan(facts)
})
