import AxeBuilder from '@axe-core/playwright'
import { chances, expect, glowing, over, seated, sit, test, type Page } from './table'

const MODES = { alone: 1, two: 2 }

/** Offers a campaign of 1942 from the lobby; returns its id. */
async function offerNimitz(page: Page, mode: keyof typeof MODES): Promise<string> {
  await page.goto('/')
  await page.locator('#title').selectOption('nimitz')
  await page.locator('input[name="scenario"][value="1942"]').check()
  await page.locator(`input[name="mode"][value="${MODES[mode]}"]`).check()
  if (mode === 'two') {
    await page.getByLabel('Against', { exact: true }).selectOption('person')
    await page.getByLabel('I play').selectOption({ label: 'United States' })
  }
  await page.getByRole('button', { name: /Offer the match|Start the match/ }).click()
  await page.waitForURL(/\/match\//)
  return /match\/([0-9a-f-]{36})/.exec(page.url())![1]!
}

const WHERE = '.where'

/** The board as it reads, whatever glows: areas and closed stacks with what lies in them. */
function standing(page: Page): Promise<string[]> {
  return page
    .locator('.stage :is(.area, .stack)')
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')!.replace(/; \d+ to choose from$/, '')).sort())
}

/** Clicks one thing that glows: in the tray, on the board, or a button; what ends a step in one of five. */
async function clickOne(page: Page, chance: () => number): Promise<boolean> {
  const places = ['.tray [data-glow]', '.stage [data-glow]', '.prompt [data-glow]:not([disabled])']
  const order = chance() < 0.3 ? [places[2]!, places[1]!, places[0]!] : places
  for (const place of order) {
    const all = page.locator(place)
    const count = await all.count()
    if (!count) continue
    await all.nth(Math.floor(chance() * count)).click({ timeout: 1_000, force: true }).catch(() => undefined)
    return true
  }
  return false
}

test('one plays a whole turn of 1942 with its battles against the automated side, which says why', async ({ people }) => {
  const page = await people.person()
  await offerNimitz(page, 'alone')
  await expect(page.getByText(/Waiting for/)).toHaveCount(0)
  await sit(page)
  await seated(page)

  await test.step('nobody is there to agree to a draw', async () => {
    await page.getByText('Match ▾').click()
    await expect(page.getByRole('button', { name: 'Resign …' })).toBeVisible()
    await expect(page.getByRole('button', { name: /draw|take back/ })).toHaveCount(0)
    await page.getByText('Match ▾').click()
  })

  await test.step('stacks fan out and say what is in them; supply is traced', async () => {
    await page.locator('.stage [data-stack^="HI US"]').first().hover()
    await expect(page.locator('.stage .fan')).toBeVisible()
    await page.locator('.stage .fan [data-id]').first().hover()
    await expect(page.locator('.stage .card')).toContainText('depth charges')
    await page.keyboard.press('Escape')
    await page.locator('.stage .area[data-id="SA"] .plate').hover()
    await expect(page.locator('.stage .link.traced')).not.toHaveCount(0)
  })

  let fought = false
  await test.step('to turn 2, or to the end if Hawaii falls', async () => {
    const chance = chances(11)
    for (let idle = 0; !/Turn 2/.test(await page.locator(WHERE).innerText()) && !(await over(page)); ) {
      fought ||= (await page.locator('.stage .water').count()) > 0
      const moved = await clickOne(page, chance)
      idle = moved ? 0 : idle + 1
      if (!moved) await page.waitForTimeout(20)
      expect(idle, 'somebody is asked').toBeLessThan(300)
    }
  })
  expect(fought, 'the battle board was there').toBe(true)

  await test.step('the log says why', async () => {
    const turn = page.locator('.log h2 button', { hasText: 'Turn 1' })
    if ((await turn.getAttribute('aria-expanded')) === 'false') await turn.click()
    const why = page.locator('.log details', { hasText: 'to choose from' })
    await expect(why).not.toHaveCount(0)
    await why.first().locator('summary').click()
    await expect(why.first().locator('li').first()).toBeVisible()
  })

  await test.step('nothing is in the way of anybody', async () => {
    const found = await new AxeBuilder({ page }).analyze()
    expect(found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])
  })
})

test('two play: what Japan decides in person comes from a second browser, and both boards agree', async ({ people }) => {
  const us = await people.person()
  const japan = await people.person()
  await offerNimitz(us, 'two')
  const link = await us.getByRole('textbox', { name: /Copy the link for Japan/ }).inputValue()
  await sit(us)
  await japan.goto(link)
  await sit(japan)
  for (const page of [us, japan]) await seated(page)

  let decided = 0
  const chance = chances(5)
  for (let idle = 0; decided < 5 && !(await over(us)); ) {
    const asked = (await glowing(japan).count()) > 0
    if (asked && (await clickOne(japan, chance))) decided += 1
    // The American side is in a hurry: it ends its steps as soon as it may.
    const ending = us.locator('.prompt [data-glow]:not([disabled]):not(.primary)')
    const moved = asked || ((await ending.count()) > 0 ? (await ending.first().click({ timeout: 1_000 }).catch(() => undefined), true) : await clickOne(us, chance))
    idle = moved ? 0 : idle + 1
    if (!moved) await us.waitForTimeout(20)
    expect(idle, 'somebody is asked').toBeLessThan(300)
  }
  expect(decided, 'Japan has decided').toBeGreaterThanOrEqual(5)
  // No stack lies open under a pointer.
  for (const page of [us, japan]) await page.locator('.prompt .words').hover()
  await expect(async () => expect(await standing(us)).toEqual(await standing(japan))).toPass({ timeout: 10_000 })
  expect((await standing(us)).length).toBeGreaterThan(4)
})
