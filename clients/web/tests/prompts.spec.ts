import { offerNimitz } from './nimitz'
import { playOn } from './quick'
import { choose, expect, offer, offered, openForm, type Page, seated, sit, test, typed, type Watched } from './table'

const words = (page: Page) => page.locator('.prompt .words')
const undo = (page: Page) => page.locator('.prompt .undo')

/** U answers though there is nothing to take back, and whoever watches has no Undo. */
async function answersOnU(page: Page, match: string, people: Watched): Promise<void> {
  // As it comes while capitals are locked.
  await page.keyboard.press('U')
  await expect(words(page)).toContainText('you have decided nothing yet')
  const onlooker = await people.person()
  await onlooker.goto(`/match/${match}`)
  await seated(onlooker)
  await expect(undo(onlooker)).toHaveCount(0)
  await expect(words(onlooker)).not.toContainText(/SP left|Both sides choose/)
  const said = await words(onlooker).innerText()
  await onlooker.keyboard.press('u')
  // The time in which it would have been drawn: nothing tells that a key did nothing.
  await onlooker.waitForTimeout(200)
  expect(await words(onlooker).innerText()).toBe(said)
}

test('Nimitz: a prompt counts as one chooses, and what is suggested is taken by one click and back by one undo', async ({ people }) => {
  const page = await people.person()
  const match = await offerNimitz(page, 'alone')
  await sit(page)
  await seated(page)
  await expect(words(page)).toContainText(/Resupply: \d+ SP left, also for scouts and battle plans/)
  const [asked] = /\d+ SP left/.exec(await words(page).innerText())!
  await answersOnU(page, match, people)

  await test.step('seen first, taken then, and undone at once', async () => {
    const suggest = page.locator('[data-suggest]')
    await suggest.click()
    await expect(words(page)).toContainText('Suggested: Buy')
    await suggest.click()
    await expect(undo(page)).toContainText('Undo: Buy')
    await undo(page).click()
    await expect(words(page)).toContainText(asked)
  })

  await test.step('the next steps say what they count', async () => {
    await typed(page, 'done with resupply')
    await expect(words(page)).toContainText(/0 sent, \d+ SP left/)
    await typed(page, 'done with scouting')
    await expect(words(page)).toContainText(/Movement: \d+ forces can still move, each once/)
  })
})

test('Midway: a prompt says whose it is where one plays both sides, and counts as one chooses', async ({ people }) => {
  const page = await people.person()
  await offer(page, { against: 'solo' })
  await sit(page)
  await seated(page)
  await expect(words(page)).toContainText('Japan: Launch planes: 4 groups on deck.')
  await choose(page, 'KAG-D1')
  await expect(words(page)).toContainText('Japan: Launch planes: 3 groups on deck.')
})

test('Coral Sea: a prompt says whose it is and counts the hand', async ({ people }) => {
  const page = await people.person()
  await openForm(page, 'coral_sea')
  await page.getByLabel('Against', { exact: true }).selectOption('solo')
  const match = await offered(page)
  await sit(page)
  await seated(page)
  await expect(words(page)).toContainText('Card or Map? Both sides choose in secret')
  await answersOnU(page, match, people)
  await typed(page, 'card')
  await typed(page, 'card')
  await expect(words(page)).toContainText(/(Japan|Allies): Your card action, 5 of 5 cards in hand/)
})

test('Coral Sea: a long Undo gives way before the buttons beside it leave their row', async ({ people }) => {
  const page = await people.person()
  await offer(page, { title: 'coral_sea', against: 'solo' })
  await sit(page)
  await seated(page)
  await expect(page.locator('.prompt .many button').nth(1)).toBeVisible()
  // As after a long bulk button; what the button says is all that is not as it was built.
  await undo(page)
    .locator('.whole')
    .evaluate((whole) => (whole.textContent = '↶ Undo: Take Shoho (6·6·3), Cruiser Div 6 (7·6·3) and 2 more along'))
  const apart: string[] = []
  for (let width = 1440; width >= 1130; width -= 5) {
    await page.setViewportSize({ width, height: 720 })
    const tops = await page.locator('.prompt .many button').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
    if (new Set(tops).size > 1) apart.push(`${width}: ${tops.join(' and ')}`)
  }
  expect(apart).toEqual([])
})

