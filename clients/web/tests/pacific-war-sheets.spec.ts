/** Pacific War's campaign and war: the sheets beside their map, and the links on it. */

import { isAccessible } from './axe'
import { expect, invitation, type Locator, offer, type Page, seated, sit, test, type Watched } from './table'

/** A seat of a scenario, at a table where somebody else has the other. */
async function table(people: Watched, scenario: string, seat: 0 | 1, touch = false, options: RegExp[] = []): Promise<Page> {
  const [page, other] = [await people.person(touch), await people.person()]
  const sides = ['Japan', 'Allies'] as const
  const [side, name] = [sides[1 - seat]!, 'Red admiral']
  await offer(other, { against: 'person', title: 'pacific_war', scenario, side, name, options, hidden: true })
  await page.goto(await invitation(other, new RegExp(`Copy the link for ${sides[seat]}`)))
  await page.getByLabel('Your name').fill('Blue admiral')
  await sit(page)
  await seated(page)
  return page
}

const button = (page: Page, name: string): Locator => page.locator('.sheets').getByRole('button', { name, exact: true })
const sheet = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })

/** Nothing is wider than the window, nor than the sheet that it lies in. */
async function fits(page: Page): Promise<void> {
  const wide = await page.evaluate(() => {
    const sheets = [...document.querySelectorAll('.sheet')].filter((one) => one.scrollWidth > one.clientWidth + 1)
    return [document.documentElement.scrollWidth > innerWidth ? 'the window' : '', ...sheets.map((one) => one.textContent)].filter(Boolean)
  })
  expect(wide).toEqual([])
}

test('P14 the pools of a side are sorted and searched, and a unit has its card there', async ({ people }) => {
  const page = await table(people, 'C1', 1)
  await button(page, 'Pools').click()
  const pools = sheet(page, 'Pools')
  await expect(pools.getByRole('heading', { level: 3 }).first()).toContainText('Due this month: August 1942')
  await expect(pools.locator('li').first()).toContainText('may be activated from day 15')
  await expect(pools.locator('li', { hasText: 'Shokaku' })).toHaveCount(0)
  await fits(page)

  await test.step('by kind, by name, and by what is looked for', async () => {
    await pools.getByLabel('Sort by').selectOption('kind')
    await expect(pools.getByRole('heading', { level: 3 }).first()).toContainText('Fleet carriers')
    await pools.getByLabel('Search by name').fill('hornet')
    await expect(pools.locator('li')).toHaveCount(1)
    await expect(pools.locator('li')).toContainText('Noumea')
    await pools.locator('li').hover()
    await expect(page.locator('[data-card]')).toContainText('Hornet')
    await pools.getByLabel('Search by name').fill('yamato')
    await expect(pools).toContainText('None is called “yamato”')
  })

  await test.step('the other pools', async () => {
    await pools.getByLabel('Search by name').fill('')
    await pools.getByRole('button', { name: /^Repair/ }).click()
    await expect(pools.getByText('No ship is damaged.')).toBeVisible()
    await pools.getByRole('button', { name: /^Replacements/ }).click()
    await expect(pools.getByLabel('Sort by')).toContainText('Steps missing')
    await page.keyboard.press('p')
    await expect(pools).toHaveCount(0)
  })
})

test('P4, P14, P33 the calendar has the days and what is due by months, and leads to a pool, to the map and to a rule', async ({
  people,
}) => {
  const page = await table(people, 'C1', 1)
  await button(page, 'Calendar').click()
  const calendar = sheet(page, 'Calendar')
  const due = calendar.getByRole('group', { name: 'What is due' })
  const heads = due.getByRole('heading', { level: 3 })
  const entry = (called: string): Locator => due.getByRole('listitem').filter({ hasText: called })
  await expect(heads).toHaveText(['August 1942, this month', 'September 1942', 'October 1942', 'November 1942', 'December 1942'])
  await expect(calendar.getByRole('region', { name: 'The days of August 1942' })).toContainText('month begins')
  await expect(entry('Allies: Reinforcements').nth(1)).toContainText('Washington, Hornet, 5 other ships')
  await expect(entry('Japan: Reinforcements').first()).toContainText('Shokaku')
  await fits(page)
  await isAccessible(page, 'the calendar')

  await test.step('of one kind alone', async () => {
    await calendar.getByRole('button', { name: 'Evaluation' }).click()
    await expect(due.getByRole('listitem')).toHaveCount(5)
    await expect(due.getByRole('listitem').last()).toContainText('the campaign is decided')
    await due.getByRole('button', { name: 'P33.2' }).first().click()
    await expect(page.getByRole('dialog')).toContainText('At each month end')
    await page.keyboard.press('Escape')
    await calendar.getByRole('button', { name: 'All', exact: true }).click()
  })

  await test.step('own reinforcements lie in a pool; those of the other side do not', async () => {
    await expect(entry('Japan: Reinforcements').getByRole('button', { name: 'Reinforcements' })).toHaveCount(0)
    await entry('Allies: Reinforcements').nth(1).getByRole('button', { name: 'Reinforcements' }).click()
    await expect(sheet(page, 'Pools').getByRole('heading', { level: 3 }).nth(1)).toContainText('September 1942')
  })

  await test.step('a place is shown on the map, by key too', async () => {
    await page.keyboard.press('d')
    await entry('Allies: Reinforcements').nth(1).getByRole('button', { name: 'Noumea' }).press('Enter')
    await expect(calendar).toHaveCount(0)
    await expect(page.locator('.stage [data-id="noumea"]')).toBeInViewport()
  })
})

