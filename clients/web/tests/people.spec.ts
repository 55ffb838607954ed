import { faults, isAccessible } from './axe'
import { expect, freshHandle, type Page, signIn, signUp, test, whoami } from './passkeys'
import { made } from './making'
import { chances, clickWhatGlows, factsOf, glowing, offer, seated, sideLine, sit } from './table'

const part = (page: Page, heading: string | RegExp) =>
  page.locator('section.card').filter({ has: page.getByRole('heading', { name: heading }) })

const mine = (page: Page, match: string) => page.locator(`[data-match="${match}"]`).first()

/** Decides something, whatever it is, and sees that it was taken. */
async function decides(page: Page): Promise<void> {
  const before = await factsOf(page)
  await expect(glowing(page).first()).toBeVisible()
  const chance = chances(3)
  await expect(async () => {
    await clickWhatGlows(page, chance)
    expect(await factsOf(page)).toBeGreaterThan(before)
  }).toPass()
}

test('a guest is kept by one click, sees ten codes once, and is known by his passkey in another browser', async ({ known }) => {
  const [here, there] = [await known.browser(), await known.browser()]
  const handle = freshHandle()

  await test.step('a handle is made of the name, and said to be free', async () => {
    await here.page.goto('/')
    await here.page.getByRole('link', { name: 'Sign in' }).click()
    await here.page.getByLabel('Your name').fill('Été Rouge')
    await expect(here.page.getByLabel('Your handle')).toHaveValue('ete_rouge')
    await expect(here.page.getByText('It is free.')).toBeVisible()
  })
  const codes = await signUp(here.page, handle, 'Red admiral')
  expect(new Set(codes).size).toBe(10)
  await expect(whoami(here.page)).toHaveText(handle)
  await here.page.reload()
  await expect(part(here.page, 'Recovery codes')).toContainText('10 codes left')
  await expect(here.page.getByText(codes[0]!)).toHaveCount(0)

  await test.step('nobody else gets the handle', async () => {
    await there.page.goto('/you')
    await there.page.getByLabel('Your handle').fill(handle)
    await expect(there.page.getByText('Somebody has it')).toBeVisible()
    await expect(there.page.getByRole('button', { name: 'Keep me' })).toBeDisabled()
  })

  await there.keys.take(here.keys)
  await signIn(there.page, handle)
  await expect(part(there.page, 'Where you are signed in').getByRole('listitem')).toHaveCount(2)
  await expect(part(there.page, 'Where you are signed in').getByRole('listitem').first()).toContainText('this one')

  await test.step('signed out, the page knows him no more, here only', async () => {
    await whoami(there.page).click()
    await there.page.getByRole('button', { name: 'Sign out' }).first().click()
    await expect(there.page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible()
    await expect(there.page.getByText('You were signed out')).toHaveCount(0)
    await here.page.reload()
    await expect(whoami(here.page)).toHaveText(handle)
  })
})

test('seats of this browser are kept with whoever signs up, and are played from another', async ({ known }) => {
  const [here, there] = [await known.browser(), await known.browser()]
  const handle = freshHandle()
  const match = await offer(here.page, { against: 'solo', label: 'At my desk' })
  await sit(here.page)
  await seated(here.page)
  await signUp(here.page, handle)

  await expect(here.page.getByText('1 match of this browser is not yours')).toBeVisible()
  await here.page.getByRole('button', { name: 'Keep it with me' }).click()
  await expect(here.page.getByText('1 match of this browser')).toHaveCount(0)
  await expect(mine(here.page, match)).toBeVisible()

  await there.keys.take(here.keys)
  await signIn(there.page, handle)
  await mine(there.page, match).getByRole('link').first().click()
  await seated(there.page)
  await test.step('both seats are his there, and what he decides is taken', async () => {
    for (const side of ['Japan', 'United States']) await expect(sideLine(there.page, side)).toContainText('(you)')
    await decides(there.page)
    expect(await there.page.evaluate(() => localStorage.getItem('fleetfold.matches'))).toBeNull()
  })
})

test('of links that were left nothing is asked again', async ({ known }) => {
  const { page } = await known.browser()
  await offer(page, { against: 'solo' })
  await signUp(page, freshHandle())
  await page.getByRole('button', { name: 'Leave it' }).click()
  await expect(page.getByText('1 match of this browser')).toHaveCount(0)
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'My matches' })).toBeVisible()

  await expect(page.getByText('1 match of this browser')).toHaveCount(0)
})