/** What a prompt says or offers that is not within it. */
function outside(page: Page): Promise<string[]> {
  return page.locator('.prompt :is(button, input, .words *)').evaluateAll((all) => {
    const { top, bottom } = all[0]!.closest('.prompt')!.getBoundingClientRect()
    return all
      .filter((one) => one.checkVisibility() && !one.matches('.out-of-sight'))
      .map((one) => ({ says: one.textContent || one.tagName, box: one.getBoundingClientRect() }))
      .filter(({ box }) => box.top < top - 3 || box.bottom > bottom + 3)
      .map(({ says, box }) => `${says.trim()}: ${box.top} to ${box.bottom}, the prompt ${top} to ${bottom}`)
  })
}

test('Midway, 4 June: all that a prompt says and offers is in sight on a small laptop', async ({ people }) => {
  const page = await people.person()
  const match = await offer(page, { against: 'steady', scenario: 'historical-4-june', side: 'United States' })
  await seated(page)
  await page.setViewportSize({ width: 1280, height: 720 })
  for (const asks of ['LAUNCH', 'SEARCH_ASSIGN']) {
    await playOn(page, match, 4, { most: 900, asks })
    await page.goto(`/match/${match}`)
    await seated(page)
    await expect(page.locator('.prompt .standing')).toContainText('The Japanese fleet is not found')
    // As with three full decks, of which the order at the start has two.
    if (asks === 'LAUNCH') {
      await page.locator('.prompt [data-bundle]').evaluateAll((all) => {
        for (const one of all.slice(0, 2)) one.after(one.cloneNode(true))
      })
    }
    expect(await outside(page), asks).toEqual([])
  }
})

test('words that need three lines stand closer, and none of them is cut', async ({ people }) => {
  const page = await people.person()
  const match = await offer(page, { against: 'solo' })
  await sit(page)
  await seated(page)
  await playOn(page, match, 4, { most: 900, asks: 'LAUNCH' })
  await page.goto(`/match/${match}`)
  await seated(page)
  const words = page.locator('.prompt .words')
  await words
    .locator('p')
    .first()
    .evaluate((line) => line.prepend('With eleven groups on four decks, and all of them ready, '))
  for (const [width, height] of [
    [1440, 900],
    [1280, 720],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expect(words).toHaveClass(/close/)
    expect(await outside(page), `${width} × ${height}`).toEqual([])
  }
  await page.setViewportSize({ width: 2560, height: 1440 })
  await expect(words, 'where there is room').not.toHaveClass(/close/)
})

test('a board that waits for a decision comes to rest in every title', async ({ people }) => {
  const page = await people.person()
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const offers = [
    () => offer(page, { against: 'solo' }),
    () => offer(page, { against: 'solo', title: 'coral_sea' }),
    () => offerNimitz(page, 'alone', '1942'),
  ]
  const seen: string[] = []
  for (const begin of offers) {
    await begin()
    await sit(page)
    await seated(page)
    await expect(page.locator('.prompt.mine')).toBeVisible()
    const moving = await page.evaluate(() =>
      document.getAnimations().map((one) => ({
        name: one instanceof CSSAnimation ? one.animationName : '',
        ends: one.effect!.getComputedTiming().iterations !== Infinity,
      })),
    )
    expect(moving.filter(({ ends }) => !ends)).toEqual([])
    seen.push(...moving.map(({ name }) => name))
  }
  expect(seen.filter((name) => name.includes('breathe'))).not.toEqual([])
})
