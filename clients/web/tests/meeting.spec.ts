import { isAccessible } from './axe'
import { expect, freshHandle, type Page, signUp, test } from './passkeys'
import { chances, clickWhatGlows, duel, offer, offered, openForm, patience, seated, sideLine } from './table'

const mine = (page: Page, match: string) => page.locator(`[data-match="${match}"]`).first()

/** Two persons at a table of the duel, Japan first; the match's id. */
async function met(here: Page, there: Page, handles: readonly [string, string]): Promise<string> {
  await signUp(here, handles[0])
  await signUp(there, handles[1])
  const match = await offer(here, { against: 'person', side: 'Japan', label: `By ${handles[0]}` })
  await there.goto('/')
  await mine(there, match).getByRole('button', { name: 'Join as United States' }).click()
  await seated(here)
  await seated(there)
  return match
}

async function resign(page: Page): Promise<void> {
  await page.getByText('Match ▾').click()
  await page.getByRole('button', { name: 'Resign …' }).click()
  await page.getByRole('button', { name: 'Yes, resign' }).click()
}

/** Turns to something else, or back, as a browser tells its page. */
async function turn(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((away) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: away })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)
}

test('a line that another said is reported by who is signed in, with a word; and the same is played again with the same sides', async ({
  known,
}) => {
  const [here, there] = [(await known.browser()).page, (await known.browser()).page]
  const handles = [freshHandle(), freshHandle()] as const
  await met(here, there, handles)

  await test.step('his own lines nobody reports', async () => {
    await there.getByLabel('Say something').fill('Something bad')
    await there.getByLabel('Say something').press('Enter')
    await expect(here.getByText('Something bad').first()).toBeVisible()
    await expect(there.getByRole('button', { name: /^Report/ })).toHaveCount(0)
  })
  await here.getByRole('button', { name: `Report what ${handles[1]} said` }).click()
  await here.getByLabel('Why you report this line').fill('He is rude')
  await here.getByRole('button', { name: 'Report it' }).click()
  await expect(here.getByText('Reported. The operator')).toBeVisible()

  await resign(there)
  await here.getByRole('button', { name: 'The same again, sides kept' }).click()
  await there.getByRole('button', { name: 'Play the rematch that is offered' }).click()
  await seated(here)
  await seated(there)
  await expect(sideLine(here, 'Japan')).toContainText('(you)')
  await expect(sideLine(there, 'United States')).toContainText('(you)')
})

test('a rematch waits on top for who is elsewhere, and is declined with a word', async ({ known }) => {
  const [here, there] = [(await known.browser()).page, (await known.browser()).page]
  const match = await met(here, there, [freshHandle(), freshHandle()])
  await there.goto('/')
  const waiting = there.getByRole('heading', { name: /My matches/ })
  await expect(waiting).toBeVisible()
  await resign(here)
  await here.getByRole('button', { name: 'Offer a rematch, sides swapped' }).click()

  await expect(mine(there, match)).toContainText('A rematch is offered to you')
  await expect(waiting).toContainText('1 waits for you')
  await there.goto(`/match/${match}/end`)
  await expect(there.getByRole('button', { name: 'Play the rematch that is offered, sides swapped' })).toBeVisible()

  await there.goto('/')
  await mine(there, match).getByRole('button', { name: 'Decline the rematch' }).click()
  await there.getByLabel('A word with it').fill('Not today')
  await there.getByRole('button', { name: 'Decline', exact: true }).click()
  await expect(there.getByText('A rematch is offered to you')).toHaveCount(0)
  await expect(waiting).not.toContainText('waits')
})

