/** Corrections by consent: proposed at an earlier moment, across dice, by who plays or by the director of a tournament. */

import { faults, isAccessible } from './axe'
import { enters, made, part, persons, type Someone, starts } from './cups'
import { test as known } from './passkeys'
import { playOut, tokensOf } from './quick'
import {
  boardOf,
  chances,
  clickWhatGlows,
  duel,
  expect,
  factsOf,
  glowing,
  type Page,
  seated,
  settled,
  sit,
  test,
  type Watched,
} from './table'

const banner = (page: Page) => page.locator('.offer')
const news = (page: Page) => page.locator('.prompt .news')
const told = (page: Page, how: string | RegExp) => page.locator('.log .entry p', { hasText: how }).last()
const propose = (page: Page) => page.getByRole('button', { name: 'Propose to go on from here' })
const form = (page: Page) => page.getByRole('dialog', { name: 'Go on from here' })
const idOf = (page: Page): string => /match\/([0-9a-f-]{36})/.exec(page.url())![1]!

/** Two at a table of the duel, who have played past dice. */
async function pastDice(people: Watched): Promise<[Page, Page]> {
  const [japan, america] = await duel(people)
  const match = idOf(japan)
  const tokens = [...(await tokensOf(japan, match)), ...(await tokensOf(america, match))]
  const idle = await people.person()
  await idle.goto('/verify')
  await playOut(idle, match, tokens, 4, { most: 320 })
  await idle.close()
  for (const page of [japan, america]) await settled(page)
  return [japan, america]
}

/** The last fact of the step with which play began. */
function began(page: Page): Promise<number> {
  return page.evaluate(async (id) => {
    const text = await (await fetch(`/api/matches/${id}/steps`)).text()
    const steps = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { upto: number; facts: { type: string }[] })
    return steps.find(({ facts }) => facts.some(({ type }) => type === 'Started'))!.upto
  }, idOf(page))
}

/** Looks at the moment some decisions after the match began; returns the board as it was then. */
async function early(page: Page, decisions = 3): Promise<string[]> {
  await page.goto(`/match/${idOf(page)}/replay#${await began(page)}`)
  await expect(propose(page)).toBeVisible({ timeout: 30_000 })
  const at = page.locator('.bar .where')
  for (let count = 0; count < decisions; count++) {
    const before = (await at.textContent())!
    await page.getByRole('button', { name: 'Next decision' }).click()
    await expect(at).not.toHaveText(before)
  }
  await expect(propose(page)).toBeVisible()
  return boardOf(page)
}

/** Proposes what the form says, and comes back to the match. */
async function proposes(page: Page, reason = ''): Promise<void> {
  await propose(page).click()
  if (reason) await form(page).getByLabel('The reason, which all read').fill(reason)
  await form(page).getByRole('button', { name: 'Propose' }).click()
  await page.waitForURL(/\/match\/[0-9a-f-]+$/)
  await seated(page)
}

/** Decides something, whatever it is, and sees that it was taken. */
async function decides(pages: readonly Page[]): Promise<void> {
  const chance = chances(3)
  const before = await factsOf(pages[0]!)
  await expect(async () => {
    for (const page of pages) if (await glowing(page).count()) await clickWhatGlows(page, chance)
    expect(await factsOf(pages[0]!)).toBeGreaterThan(before)
  }).toPass()
}

const BACK = /\d+ decisions \(\d+ of Japan, \d+ of the United States\) and \d+ rolls? would be taken back/

test('past dice one proposes to go on from an earlier moment, and it is withdrawn, declined, agreed', async ({ people }) => {
  const [japan, america] = await pastDice(people)
  const now = await boardOf(japan)
  const then = await early(japan)
  expect(then).not.toEqual(now)

  await test.step('the form says what would be taken back, and what it does not bring back', async () => {
    await propose(japan).click()
    await expect(form(japan)).toContainText(/The match would go on from before .+ \(Turn 1.*\), as if that had not been decided yet/)
    await expect(form(japan)).toContainText(BACK)
    await expect(form(japan)).toContainText('cannot be unseen')
    await expect(form(japan)).toContainText('if everybody else who plays agrees')
    await expect(form(japan)).toContainText('The clocks give no time back')
    expect(await faults(japan), 'the form').toEqual([])
    await japan.keyboard.press('Escape')
    await expect(form(japan)).toBeHidden()
    await expect(propose(japan)).toBeFocused()
  })

  await test.step('who looks on may propose nothing', async () => {
    const onlooker = await people.person()
    await onlooker.goto(japan.url())
    await expect(onlooker.getByText('This is the past')).toBeVisible()
    await expect(onlooker.getByRole('button', { name: 'Dispute this step' })).toBeVisible()
    await expect(propose(onlooker)).toHaveCount(0)
    await onlooker.close()
  })

  await test.step('before play began there is nothing to go on from, and at the latest moment nothing to go back to', async () => {
    const here = japan.url()
    await japan.getByRole('button', { name: 'First', exact: true }).click()
    await expect(propose(japan)).toHaveCount(0)
    await japan.getByRole('button', { name: 'Last', exact: true }).click()
    await expect(propose(japan)).toHaveCount(0)
    await japan.goto(here)
    await expect(propose(japan)).toBeVisible()
  })

  await test.step('it is withdrawn by whoever proposed it', async () => {
    await proposes(japan)
    await expect(banner(japan)).toContainText(/^You propose to correct the match: to go back to before/)
    await expect(banner(america)).toContainText(/^Red admiral proposes to correct the match: to go back to before/)
    await expect(banner(america)).toContainText(BACK)
    await expect(banner(america)).toContainText('what was seen stays seen')
    await isAccessible(america, 'a proposal')
    await banner(japan).getByRole('button', { name: 'Withdraw' }).click()
    for (const page of [japan, america]) await expect(banner(page)).toHaveCount(0)
  })

  await test.step('it is looked at and declined, which changes nothing', async () => {
    await early(japan)
    await proposes(japan)
    await banner(america).getByRole('button', { name: 'Show that moment' }).click()
    await expect(america.getByText('This is the past')).toBeVisible()
    // One stands already.
    await expect(propose(america)).toHaveCount(0)
    expect(await boardOf(america)).toEqual(then)
    await america.getByRole('link', { name: 'Back to now' }).click()
    await banner(america).getByRole('button', { name: 'Decline' }).click()
    for (const page of [japan, america]) {
      await expect(banner(page)).toHaveCount(0)
      expect(await boardOf(page)).toEqual(now)
    }
    await expect(news(japan)).toContainText('declined')
  })

  await test.step('it is agreed: both go on from there, and the log says it', async () => {
    await early(japan)
    await proposes(japan)
    await banner(america).getByRole('button', { name: 'Agree' }).click()
    for (const page of [japan, america]) {
      await expect(banner(page)).toHaveCount(0)
      await expect.poll(() => boardOf(page)).toEqual(then)
      await expect(news(page)).toContainText(/by consent/i)
      await expect(told(page, /by consent/i)).toBeVisible()
    }
    await decides([japan, america])
    await decides([america, japan])
    await expect.poll(() => boardOf(japan)).toEqual(await boardOf(america))
  })

  await test.step('a moment that was taken back is none to go on from', async () => {
    const last = await factsOf(america)
    await early(america)
    await america.evaluate((seq) => (location.hash = `#${seq}`), last - 20)
    await expect(propose(america)).toHaveCount(0)
  })
})