test('a passkey is called something else, another is added, and one is removed', async ({ known }) => {
  const { page } = await known.browser()
  await signUp(page, freshHandle())
  const keys = part(page, 'Passkeys')

  await keys.getByRole('button', { name: /^Rename/ }).click()
  await keys.getByLabel('Its name').fill('The old laptop')
  await keys.getByRole('button', { name: 'Save' }).click()
  await expect(keys.getByRole('listitem')).toContainText('The old laptop')

  await test.step('the same device makes no second one', async () => {
    await keys.getByRole('button', { name: 'Add a passkey' }).click()
    await expect(keys.getByRole('alert')).toContainText('has a passkey of yours already')
  })
  await keys.getByRole('button', { name: 'Remove The old laptop' }).click()
  await keys.getByRole('button', { name: 'Yes, remove The old laptop' }).click()
  await expect(keys.getByRole('listitem')).toHaveCount(0)
})

test('a session that is ended elsewhere shows its page out, which goes on as a guest’s', async ({ known }) => {
  const [here, there] = [await known.browser(), await known.browser()]
  const handle = freshHandle()
  await signUp(here.page, handle)
  await there.keys.take(here.keys)
  await signIn(there.page, handle)
  const match = await offer(here.page, { against: 'steady', side: 'Japan' })
  await seated(here.page)
  await there.page.goto(`/match/${match}`)
  await seated(there.page)
  await expect(sideLine(there.page, 'Japan')).toContainText('(you)')
  let connections = 0
  there.page.on('websocket', () => connections++)

  await here.page.goto('/you')
  await part(here.page, 'Where you are signed in')
    .getByRole('button', { name: /^End (?!all)/ })
    .click()

  await expect(there.page.getByText('You were signed out')).toBeVisible()
  await expect(there.page.getByRole('link', { name: 'Sign in' }).first()).toBeVisible()
  await seated(there.page)
  await expect(sideLine(there.page, 'Japan')).not.toContainText('(you)')
  await expect(there.page.getByRole('status').filter({ hasText: 'Connected' })).toBeVisible()
  expect(connections).toBe(1)
  await expect(part(here.page, 'Where you are signed in').getByRole('listitem')).toHaveCount(1)
})