test('an offer for some ratings says so to whoever does not fit, before he clicks; the lobby says who is here', async ({
  known,
  people,
}) => {
  const [here, there, guest] = [(await known.browser()).page, (await known.browser()).page, await people.person()]
  const [anna, bert] = [freshHandle(), freshHandle()]
  await signUp(here, anna)
  await signUp(there, bert)
  await here.goto('/')
  await here.getByRole('button', { name: /offer/i }).first().click()
  const form = here.getByRole('dialog')
  await form.getByLabel('For some ratings only').check()
  await expect(form.getByLabel('From')).toHaveValue('1300')
  await form.getByLabel('From').fill('1600')
  await form.getByLabel('Label on the list').fill(`By ${anna}`)
  await form.getByRole('button', { name: 'Offer the match' }).click()
  await here.waitForURL(/\/match\//)
  const match = /match\/([0-9a-f-]+)/.exec(here.url())![1]!

  await there.goto('/')
  await expect(mine(there, match)).toContainText('For ratings from 1600 to 1700; yours is 1500')
  await expect(mine(there, match).getByRole('button', { name: /^Join/ })).toHaveCount(0)
  await guest.goto('/')
  await expect(mine(guest, match).getByRole('link', { name: 'Sign in to join' })).toBeVisible()

  await test.step('nobody is named who did not say so', async () => {
    await expect(guest.getByText(/^Here:/)).toContainText('1 person', { timeout: 30_000 })
    await expect(guest.getByText(/^Here:/)).not.toContainText(bert)
    await there.goto('/you')
    await there.getByLabel('Seen in the lobby').check()
    await there.getByRole('button', { name: 'Save', exact: true }).first().click()
    await expect(there.getByText('Saved.')).toBeVisible()
    await isAccessible(there, 'one’s own page')
    await there.goto('/')
    await expect(guest.getByText(/^Here:/)).toContainText(`@${bert}`, { timeout: 30_000 })
    await isAccessible(guest, 'the lobby with who is here')
  })
})

const DAYS = { label: 'By turns, with clocks of days' }

test('who signs up is proposed a night, and hears which he has where he offers and where he sits down', async ({ known }) => {
  const { page } = await known.browser()
  await page.goto('/you')
  await expect(page.getByLabel('Your night')).toHaveValue('23')
  await expect(page.getByText('In these eight hours you are not called')).toBeVisible()
  await signUp(page, freshHandle())
  await expect(page.getByLabel('Your night')).toHaveValue('23')

  await openForm(page)
  const form = page.getByRole('dialog')
  await form.getByLabel('Pace', { exact: true }).selectOption(DAYS)
  await expect(form).toContainText(/Your night is 23:00 to 7:00 \([A-Z]/)
  await form.getByLabel('Against', { exact: true }).selectOption('person')
  const match = await offered(page)

  await page.goto('/you')
  await page.getByLabel('Your night').selectOption('none')
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await expect(page.getByText('Saved.')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Your night').locator('option:checked')).toHaveText('none')
  const other = await known.browser()
  await signUp(other.page, freshHandle())
  await other.page.goto(`/match/${match}`)
  await expect(other.page.locator('.invite')).toContainText('Your night is 23:00 to 7:00')
  await openForm(page)
  await form.getByLabel('Pace', { exact: true }).selectOption(DAYS)
  await expect(form).toContainText('You have no night')
})

test('the page of a match says whom it is for before anything is filled in', async ({ known, people, server }) => {
  const [here, there, guest] = [(await known.browser()).page, (await known.browser()).page, await people.person()]
  await signUp(here, freshHandle())
  await signUp(there, freshHandle())
  await openForm(here)
  const form = here.getByRole('dialog')
  await form.getByLabel('Pace', { exact: true }).selectOption(DAYS)
  await form.getByRole('checkbox', { name: /^Rated/ }).check()
  const rated = await offered(here)
  await openForm(here)
  await form.getByLabel('For some ratings only').check()
  await form.getByLabel('From').fill('1600')
  const banded = await offered(here)

  for (const [match, said] of [
    [rated, 'This match is rated: it is for those who keep a name here.'],
    [banded, 'This match is for those who keep a name here, with a rating from 1600 to 1700.'],
  ] as const) {
    await guest.goto(`${server.url}/match/${match}`)
    await expect(guest.locator('.invite').getByRole('note')).toContainText(said)
    await expect(guest.locator('.invite').getByRole('button', { name: /^Join as/ })).toHaveCount(0)
    await expect(guest.locator('.invite').getByRole('textbox')).toHaveCount(0)
  }
  await isAccessible(guest, 'a match for persons')
  await there.goto(`/match/${banded}`)
  await expect(there.locator('.invite')).toContainText('For ratings from 1600 to 1700; yours is 1500')
  await expect(there.getByRole('button', { name: /^Join as/ })).toHaveCount(0)
  await there.goto(`/match/${rated}`)
  await expect(there.getByRole('button', { name: /^Join as/ })).toBeVisible()
  await guest.getByRole('link', { name: 'Sign in or sign up to join' }).click()
  await expect(guest).toHaveURL(`${server.url}/you`)
})

interface Called {
  /** The notices that the browser would show. */
  notices: { title: string; onclick: () => void }[]
  /** The oscillators that sounded; a bell is two of them. */
  tones: number
  /** The numbers at the app; 0: it has none. */
  badges: number[]
  /** How often the page asked to come to the front. */
  fronts: number
}

/** Keeps in a page what it calls by, in place of what the browser would show of it. */
function keepCalls(): void {
  const calls: Called = { notices: [], tones: 0, badges: [], fronts: 0 }
  /** Stands in for what the browser would show; `new` of it tells. */
  function Shown(this: Called['notices'][0], title: string): void {
    this.title = title
    calls.notices.push(this)
  }
  const asked = { permission: 'granted', requestPermission: () => Promise.resolve('granted') }
  const focus = (): number => ++calls.fronts
  Object.assign(window, { calls, focus, Notification: Object.assign(Shown, asked) })
  // It is pushed to, too, but only while no page of it is at the match.
  const pushed = { pushManager: { getSubscription: () => Promise.resolve({}) } } as unknown as ServiceWorkerRegistration
  navigator.serviceWorker.getRegistration = () => Promise.resolve(pushed)
  const badge = (count: number): Promise<void> => {
    calls.badges.push(count)
    return Promise.resolve()
  }
  Object.assign(navigator, { setAppBadge: badge, clearAppBadge: () => badge(0) })
  const start = Reflect.get(AudioScheduledSourceNode.prototype, 'start')
  Object.assign(OscillatorNode.prototype, {
    start(this: OscillatorNode, at?: number) {
      calls.tones++
      start.call(this, at)
    },
  })
}

test('whoever looks elsewhere is called when a match waits for him: by the tab, and as he has asked for', async ({ people, server }) => {
  const [japan, america] = await duel(people)
  await america.context().grantPermissions(['notifications'], { origin: server.url })
  await america.context().addInitScript(keepCalls)
  await america.reload()
  await seated(america)
  const match = new URL(america.url()).pathname
  const calls = (): Promise<Called> => america.evaluate(() => (window as unknown as { calls: Called }).calls)
  const badge = async (): Promise<number | undefined> => (await calls()).badges.at(-1)
  const tones = async (): Promise<number> => (await calls()).tones
  const asked = async (page: Page): Promise<boolean> => (await page.title()).includes('●')
  const [chance, wait] = [chances(5), patience(america)]
  /** Decides until nothing is asked, and looks elsewhere until something is. */
  const call = async (): Promise<void> => {
    while (await asked(america)) await wait(await clickWhatGlows(america, chance))
    await turn(america, true)
    while (!(await asked(america))) await wait(await clickWhatGlows(japan, chance))
    await expect(america).toHaveTitle(/^\[1\] ● /)
    await expect.poll(badge).toBe(1)
  }

  await test.step('by nothing but the tab and the number at the app, unless he says so', async () => {
    await call()
    await turn(america, false)
    await expect(america).toHaveTitle(/^● /)
    await expect.poll(badge).toBe(0)
    await america.getByRole('button', { name: 'Scenes, sound and words' }).click()
    await expect(america.getByLabel('A tone')).not.toBeChecked()
    expect(await calls()).toMatchObject({ notices: [], tones: 0 })
  })

  await america.getByLabel('A tone').check()
  await expect.poll(tones).toBe(2)
  await america.getByRole('button', { name: 'Show notices of this browser' }).click()
  await expect(america.getByRole('button', { name: 'No notices of this browser' })).toBeVisible()
  await america.keyboard.press('Escape')
  await call()
  await expect.poll(async () => (await calls()).notices.map(({ title }) => title)).toEqual(['It is your turn in Midway'])
  await expect.poll(tones).toBe(4)

  await test.step('and the notice leads to the match', async () => {
    await turn(america, false)
    await america.getByRole('link', { name: 'Fleetfold, the lobby' }).click()
    await expect(america).toHaveURL(/\/$/)
    await america.evaluate(() => (window as unknown as { calls: Called }).calls.notices[0]!.onclick())
    await expect(america).toHaveURL(new RegExp(`${match}$`))
    await seated(america)
    expect(await calls()).toMatchObject({ fronts: 1 })
  })

  await test.step('at another page the tab still says so, and in sight of the match it does not', async () => {
    await expect(america).toHaveTitle(/^● /)
    await america.goto('/ratings')
    await expect(america).toHaveTitle(/^\[1\] /, { timeout: 45_000 })
    await expect(america.locator('link[rel=icon]')).toHaveAttribute('href', /^data:image\/png/)
  })
})

test('a guest, too, is led from a match over days to the next one that waits', async ({ people }) => {
  const page = await people.person()
  const matches: string[] = []
  for (const label of ['One', 'Another']) {
    await page.goto('/')
    await page.getByRole('button', { name: /offer/i }).first().click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Against', { exact: true }).selectOption('solo')
    await form.getByLabel('Pace', { exact: true }).selectOption('by turns')
    await form.getByLabel('Label on the list').fill(label)
    matches.push(await offered(page))
    await seated(page)
  }
  for (const match of matches) {
    await page.getByRole('link', { name: 'Next match that waits for you, of 1' }).click()
    await expect(page).toHaveURL(new RegExp(match))
    await seated(page)
  }
})