test('a proposal fits beside the board at every width', async ({ people }) => {
  const [japan, america] = await pastDice(people)
  await early(japan)
  for (const width of [390, 1024, 1440]) {
    await japan.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    await propose(japan).click()
    await expect(form(japan).getByRole('button', { name: 'Propose' })).toBeInViewport()
    await expect.poll(() => japan.evaluate(() => document.documentElement.scrollWidth), `${width}`).toBeLessThanOrEqual(width)
    await form(japan).getByRole('button', { name: 'Cancel' }).click()
  }
  await proposes(japan)
  for (const width of [390, 1024, 1440]) {
    await america.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    await expect(banner(america).getByRole('button', { name: 'Agree' })).toBeInViewport()
    await expect.poll(() => america.evaluate(() => document.documentElement.scrollWidth), `${width}`).toBeLessThanOrEqual(width)
  }
})

known('the director of a tournament proposes it with a reason, and it is done when both have agreed', async ({ known }) => {
  const all = await persons(known, 3)
  const [director, ...players] = all as [Someone, Someone, Someone]
  const path = await made(director.page, `Cup of ${director.handle}`, async (wish) => {
    await wish.getByLabel('Rounds', { exact: true }).selectOption('1')
    await wish.getByLabel('Pace').selectOption('live, 20 minutes')
  })
  await Promise.all(players.map(({ page }) => enters(page, path)))
  await starts(director.page)
  const pages = players.map(({ page }) => page)
  for (const page of pages) {
    await page.goto(path)
    const play = part(page, 'Rounds').getByRole('link', { name: /^Play/ })
    await expect(play).toHaveCount(1, { timeout: 20_000 })
    await play.click()
    await sit(page)
  }
  for (const page of pages) await seated(page)
  const first = await boardOf(pages[0]!)
  await decides(pages)
  await decides(pages)

  await test.step('he is led there from the line of the match', async () => {
    await director.page.goto(path)
    await part(director.page, 'Rounds').getByRole('button', { name: /^Rule/ }).click()
    await director.page.getByRole('link', { name: 'Correct it with both players’ consent' }).click()
    await early(director.page, 0)
    await proposes(director.page, 'the scenario was set up wrongly')
  })
  for (const page of [...pages, director.page]) {
    await expect(banner(page)).toContainText(/^The director of the tournament proposes to correct the match/)
    await expect(banner(page)).toContainText('the scenario was set up wrongly')
  }
  await expect(banner(director.page).getByRole('button', { name: 'Agree' })).toHaveCount(0)
  await test.step('he withdraws it with one click, and may propose it again', async () => {
    await isAccessible(director.page, 'his own proposal')
    await banner(director.page).getByRole('button', { name: 'Withdraw' }).click()
    for (const page of [...pages, director.page]) await expect(banner(page)).toHaveCount(0)
    for (const page of pages) await expect(news(page)).toContainText('The director withdrew')
    await early(director.page, 0)
    await proposes(director.page, 'both have asked for it')
    for (const page of pages) await expect(banner(page)).toContainText('both have asked for it')
  })
  await banner(pages[0]!).getByRole('button', { name: 'Agree' }).click()
  await expect(banner(pages[0]!)).toContainText('You have agreed')
  await banner(pages[1]!).getByRole('button', { name: 'Agree' }).click()
  for (const page of pages) {
    await expect(banner(page)).toHaveCount(0)
    await expect.poll(() => boardOf(page)).toEqual(first)
  }
  await director.page.goto(path)
  for (const said of ['the scenario was set up wrongly', 'the director withdrew that', 'both have asked for it']) {
    await expect(part(director.page, 'The director’s book')).toContainText(said)
  }
})
