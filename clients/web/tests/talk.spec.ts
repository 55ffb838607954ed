import { clocked } from './clocked'
import { expect, glowing, type Page, test } from './table'

const clocks = (page: Page) => page.getByRole('group', { name: 'Clocks' })
const overBoard = (page: Page) => page.locator('.over .line')
const tab = (page: Page, name: string | RegExp) => page.getByRole('navigation').getByRole('button', { name })

async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel('Say something').fill(text)
  await page.getByLabel('Say something').press('Enter')
}

/** Turns to something else, or back, as a browser tells its page. */
async function turn(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((away) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: away })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)
}

test('what is said is counted until it is read, and shown over the board; where there is room it stands below the log', async ({
  people,
  server,
}) => {
  const [japan, america] = await clocked(people, server, 600, true)

  await test.step('on a wide screen talk and log are both there, and the talk folds up', async () => {
    await expect(japan.locator('.log')).toBeVisible()
    await expect(japan.getByLabel('Say something')).toBeVisible()
    await japan.getByRole('button', { name: 'Talk' }).click()
    await expect(japan.getByLabel('Say something')).toHaveCount(0)
    await japan.getByRole('button', { name: 'Talk' }).click()
  })

  await test.step('on a telephone it is counted, shown over the board, and in nobody’s way', async () => {
    await say(japan, 'Good luck')
    await say(japan, 'and good dice')
    await expect(tab(america, 'Talk 2 unread')).toBeVisible()
    await expect(overBoard(america)).toContainText('Red admiral and good dice')
    // A finger on it touches what lies below.
    const below = await overBoard(america)
      .locator('p')
      .evaluate((one) => {
        const { x, y, width, height } = one.getBoundingClientRect()
        return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('.stage') !== null
      })
    expect(below).toBe(true)
    const line = (await overBoard(america).boundingBox())!
    const prompt = (await america.locator('.prompt').boundingBox())!
    expect(line.y).toBeGreaterThanOrEqual(prompt.y + prompt.height)
    await overBoard(america).getByRole('button').tap()
    await expect(overBoard(america)).toHaveCount(0)
  })

  await test.step('what has been read is counted no more, even when the page is opened anew', async () => {
    await tab(america, /^Talk/).tap()
    await expect(america.getByText('and good dice')).toBeVisible()
    await expect(tab(america, 'Talk')).toHaveText('Talk')
    await america.reload()
    await expect(tab(america, 'Talk')).toHaveText('Talk')
    await tab(america, 'Talk').tap()
    await expect(america.getByText('and good dice')).toBeVisible()
  })

  await test.step('who is away sees the count in the title', async () => {
    await turn(japan, true)
    await say(america, 'Your move')
    await expect(japan).toHaveTitle(/\(1\) /)
    await turn(japan, false)
    await expect(japan).not.toHaveTitle(/\(1\)/)
  })
})

test('both clocks are in the bar; a pause is agreed, holds everything up, and either goes on', async ({ people, server }) => {
  const [japan, america] = await clocked(people, server, 600, true)
  const [header, offer] = [america.locator('header').first(), america.locator('.offer')]
  const { height } = (await header.boundingBox())!
  expect(height).toBeLessThan(60)
  for (const page of [japan, america]) {
    await expect(clocks(page).getByRole('timer')).toHaveCount(2)
    await expect(clocks(page).locator('.running')).toHaveCount(1)
  }

  await test.step('an offer is a line below the bar, which stays as it is', async () => {
    await japan.getByRole('button', { name: 'Pause', exact: true }).click()
    await expect(offer).toContainText('Red admiral offers a pause')
    const [bar, line] = [(await header.boundingBox())!, (await offer.boundingBox())!]
    expect(bar.height).toBe(height)
    expect(line.y).toBeGreaterThanOrEqual(bar.y + bar.height)
    expect(line.x + line.width).toBeLessThanOrEqual(390)
    await say(japan, 'A pause for tea, if you like?')
    await expect(overBoard(america)).toContainText('tea')
    expect((await overBoard(america).boundingBox())!.y, 'what is said lies on no button').toBeGreaterThanOrEqual(line.y + line.height)
    await offer.getByRole('button', { name: 'Decline' }).tap()
    await expect(offer).toHaveCount(0)
    await expect(japan.locator('.prompt .news')).toHaveText('Blue admiral declined the pause.')
  })

  await test.step('while it is paused no clock runs and nothing can be chosen', async () => {
    await america.getByText('Match ▾').tap()
    await america.getByRole('button', { name: 'Offer a pause' }).tap()
    await japan.locator('.offer').getByRole('button', { name: 'Agree' }).click()
    for (const page of [japan, america]) {
      await expect(page.locator('.offer.paused')).toContainText('Paused.')
      await expect(clocks(page).locator('.running')).toHaveCount(0)
      await expect(glowing(page)).toHaveCount(0)
    }
    const times = await clocks(japan).getByRole('timer').allTextContents()
    await japan.waitForTimeout(1_100)
    expect(await clocks(japan).getByRole('timer').allTextContents()).toEqual(times)
    expect(await clocks(america).getByRole('timer').allTextContents()).toEqual(times)
  })

  await test.step('who did not offer it goes on, for both at once', async () => {
    await japan.getByRole('button', { name: 'Go on' }).click()
    for (const page of [japan, america]) {
      await expect(page.locator('.offer')).toHaveCount(0)
      await expect(clocks(page).locator('.running')).toHaveCount(1)
    }
    await expect(glowing(japan).first()).toBeVisible()
  })

  await test.step('on a telephone the board is where it was when one comes back to it', async () => {
    const place = america.locator('.stage svg > g')
    await america.keyboard.press('+')
    const before = await place.getAttribute('transform')
    expect(before).toContain('scale(1.4)')
    await tab(america, 'Log').tap()
    await expect(place).toHaveCount(0)
    await tab(america, 'Board').tap()
    await expect(place).toHaveAttribute('transform', before!)
  })

  await test.step('the replay has them in its bar, too, where they stand still and cut no score', async () => {
    await japan.goto(`${japan.url()}/replay`)
    await expect(clocks(japan).getByRole('timer')).toHaveCount(2)
    await expect(clocks(japan).locator('.running')).toHaveCount(0)
    const scores = japan.getByRole('list', { name: 'Sides' }).locator('.score')
    await expect(scores).toHaveCount(2)
    expect(await scores.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length)).toBe(0)
  })
})
