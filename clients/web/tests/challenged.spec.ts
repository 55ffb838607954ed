import { isAccessible } from './axe'
import { expect, freshHandle, type Page, signUp, test } from './passkeys'
import { seated } from './table'

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
  await here.page.getByRole('dialog').getByLabel('Pace', { exact: true }).selectOption('by turns, days')
  await here.page.getByRole('dialog').getByLabel('A word with it').fill('Midway tonight?')
  await here.page.getByRole('dialog').getByRole('button', { name: 'Challenge' }).click()

  await expect(calls(there.page)).toContainText(`@${anna} challenges you: “Midway tonight?”`)
  await expect(calls(there.page)).toContainText('by turns, 7 days each, +2 days a turn, nights off')
  await expect.poll(() => there.page.title()).toMatch(/^\[1\] /)
  await isAccessible(there.page, 'the lobby of who is challenged')
  await here.page.goto('/you')
  await expect(part(here.page, 'Challenges')).toContainText(`@${bert} is challenged by you`)
  const mine = here.page.locator('#matches')
  await expect(mine).toContainText('Midway')
  await expect(part(here.page, 'Challenges')).toContainText('by turns, 7 days each, +2 days a turn, nights off')
  await there.page.getByRole('button', { name: `Decline the challenge of ${anna}` }).click()
  await there.page.getByLabel('A word with it').fill('No time')
  await there.page.getByRole('button', { name: 'Decline' }).click()
  await expect(calls(there.page)).toBeHidden()
  await expect.poll(() => there.page.title()).toBe('Fleetfold')
  // Without a reload.
  await expect(part(here.page, 'Challenges')).toContainText(`You challenged @${bert}: declined, “No time”`)
  await expect(mine).toContainText('You are in no match yet')
})

test('what one is challenged to is offered to nobody else, is seen by all once it is played, and can be private', async ({
  known,
  people,
}) => {
  const [here, there] = [await known.browser(), await known.browser()]
  const guest = await people.person()
  const [anna, bert] = [freshHandle(), freshHandle()]
  await signUp(here.page, anna)
  await signUp(there.page, bert)
  const listed = (match: string) => guest.locator(`.lists [data-match="${match}"]`)
  const challenge = async (hidden: boolean): Promise<string> => {
    await here.page.goto(`/people/${bert}`)
    await here.page.getByRole('button', { name: 'Challenge' }).click()
    const form = here.page.getByRole('dialog')
    await expect(form.getByRole('checkbox', { name: /^Private/ })).not.toBeChecked()
    if (hidden) await form.getByRole('checkbox', { name: /^Private/ }).check()
    await form.getByLabel('I play').selectOption('Japan')
    await form.getByRole('button', { name: 'Challenge' }).click()
    await expect(here.page).toHaveURL(/\/match\//)
    await expect(here.page.getByText('The free seat is kept for whoever was asked to play.')).toBeVisible()
    await expect(here.page.getByRole('button', { name: /Copy the link for United States/ })).toHaveCount(0)
    return /match\/([0-9a-f-]+)/.exec(here.page.url())![1]!
  }
  const accept = async (): Promise<void> => {
    await there.page.goto('/')
    await calls(there.page)
      .getByRole('button', { name: `Accept the challenge of ${anna}` })
      .click()
    await seated(there.page)
  }

  const match = await challenge(false)
  await guest.goto('/')
  await expect(guest.getByRole('heading', { name: 'Matches', exact: true })).toBeVisible()
  await guest.getByRole('searchbox').fill(anna)
  await expect(guest.getByText('No match is like that.')).toBeVisible()
  await expect(listed(match)).toHaveCount(0)
  await guest.goto(`/match/${match}`)
  await expect(guest.getByText('You look on.')).toBeVisible()
  await expect(guest.getByRole('button', { name: /^(Join|Play) / })).toHaveCount(0)

  await accept()
  await guest.goto('/')
  await guest.getByRole('button', { name: /^Being played/ }).click()
  await guest.getByRole('searchbox').fill(anna)
  await expect(listed(match)).toContainText('live, no clock')

  const other = await challenge(true)
  await accept()
  await expect(listed(match)).toBeVisible()
  await expect(listed(other)).toHaveCount(0)
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
  const match = /match\/([0-9a-f-]+)/.exec(here.url())![1]!
  await there.goto('/')
  const card = there.locator(`.lists [data-match="${match}"]`)
  await expect(card).toContainText('live, 20 min each, +10 s a move · team play')
  await isAccessible(there, 'a card with clock and options')
  await there.goto(here.url())

  const terms = there.getByRole('list', { name: 'How it is played' })
  await expect(terms).toContainText('live, 20 minutes a side and 10 s with each decision')
  await expect(terms).toContainText(text)
  await expect(there.locator('main').getByText('live, 20 minutes')).toHaveCount(1)
  await isAccessible(there, 'an offer')
})
