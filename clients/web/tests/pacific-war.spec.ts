/** Pacific War on its map: both seats of the Coral Sea duel, moved by clicks on the map, at a desk and on a telephone. */

import { expect, glowing, type Locator, offered, openForm, type Page, pocketed, seated, sit, test } from './table'

async function begin(page: Page): Promise<void> {
  await openForm(page, 'pacific_war')
  await page.locator('#against').selectOption('solo')
  await page.locator('input[name="scenario"][value="E1"]').check()
  await offered(page)
  await sit(page)
  await seated(page)
  await expect(page.locator('.prompt.mine')).toContainText('move task forces')
}

const fleet = (page: Page, id: string): Locator => page.locator(`.stage .fleet[data-id="${id}"]`)
const aims = (page: Page): Locator => page.locator('.stage .aim')

/** Where the marker of a task force stands, as it is read out. */
const placeOf = async (page: Page, id: string): Promise<string> =>
  /at ([^,]+)/.exec((await fleet(page, id).getAttribute('aria-label')) ?? '')?.[1] ?? ''

/** The nearest goal without anything on the way, or with something. */
function goal(page: Page, risky: boolean): Locator {
  const may = '[aria-label*="may stop it"], [aria-label*="submarine"]'
  return page.locator(risky ? `.stage .aim:is(${may})` : `.stage .aim:not(${may}):not([aria-label*="coast"])`)
}

test('a task force is moved by clicks on the map; what may happen on its way is named before it sails', async ({ people }) => {
  const page = await people.person()
  await begin(page)
  const mine = page.locator('.stage .fleet.mine[data-glow]')
  const [first] = await mine.evaluateAll((all) => all.map((one) => one.getAttribute('data-id')!))
  const before = await placeOf(page, first!)

  await test.step('its marker, then a goal; the way is drawn', async () => {
    await fleet(page, first!).click()
    await expect(page.locator('.prompt')).toContainText('sails')
    await expect(aims(page).first()).toBeVisible()
    await goal(page, false).last().hover()
    await expect(page.locator('.stage .course .line')).toBeVisible()
    await expect(page.locator('.stage .told')).toContainText('nothing known on the way')
  })

  await test.step('until it sails nobody else knows of it, and it can be let go', async () => {
    await page.getByRole('button', { name: /Let go all/ }).click()
    await expect(page.locator('.prompt')).toContainText('move task forces')
    await expect(fleet(page, first!)).toHaveAttribute('data-glow', 'true')
    await fleet(page, first!).click()
  })

  await test.step('past an enemy it is asked once more', async () => {
    const risky = goal(page, true)
    await expect(risky.first()).toBeVisible()
    await risky.first().click({ position: { x: 20, y: 20 } })
    await expect(page.locator('.stage .told.asks')).toContainText('may stop it')
    expect(await placeOf(page, first!)).toBe(before)
    await page.keyboard.press('Escape')
    await expect(page.locator('.stage .told.asks')).toHaveCount(0)
  })

  await test.step('a goal without risk is one click', async () => {
    await goal(page, false).last().click()
    await expect.poll(() => placeOf(page, first!)).not.toBe(before)
    await expect(page.locator('.stage .trail')).toHaveCount(1)
  })

  await test.step('the same by keyboard, from the list of what is legal', async () => {
    const list = page.getByRole('combobox')
    await expect(list).toHaveAttribute('placeholder', /\d+ legal/)
    await page.keyboard.press('/')
    await page.keyboard.type('Done')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await expect(page.locator('.prompt')).not.toContainText('move task forces')
  })
})

test('CAP is picked below the map and goes out as one command', async ({ people }) => {
  const page = await people.person()
  await begin(page)
  await page.getByRole('button', { name: 'Done', exact: true }).click()
  await expect(page.locator('.prompt')).toContainText('Assign steps to CAP')
  const whose = await page.locator('.prompt .words').innerText()
  const steps = page.locator('.tray button[aria-label*=", On CAP: "]')
  await expect(steps.first()).toBeVisible()
  const offeredSteps = await steps.count()
  expect(offeredSteps).toBeGreaterThan(1)

  await steps.first().click()
  await expect(page.locator('.prompt')).toContainText('Held back until it is whole')
  await expect.poll(() => steps.count()).toBeLessThan(offeredSteps)
  await page.getByRole('button', { name: 'Done', exact: true }).click()

  await expect(page.locator('.prompt .words')).not.toHaveText(whose)
  await expect(page.locator('.refused')).toHaveCount(0)
})

test('the closer the map is seen, the more of a task force is shown', async ({ people }) => {
  const page = await people.person()
  await begin(page)
  const mine = page.locator('.stage .fleet.mine').first()
  await expect(mine.locator('.summary, .row')).toHaveCount(0)

  const box = (await mine.boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.wheel(0, -600)
  await expect(mine.locator('.summary')).toBeVisible()
  await page.mouse.wheel(0, -700)
  await expect(mine.locator('.row').first()).toBeVisible()
  await expect(page.locator('.stage .number').first()).toBeVisible()

  await page.keyboard.press('0')
  await expect(mine.locator('.row')).toHaveCount(0)
  await page.keyboard.press('h')
  await expect(page.locator('.stage .fleet')).toHaveCount(0)
  await expect(page.locator('.stage .number').first()).toBeVisible()
})

test('on a telephone a task force is moved by taps, and the map by a finger', async ({ people }) => {
  const desk = await people.person()
  await begin(desk)
  const phone = await people.person(true)
  await pocketed(desk, phone)
  await phone.goto(desk.url())
  await seated(phone)
  const mine = phone.locator('.stage .fleet.mine[data-glow]').first()
  await expect(mine).toBeInViewport()
  const id = (await mine.getAttribute('data-id'))!
  const before = await placeOf(phone, id)

  await mine.tap()
  await expect(phone.locator('.prompt')).toContainText('sails')
  const beside = goal(phone, false)
  await expect(beside.first()).toBeAttached()
  const view = (await phone.locator('.stage svg').boundingBox())!
  // A goal whose middle is in the window and under no mark.
  const spot = await beside.evaluateAll((all, { x, y, width, height }) => {
    for (const one of all) {
      const box = one.getBoundingClientRect()
      const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
      const inside = at.x > x + 8 && at.x < x + width - 8 && at.y > y + 8 && at.y < y + height - 8
      if (inside && one.contains(document.elementFromPoint(at.x, at.y))) return at
    }
    return null
  }, view)
  expect(spot, 'a goal in sight').not.toBeNull()
  await phone.touchscreen.tap(spot!.x, spot!.y)
  await expect.poll(() => placeOf(phone, id)).not.toBe(before)
  await expect(phone.locator('.prompt')).toContainText('move task forces')
  await expect(glowing(phone).first()).toBeVisible()

  await phone.getByRole('button', { name: 'Units', exact: true }).tap()
  await expect(phone.locator('.tray').first()).toBeVisible()
})