test('a recovery code signs in once', async ({ known }) => {
  const [here, there] = [await known.browser(), await known.browser()]
  const handle = freshHandle()
  const codes = await signUp(here.page, handle)
  const use = async (): Promise<void> => {
    await there.page.goto('/you')
    await there.page.getByText('Use a recovery code').click()
    await there.page.getByLabel('One of your ten codes').fill(codes[3]!.toUpperCase())
    await there.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  await use()
  await expect(whoami(there.page)).toHaveText(handle)
  await expect(part(there.page, 'Recovery codes')).toContainText('9 codes left')
  await whoami(there.page).click()
  await there.page.getByRole('button', { name: 'Sign out' }).first().click()
  await use()

  await expect(there.page.getByRole('alert')).toContainText('used already')
})

test('whoever erases himself is “someone” in his matches, and his handle is free', async ({ known }) => {
  const [{ page }, other] = [await known.browser(), await known.browser()]
  const handle = freshHandle()
  await signUp(page, handle, 'Red admiral')
  const match = await offer(page, { against: 'steady', side: 'Japan' })
  await seated(page)
  await other.page.goto(`/match/${match}`)
  await expect(other.page.getByRole('link', { name: 'Red admiral' }).first()).toHaveAttribute('href', `/people/${handle}`)
  await page.goto('/you')
  await page.getByLabel('To erase yourself').fill('somebody else')
  await expect(page.getByRole('button', { name: 'Erase me' })).toBeDisabled()

  await page.getByLabel('To erase yourself').fill(handle)
  await page.getByRole('button', { name: 'Erase me' }).click()

  await expect(page.getByRole('heading', { name: 'Be found again' })).toBeVisible()
  await other.page.reload()
  await expect(sideLine(other.page, 'Japan')).toContainText('someone')
  await other.page.goto(`/people/${handle}`)
  await expect(other.page.getByRole('heading', { name: 'Nobody is here' })).toBeVisible()
})

test('at an address of digits the page says why nobody can sign up, and where one can', async ({ people, server }) => {
  people.expectBreaks()
  const page = await people.person()
  await page.goto('/you')

  await expect(page.getByText('Passkeys cannot be had here')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Keep me' })).toHaveCount(0)
  await page.getByRole('note').getByRole('link').click()
  await expect(page).toHaveURL(`${server.url.replace('127.0.0.1', 'localhost')}/you`)
  await expect(page.getByRole('button', { name: 'Keep me' })).toBeVisible()
})

test('from a match a click leads to the next one that waits', async ({ known }) => {
  const { page } = await known.browser()
  await signUp(page, freshHandle())
  const first = await offer(page, { against: 'solo' })
  await seated(page)
  await expect(page.getByRole('link', { name: /^Next match/ })).toHaveCount(0)
  const second = await offer(page, { against: 'solo' })
  await seated(page)

  await page.getByRole('link', { name: 'Next match that waits for you, of 1' }).click()

  await expect(page).toHaveURL(new RegExp(first))
  await page.getByRole('link', { name: 'Next match that waits for you, of 1' }).click()
  await expect(page).toHaveURL(new RegExp(second))
})

test('what a person says of himself, and his bot with its owner, can be read by all', async ({ known }) => {
  const [{ page }, reader] = [await known.browser(), await known.browser()]
  const [handle, bot] = [freshHandle(), freshHandle()]
  await signUp(page, handle)
  await page.getByLabel('Name, as the others see it').fill('Blue admiral')
  await page.getByLabel('What you say of yourself').fill('Saturday evenings;\n Midway above all.')
  await page.getByLabel('Your night').selectOption('22:00 to 6:00')
  await part(page, 'About you').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  const bots = part(page, 'Your bots')
  await bots.getByText('Register a bot').click()
  await page.getByLabel('Its handle').fill(bot)
  await bots.getByRole('button', { name: 'Register' }).click()

  await test.step('its token is shown once', async () => {
    await bots.getByRole('button', { name: `New token for ${bot}` }).click()
    await page.getByLabel('What the token is for').fill('At home')
    await page.getByLabel('May sit down and decide').uncheck()
    await bots.getByRole('button', { name: 'Make the token' }).click()
    await expect(page.getByRole('textbox', { name: `The token of ${bot}` })).toHaveValue(/.{20,}/)
    await expect(bots).toContainText('FLEETFOLD_BOT_TOKEN=… fleetfold bot LINK')
    await page.reload()
    await expect(bots).toContainText('May read what its seats see')
    await expect(page.getByRole('textbox', { name: `The token of ${bot}` })).toHaveCount(0)
    await expect(page.getByLabel('Your night')).toHaveValue('22')
  })
  await reader.page.goto(`/people/${bot}`)
  await reader.page.getByRole('link', { name: `@${handle}` }).click()
  await expect(reader.page.getByRole('heading', { name: 'Blue admiral' })).toBeVisible()
  await expect(reader.page.getByText('Saturday evenings; Midway above all.')).toBeVisible()
})

test('axe finds nothing on the pages of a person, and nothing is wider than a telephone', async ({ known }) => {
  const { page } = await known.browser()
  const handle = freshHandle()
  const narrow = async (name: string): Promise<void> => {
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(390)
    expect(await faults(page), `${name} on a telephone`).toEqual([])
    await page.setViewportSize({ width: 1440, height: 900 })
  }
  await page.goto('/you')
  await expect(page.getByText('It is free.')).toBeVisible()
  await isAccessible(page, 'a guest’s')
  await narrow('a guest’s')
  await page.getByLabel('Your handle').fill(handle)
  await page.getByText('It is free.').waitFor()
  await page.getByRole('button', { name: 'Keep me' }).click()
  await expect(page.getByRole('heading', { name: 'Keep these ten codes' })).toBeVisible()
  await isAccessible(page, 'codes')
  await narrow('codes')
  await page.getByLabel('I have kept them').check()
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByText('Register a bot').click()
  await expect(page.getByText('You are in no match yet')).toBeVisible()
  await isAccessible(page, 'a person’s')
  await whoami(page).click()
  await expect(page.getByRole('link', { name: 'What others see of me' })).toBeVisible()
  expect(await faults(page), 'the menu').toEqual([])
  await page.keyboard.press('Escape')
  await narrow('a person’s')
  for (const path of [`/people/${handle}`, '/privacy', '/people/nobody_here']) {
    await page.goto(path)
    await page.locator('main h1:not(.out-of-sight)').waitFor()
    await isAccessible(page, path)
    await narrow(path)
  }
})

test('somebody is challenged by his handle, takes it up, and the match is rated', async ({ known }) => {
  const [here, there] = [await known.browser(), await known.browser()]
  const [anna, bert] = [freshHandle(), freshHandle()]
  await signUp(here.page, anna)
  await signUp(there.page, bert)
  await here.page.goto(`/people/${bert}`)
  await here.page.getByRole('button', { name: 'Challenge' }).click()
  const form = here.page.getByRole('dialog')
  await form.getByLabel('Pace', { exact: true }).selectOption('live, 20 minutes')
  await form.getByLabel('I play').selectOption('Japan')
  await form.getByRole('checkbox', { name: /^Rated/ }).check()
  await form.getByLabel('A word with it').fill('Midway tonight?')
  await form.getByRole('button', { name: 'Challenge' }).click()
  await expect(here.page).toHaveURL(/\/match\//)

  await there.page.goto('/you')
  const challenges = there.page.getByRole('region', { name: 'You are challenged' })
  await expect(challenges).toContainText('Midway tonight?')
  await expect(challenges).toContainText('rated')
  await challenges.getByRole('button', { name: `Accept the challenge of ${anna}` }).click()

  await seated(there.page)
  await seated(here.page)
  await expect(sideLine(there.page, 'United States')).toContainText('(you)')
  await expect(sideLine(here.page, 'United States')).toContainText(bert)
})

test('a guest is told that a match is for persons before he sits down, and who is kept away is told so', async ({ known, people }) => {
  const [here, there] = [await known.browser(), await known.browser()]
  const guest = await people.person()
  const [anna, bert] = [freshHandle(), freshHandle()]
  await signUp(here.page, anna)
  await signUp(there.page, bert)
  await here.page.goto('/')
  await here.page.getByRole('button', { name: /offer/i }).first().click()
  await here.page.getByRole('dialog').getByLabel('For persons only').check()
  await here.page.getByRole('dialog').getByLabel('Label on the list').fill(`By ${anna}`)
  await here.page.getByRole('dialog').getByRole('button', { name: 'Offer the match' }).click()
  await expect(here.page).toHaveURL(/\/match\//)
  const match = /match\/([0-9a-f-]+)/.exec(here.page.url())![1]!

  await guest.goto('/')
  await expect(mine(guest, match)).toContainText('for persons')
  await expect(mine(guest, match).getByRole('link', { name: 'Sign in to join' })).toBeVisible()
  await expect(mine(guest, match).getByRole('button', { name: /^Join/ })).toHaveCount(0)

  await there.page.goto(`/people/${anna}`)
  await there.page.getByRole('button', { name: 'Keep away' }).click()
  await expect(there.page.getByRole('button', { name: 'Challenge' })).toBeDisabled()
  await there.page.goto('/')
  await mine(there.page, match).getByRole('button', { name: /^Join/ }).click()
  await expect(there.page.getByText('you keep somebody away who is at this match')).toBeVisible()
})

test('a way to be told is added, tried, changed and removed on one’s own page', async ({ known }) => {
  const { page } = await known.browser()
  await signUp(page, freshHandle())
  const told = part(page, 'When it is your turn')
  await expect(told).toContainText('This server sends no mail.')
  await expect(part(page, 'Mail address')).toContainText('This server sends no mail')
  await told.getByText('Add a webhook').click()
  await told.getByLabel('Its address').fill('https://hooks.example/of-mine')
  await told.getByRole('button', { name: 'Add it' }).click()
  await expect(told.getByLabel('The secret of the webhook')).toHaveValue(/^whsec_/)

  await told.getByLabel('At most once an hour').check()
  await told.getByRole('button', { name: /^Test/ }).click()
  await told.getByText('The last notice').click()
  await expect(told).toContainText('a test')
  await told.getByRole('button', { name: /^Turn off/ }).click()
  await expect(told).toContainText('Off')
  await page.reload()
  await expect(told.getByLabel('The secret of the webhook')).toHaveCount(0)
  await told.getByRole('button', { name: /^Remove/ }).click()
  await told.getByRole('button', { name: /^Yes, remove/ }).click()
  await expect(told.getByRole('listitem')).toHaveCount(0)
})

test('a holiday is said once for all matches over days, and ended for all', async ({ known, people, server }) => {
  const { page } = await known.browser()
  await signUp(page, freshHandle())
  await page.goto('/')
  const clock = { bank: 86_400, increment: 0, cap: 0, by_claim: true } as const
  const links = await made(page, { title: 'midway', scenario: 'duel', clock, pace: 'by turns' })
  const other = await people.person()
  await page.goto(links[0]!)
  await sit(page)
  await other.goto(server.url + links[1]!)
  await sit(other)
  await seated(other)

  await page.goto('/you')
  const holidays = part(page, 'Holidays')
  await expect(holidays).toContainText('30 of the 30 days of a year are left.')
  await holidays.getByLabel('Days').fill('3')
  await holidays.getByRole('button', { name: 'Go on holiday in all my matches' }).click()
  await expect(holidays.getByRole('status')).toHaveText(
    /^You are on holiday in 1 match, and in all that begin until \w+day \d+ \w+ at \d\d:\d\d\.$/,
  )
  await expect(holidays).toContainText(/You are away until \w+day \d+ \w+ at \d\d:\d\d\. 27 of the 30 days/)
  await holidays.getByRole('button', { name: 'Go on holiday in all my matches' }).click()
  await expect(holidays.getByRole('listitem')).toContainText('this seat is on holiday already', { ignoreCase: true })
  await holidays.getByRole('button', { name: 'I am back' }).click()
  await expect(holidays.getByRole('status')).toHaveText('You are back in 1 match.')
  await expect(holidays).toContainText('29 of the 30 days of a year are left.')
  await expect(holidays).not.toContainText('You are away')
})

/** Stands in for the service by which this browser's maker pushes; `subscriptions` are those that have not been ended. */
async function pushable(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const subscriptions: string[] = []
    let made = 0
    let current: PushSubscription | null = null
    const one = async (key: ArrayBuffer): Promise<PushSubscription> => {
      const endpoint = `https://push.example/${++made}`
      const keys = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
      const point = await crypto.subtle.exportKey('raw', keys.publicKey)
      subscriptions.push(endpoint)
      return {
        endpoint,
        options: { applicationServerKey: key, userVisibleOnly: true },
        getKey: (name: string) => (name === 'auth' ? new ArrayBuffer(16) : point),
        unsubscribe: () => {
          subscriptions.splice(subscriptions.indexOf(endpoint), 1)
          current = null
          return Promise.resolve(true)
        },
      } as unknown as PushSubscription
    }
    const pushManager = {
      getSubscription: () => Promise.resolve(current),
      subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array<ArrayBuffer> }) =>
        (current ??= await one(applicationServerKey.buffer)),
    }
    const worker = Promise.resolve({ pushManager })
    Object.defineProperty(navigator, 'serviceWorker', {
      value: { register: () => worker, ready: worker, getRegistration: () => worker },
    })
    Notification.requestPermission = () => Promise.resolve('granted')
    Object.assign(window, { subscriptions })
  })
}