test('P33.4 in the war the calendar reaches to its end, as a list on a telephone', async ({ people }) => {
  const page = await table(people, 'S1', 0, true)
  await page.getByRole('button', { name: 'Units' }).click()
  await button(page, 'Calendar').click()
  const calendar = sheet(page, 'Calendar')
  await expect(calendar.getByRole('heading', { name: 'January 1942' })).toBeVisible()
  await expect(calendar.getByRole('listitem').filter({ hasText: 'Shoho' })).toContainText('Kure-Hiroshima')
  await calendar.getByRole('button', { name: 'Evaluation' }).click()
  await expect(calendar.getByRole('listitem').last()).toContainText('the war is decided')
  await calendar.getByRole('listitem').last().scrollIntoViewIfNeeded()
  await expect(calendar.getByRole('heading', { name: 'September 1945' })).toBeInViewport()
  await fits(page)

  await test.step('a place is shown on the map, which has a tab of its own there', async () => {
    await page.keyboard.press('d')
    await page.keyboard.press('d')
    await calendar.getByRole('button', { name: 'All', exact: true }).click()
    await calendar.getByRole('button', { name: 'Kure-Hiroshima' }).first().click()
    await expect(page.getByRole('button', { name: 'Map', exact: true })).toHaveAttribute('aria-pressed', 'true')
    const kure = page.locator('.stage [data-id="kure"]')
    await expect(kure).toBeInViewport({ ratio: 0.9 })

    await page.getByRole('button', { name: 'Units', exact: true }).click()
    await button(page, 'Calendar').click()
    await calendar.getByRole('button', { name: 'Pearl Harbor (Oahu)' }).first().click()
    await expect(page.locator('.stage [data-id="pearl_harbor"]')).toBeInViewport({ ratio: 0.9 })
    await expect(kure).not.toBeInViewport()
  })
})

test('P11.6 Command Links are drawn when they are asked for, with a key to them, and no longer', async ({ people }) => {
  const page = await table(people, 'C1', 1)
  const drawn = page.locator('.stage .links')
  await expect(drawn).toHaveCount(0)
  await expect(button(page, 'Links')).toBeVisible()
  await page.keyboard.press('k')
  const key = sheet(page, 'Command Links')
  await expect(key.getByRole('radio', { name: /South Pacific Area/ })).toBeVisible()
  await expect(drawn.locator('path').first()).toBeAttached()
  await expect(drawn.locator('.site')).toHaveCount(2)
  await fits(page)

  await test.step('of one headquarters alone, and in words', async () => {
    await key.getByRole('radio', { name: /South Pacific Area/ }).check()
    await expect(drawn.locator('.site')).toHaveCount(1)
    await key.getByText(/Linked places in words/).click()
    await expect(key.getByRole('row', { name: /Noumea South Pacific Area, which is here/ })).toBeVisible()
    await expect(key.getByText(/of yours not Linked/)).toBeVisible()
  })

  await test.step('they stay while the key is shut', async () => {
    await key.getByRole('button', { name: /Close/ }).click()
    await expect(key).toHaveCount(0)
    await expect(drawn).toHaveCount(1)
    await button(page, 'Links').click()
    await expect(drawn).toHaveCount(0)
  })
})

test('P9.4 in the war a sheet has shipping, homeland and resources by months, with a table behind the plots', async ({ people }) => {
  const page = await table(people, 'S1', 0, true)
  await page.getByRole('button', { name: 'Units' }).click()
  await button(page, 'Shipping').click()
  const trade = sheet(page, 'Merchant shipping')
  await expect(trade.getByRole('img', { name: 'Merchant Shipping Points: 60 in December 1941, of 65 at most' })).toBeVisible()
  await expect(trade.getByRole('img', { name: /Homeland Resource Level: 20/ })).toBeVisible()
  await expect(trade.getByRole('row', { name: /^December 1941 60/ })).toBeAttached()
  await trade.getByRole('button', { name: 'Show the months as a table' }).click()
  await trade.getByRole('row', { name: /^December 1941 60/ }).scrollIntoViewIfNeeded()
  await expect(trade.getByRole('row', { name: /^December 1941 60/ })).toBeInViewport()
  await expect(trade.getByRole('listitem').filter({ hasText: 'Palembang' })).toContainText('Allies')
  await fits(page)
  await page.getByRole('button', { name: 'Pools', exact: true }).click()
  await expect(sheet(page, 'Pools')).toContainText('January 1942')
  await fits(page)
})

