import { isAccessible } from './axe'
import { expect, freshHandle, type Page, signUp, test } from './passkeys'

const part = (page: Page, heading: string | RegExp) =>
  page.locator('section.card').filter({ has: page.getByRole('heading', { name: heading }) })

/** The challenges that wait for whoever looks. */
function calls(page: Page): ReturnType<Page['getByRole']> {
  return page.getByRole('region', { name: 'You are challenged' })
}

test('who is challenged sees it in the lobby at once and at the tab, and declines', async ({ known }) => {
  const [here, there] = [await known.browser(), await known.browser()]
  const [anna, bert] = [freshHandle(), freshHandle()]
  await signUp(here.page, anna)
  await signUp(there.page, bert)
  await there.page.goto('/')
  await expect(there.page.getByRole('heading', { name: 'Matches', exact: true })).toBeVisible()
  await here.page.goto(`/people/${bert}`)
  await here.page.getByRole('button', { name: 'Challenge' }).click()
  await here.page.getByRole('dialog').getByLabel('A word with it').fill('Midway tonight?')
  await here.page.getByRole('dialog').getByRole('button', { name: 'Challenge' }).click()

  await expect(calls(there.page)).toContainText(`@${anna} challenges you: “Midway tonight?”`)
  await expect.poll(() => there.page.title()).toMatch(/^\[1\] /)
  await isAccessible(there.page, 'the lobby of who is challenged')
  await here.page.goto('/you')
  await expect(part(here.page, 'Challenges')).toContainText(`@${bert} is challenged by you`)
  await there.page.getByRole('button', { name: `Decline the challenge of ${anna}` }).click()
  await there.page.getByLabel('A word with it').fill('No time')
  await there.page.getByRole('button', { name: 'Decline' }).click()
  await expect(calls(there.page)).toBeHidden()
  await expect.poll(() => there.page.title()).toBe('Fleetfold')
  await here.page.reload()
  await expect(part(here.page, 'Challenges')).toContainText(`You challenged @${bert}: declined, “No time”`)
})

test('who would be refused as a challenger is told before he fills anything in', async ({ known, people }) => {
  const [here, there] = [await known.browser(), await known.browser()]
  const [anna, bert] = [freshHandle(), freshHandle()]
  await signUp(here.page, anna)
  await signUp(there.page, bert)
  await there.page.goto(`/people/${anna}`)
  await there.page.getByRole('button', { name: 'Keep away' }).click()
  await expect(there.page.getByRole('button', { name: 'Keep away no longer' })).toBeVisible()
  // What is refused Chromium reports.
  people.expectBreaks()

  await here.page.goto(`/people/${bert}`)
  await here.page.getByRole('button', { name: 'Challenge' }).click()
  await expect(here.page.getByRole('alert')).toContainText('does not play with you')
  await expect(here.page.getByRole('dialog')).toHaveCount(0)

  const mine = await here.page.evaluate(async () => (await (await fetch('/api/me/matches')).json()) as { matches: object[] })
  expect(mine.matches).toEqual([])
})

test('the clock and the options of an offer are said before one sits down', async ({ people }) => {
  const [here, there] = [await people.person(), await people.person()]
  await here.goto('/')
  await here.getByRole('button', { name: /offer/i }).first().click()
  const form = here.getByRole('dialog')
  await form.getByLabel('Game', { exact: true }).selectOption({ label: 'Midway' })
  await form.getByLabel('Pace', { exact: true }).selectOption('live, 20 minutes')
  await form.getByText('Options of the rules').click()
  const option = form
    .locator('details label')
    .filter({ has: here.getByRole('checkbox') })
    .first()
  const text = await option
    .locator('span')
    .first()
    .evaluate((span) => span.firstChild!.textContent!.trim())
  await option.getByRole('checkbox').click()
  await form.getByRole('button', { name: 'Offer the match' }).click()
  await expect(here).toHaveURL(/\/match\//)
  await there.goto(here.url())

  const terms = there.getByRole('list', { name: 'How it is played' })
  await expect(terms).toContainText('live, 20 minutes a side and 10 s with each decision')
  await expect(terms).toContainText(text)
  await isAccessible(there, 'an offer')
})