test('a browser that is told no more is not subscribed any more, and is again when that is turned on', async ({ known }) => {
  const { page } = await known.browser()
  await pushable(page)
  await signUp(page, freshHandle())
  const told = part(page, 'When it is your turn')
  const subscriptions = () => page.evaluate(() => (window as unknown as { subscriptions: string[] }).subscriptions)
  await told.getByRole('button', { name: 'Tell me in this browser' }).click()
  await expect(told.getByRole('listitem')).toContainText('This browser')
  await told.getByLabel('At most once an hour').check()
  expect(await subscriptions()).toEqual(['https://push.example/1'])

  await told.getByRole('button', { name: 'Turn off This browser' }).click()
  await expect(told.getByRole('button', { name: 'Turn on This browser' })).toBeVisible()
  await expect.poll(subscriptions).toEqual([])
  await told.getByRole('button', { name: 'Turn on This browser' }).click()
  await expect(told.getByRole('button', { name: 'Turn off This browser' })).toBeVisible()
  expect(await subscriptions()).toEqual(['https://push.example/2'])
  await expect(told.getByRole('listitem')).toHaveCount(1)
  await expect(told.getByLabel('At most once an hour')).toBeChecked()

  await told.getByRole('button', { name: /^Remove/ }).click()
  await told.getByRole('button', { name: /^Yes, remove/ }).click()
  await expect(told.getByRole('listitem')).toHaveCount(0)
  await expect.poll(subscriptions).toEqual([])
})

test('two turns that came due at once stand both among what was told', async ({ known }) => {
  const { page } = await known.browser()
  await pushable(page)
  await signUp(page, freshHandle())
  const told = part(page, 'When it is your turn')
  await page.route('**/api/me/channels', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { channels: { last: object[] }[] }
    const turn = { kind: 'turn', match: null, made: 1_700_000_000_000_000, sent: null, outcome: null, tries: 0, fault: null }
    for (const one of body.channels) one.last = [turn, turn]
    await route.fulfill({ response: answer, json: body })
  })

  await told.getByRole('button', { name: 'Tell me in this browser' }).click()
  await told.getByText('The last 2 notices').click()

  await expect(told.locator('.last li')).toHaveCount(2)
})