test('P34.1 the KRS lies at Palau on the map, and its card says to the enemy where it is', async ({ people }) => {
  const page = await table(people, 'S1', 1, false, [/KRS: from December 1941/])
  await page.getByRole('button', { name: 'Fold: Command Points' }).click()
  const boat = page.locator('.stage [data-id="krs_1"]')
  await expect(boat).toHaveAttribute('aria-label', 'KRS submarines (I-121 class) of Japan: at Palau')
  await boat.locator('.hull').hover()
  await expect(page.locator('[data-card]')).toContainText('special submarine of Japan')
  await expect(page.locator('[data-card]')).toContainText('at Palau')
})

test('P10.3 in the war the Allies share out two purses and a pool, and a telephone opens where they are led from', async ({ people }) => {
  const page = await table(people, 'S1', 1, true)
  const purse = page.locator('.purse')
  await expect(purse.locator('.whose')).toHaveText(['American: 22 of 22 left', 'Commonwealth: 12 of 12 left'])
  const sliders = purse.getByRole('slider')
  const pool = purse.locator('label', { hasText: 'Future Operation Pool' }).getByRole('slider')
  await pool.fill('9')
  await expect(purse.locator('.whose').first()).toHaveText('American: 13 of 22 left')
  await sliders.first().fill('20')
  await expect(purse.locator('.whose').first(), 'no more than is left').toHaveText('American: 0 of 22 left')
  await expect(purse.locator('.whose').last()).toHaveText('Commonwealth: 12 of 12 left')
  await fits(page)

  await page.getByRole('button', { name: 'Map', exact: true }).click()
  await expect(page.locator('.stage [data-id="pearl_harbor"]')).toBeInViewport()
  await page.getByRole('button', { name: 'Units', exact: true }).click()

  await purse.getByRole('button', { name: 'Give out 22' }).click()
  await expect(page.locator('.refused')).toHaveCount(0)
  await expect(page.locator('.prompt.mine .rule', { hasText: 'P10.3' })).toHaveCount(0)
  await expect(purse).toHaveCount(0)

  await page.goto(`${page.url().split('#')[0]}/replay`)
  await expect(page.locator('.stage [data-id="pearl_harbor"]'), 'the replay opens there too').toBeInViewport()
})

test('P10.3 in the war the board of purses is set as proposed, by purse, before it is sent, and leaves the map 70 % of the height', async ({
  people,
}) => {
  const page = await table(people, 'S1', 1)
  const purse = page.locator('div.purse')
  for (const width of [1440, 1280]) {
    await page.setViewportSize({ width, height: width === 1440 ? 900 : 720 })
    const words = page.locator('.prompt .words')
    await expect(words).toContainText('The board can be set as proposed.')
    await expect.poll(() => words.evaluate((one) => one.scrollHeight - one.clientHeight), 'all of the question').toBeLessThanOrEqual(1)
    await expect(page.getByRole('group', { name: 'Decisions' }).getByRole('button', { name: 'Done' })).toBeInViewport({ ratio: 1 })
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  const set = purse.getByRole('button', { name: 'Set as proposed: American 22, Commonwealth 12' })
  await expect(set).toHaveAttribute('title', /^As proposed: American .+ \d+, .*Commonwealth .+ \d+$/)
  const high = await page.locator('.inner[data-over]').evaluate((panel) => panel.getBoundingClientRect().height / innerHeight)
  expect(high).toBeLessThanOrEqual(0.3)
  await set.click()
  await expect(purse.locator('.whose')).toHaveText(['American: 0 of 22 left', 'Commonwealth: 0 of 12 left'])
  await purse.getByRole('button', { name: 'Give out 34' }).click()
  await expect(page.locator('.refused')).toHaveCount(0)
  await expect(purse).toHaveCount(0)
})

test('P10.3 in the war the telephone of Japan opens where it is led from', async ({ people }) => {
  const page = await table(people, 'S1', 0, true)
  await page.getByRole('button', { name: 'Map', exact: true }).click()
  await expect(page.locator('.stage [data-id="tokyo"]')).toBeInViewport()
  await expect(page.locator('.stage [data-id="pearl_harbor"]')).not.toBeInViewport()
})
