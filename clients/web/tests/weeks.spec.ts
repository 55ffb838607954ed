import { clocked } from './clocked'
import { expect, type Page, test } from './table'

const prompt = (page: Page) => page.locator('.prompt')
const timeOut = (page: Page) => page.locator('.out')

test('a match over weeks is offered with days, nights and weekends, and its clock says when it stands still', async ({ people }) => {
  const page = await people.person()
  await page.goto('/')
  await page.getByRole('button', { name: 'Offer a match' }).first().click()
  const form = page.getByRole('dialog')
  await expect(form.getByLabel('Days a side')).toHaveCount(0)
  await form.getByLabel('Pace').selectOption({ label: 'By turns, with clocks of days' })
  await form.getByLabel('Days a side').fill('5')
  await form.getByLabel('And each turn').fill('3')
  await form.getByLabel('Weekends').check()
  const [hours, minutes] = await page.evaluate(() => {
    const begun = new Date(Date.now() - 3_600_000)
    return [begun.getHours(), begun.getMinutes()]
  })
  await form.getByLabel('My night begins at').fill(`${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`)
  await form.getByLabel('Against', { exact: true }).selectOption({ label: 'myself, on both sides' })
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 })
    const button = form.getByRole('button', { name: 'Start the match' })
    await button.scrollIntoViewIfNeeded()
    await expect(button).toBeInViewport()
    expect(await form.evaluate((dialog) => dialog.scrollWidth <= dialog.clientWidth)).toBe(true)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await form.getByRole('button', { name: 'Start the match' }).click()

  const clocks = page.getByRole('group', { name: 'Clocks' })
  await expect(clocks.getByRole('timer').first()).toHaveText('8 d 0 h')
  await expect(clocks.locator('.running')).toHaveCount(0)
  await expect(page.locator('.still').first()).toContainText(/(night|weekend) there, no time runs until \w+ \d\d:\d\d/)
})

/** Claims two time-outs of Japan, and waits for the third. */
async function outThreeTimes(america: Page): Promise<void> {
  for (const times of ['once', 'twice']) {
    await timeOut(america).getByRole('button', { name: 'Claim the time-out' }).click({ timeout: 20_000 })
    await expect(america.locator('.still', { hasText: `out of time ${times} in a row` })).toBeVisible()
  }

  // What the rules decided for Japan may have brought on what America decides: it passes until Japan is asked again.
  const done = america.getByRole('button', { name: /^Done/ })
  await expect(async () => {
    if (await done.isEnabled({ timeout: 500 }).catch(() => false)) await done.click({ timeout: 1_000 })
    await expect(timeOut(america)).toContainText('has run out for the third time in a row', { timeout: 500 })
  }).toPass({ timeout: 60_000 })
}

test('who waits claims each time-out, and the third in a row as a win', async ({ people, server }) => {
  const [japan, america] = await clocked(people, server, 1, false, { by_claim: true })
  await outThreeTimes(america)
  await expect(timeOut(america).getByRole('button', { name: 'Play on' })).toBeVisible()
  await expect(timeOut(japan)).toHaveCount(0)
  await timeOut(america).getByRole('button', { name: 'Claim the win' }).click()

  for (const page of [japan, america]) await expect(prompt(page)).toContainText('ran out of time three times in a row')
})

test('a seat whose player stays away is taken by somebody else in the lobby', async ({ people, server }) => {
  const [japan, america] = await clocked(people, server, 1, false, { by_claim: true })
  const other = await people.person()
  await outThreeTimes(america)
  await timeOut(america).getByRole('button', { name: 'Offer the seat to others' }).click()
  await expect(timeOut(america)).toContainText('The seat is offered in the lobby')
  const match = new URL(america.url()).pathname.split('/').at(-1)!
  await other.goto(`${server.url}/match/${match}`)
  await expect(timeOut(other)).toContainText('its player stays away')
  await expect(timeOut(other).getByRole('button', { name: 'Take the seat' })).toBeVisible()

  await other.goto(server.url)
  const card = other.locator(`[data-match="${match}"]`)
  await card.getByRole('button', { name: 'Join as Japan' }).click()
  await card.getByLabel('Your name').fill('Third admiral')
  // The link of who stays away is void from now on, and his page may look the match up by it before it hears so.
  people.expectBreaks()
  await card.getByRole('button', { name: 'Sit down' }).click()

  await expect(other.getByRole('group', { name: 'Clocks' })).toBeVisible()
  await expect(prompt(other)).toBeVisible()
  await expect(america.getByText('Third admiral').first()).toBeVisible()
  await expect(timeOut(japan)).toHaveCount(0)
})

test('before both have decided either calls the match off, and then nobody has won', async ({ people, server }) => {
  const [japan, america] = await clocked(people, server, 600)
  await america.getByText('Match ▾').click()
  const menu = america.locator('.menu')
  await menu.getByRole('button', { name: 'Call the match off …' }).click()
  await menu.getByRole('button', { name: 'Yes, call it off' }).click()

  for (const page of [japan, america]) await expect(prompt(page)).toContainText('The match is called off. It has no result.')
})

test('a holiday is told to the other side, and ended before its time', async ({ people, server }) => {
  const [japan, america] = await clocked(people, server, 600, false, { by_claim: true })
  await japan.getByText('Match ▾').click()
  await japan.locator('.menu').getByRole('button', { name: 'Go on holiday …' }).click()
  await japan.locator('.menu').getByLabel('Days').fill('3')
  await japan.locator('.menu').getByRole('button', { name: 'Go', exact: true }).click()
  for (const page of [japan, america]) {
    await expect(page.locator('.still')).toContainText(/on holiday, no time runs until \w+day \d+ \w+ at/)
    await expect(page.getByRole('group', { name: 'Clocks' }).locator('.running')).toHaveCount(0)
  }
  await expect(prompt(america)).toContainText('Red admiral goes on holiday for 3 days')

  await japan.getByText('Match ▾').click()
  await japan.locator('.menu').getByRole('button', { name: 'End my holiday' }).click()
  for (const page of [japan, america]) {
    await expect(page.locator('.still')).toHaveCount(0)
    await expect(page.getByRole('group', { name: 'Clocks' }).locator('.running')).toHaveCount(1)
  }
})
