import { faults } from './axe'
import { expect, invitation, type Locator, offer, openForm, type Page, seated, sideLine, test } from './table'

const row = (page: Page, match: string) => page.locator(`.lists [data-match="${match}"]`)

/** Waits until no match of an earlier test would be offered as the newest. */
async function inTheLobby(page: Page): Promise<void> {
  await page.goto('/')
  await expect(page.getByRole('button', { name: /^Play now/ }).first()).toBeEnabled()
}

/** Sits down from the list with a name that is asked there. */
async function join(page: Page, match: string, name: string): Promise<void> {
  await row(page, match)
    .getByRole('button', { name: /^Join as/ })
    .click()
  await page.getByLabel('Your name').fill(name)
  await page.getByRole('button', { name: 'Sit down' }).click()
}

test('an open match appears without a reload, is joined by one click, and leaves the list', async ({ people }) => {
  const [maker, guest, third, late] = [await people.person(), await people.person(), await people.person(), await people.person()]
  await inTheLobby(guest)
  await inTheLobby(third)
  const match = await offer(maker, { against: 'person', side: 'Japan', name: 'Red admiral', label: 'Who comes?' })

  await test.step('who offered it sits, and has the link of the other seat', async () => {
    await expect(maker.locator('.invite li', { hasText: 'Japan' })).toContainText('Red admiral (you)')
    await expect(maker.locator('.invite form')).toHaveCount(0)
    // Both at one moment: what comes above them moves both.
    await expect
      .poll(async () => {
        const [card, aim] = await maker.evaluate(() =>
          ['.invite', '.primer'].map((which) => document.querySelector(which)!.getBoundingClientRect().toJSON() as DOMRect),
        )
        return [aim!.x >= card!.x + card!.width, aim!.y - card!.y]
      }, 'what one plays for stands beside')
      .toEqual([true, 0])
    await expect(maker.locator('main')).toContainText('Duel: Kaga against Enterprise · Who comes?')
    await maker.setViewportSize({ width: 390, height: 844 })
    expect(await maker.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0)
    await maker.setViewportSize({ width: 1440, height: 900 })
  })
  const link = await invitation(maker, /Copy the link for United States/)

  await test.step('others find it while they look on', async () => {
    for (const page of [guest, third]) await expect(row(page, match)).toContainText('Who comes?')
    await expect(row(guest, match)).toContainText('Red admiral')
  })

  await test.step('the name is asked once, and both are at the table', async () => {
    await join(guest, match, 'Blue admiral')
    await seated(guest)
    await seated(maker)
    await expect(sideLine(maker, 'United States')).toContainText('Blue admiral')
    await guest.reload()
    await seated(guest)
    await expect(sideLine(guest, 'United States')).toContainText('(you)')
  })

  await test.step('it has left the list, and is being played', async () => {
    await expect(row(third, match)).toHaveCount(0)
    await third.getByRole('button', { name: /^Being played/ }).click()
    await expect(row(third, match)).toContainText('Japan to decide')
    // Of all that are played here a few are shown as boards, this one or others.
    await expect(third.locator('[data-board] svg :is(.counter, .place, .area)').first()).toBeAttached()
  })

  await test.step('the link of that seat is void', async () => {
    await late.goto(link)
    await expect(late.getByRole('heading', { name: 'This link opens no seat' })).toBeVisible()
  })

  await test.step('it is first among one’s own matches, and says whose turn it is', async () => {
    await maker.goto('/')
    await expect(maker.getByRole('heading', { name: /My matches/ })).toContainText('1 waits for you')
    await expect(row(maker, match).first()).toContainText('Your turn')
  })
})

test('of two who click at once one sits, and the other is told and stays', async ({ people }) => {
  const [maker, one, two] = [await people.person(), await people.person(), await people.person()]
  const match = await offer(maker, { against: 'person', side: 'Japan' })
  for (const page of [one, two]) {
    await inTheLobby(page)
    await row(page, match).getByRole('button', { name: 'Join as United States' }).click()
    await page.getByLabel('Your name').fill('Quick')
  }

  // The second may find the form gone before he has clicked; he is told all the same.
  const sits = (page: Page): Promise<void> => page.getByRole('button', { name: 'Sit down' }).click({ timeout: 3_000 })
  const clicked = await Promise.allSettled([sits(one), sits(two)])
  expect(clicked.some(({ status }) => status === 'fulfilled')).toBe(true)

  const told = (page: Page): Promise<boolean> => page.getByText('Somebody else sat down there a moment before you.').isVisible()
  await expect.poll(async () => (await told(one)) !== (await told(two))).toBe(true)
  const [late, first] = (await told(one)) ? [one, two] : [two, one]
  await seated(first)
  expect(new URL(late.url()).pathname).toBe('/')
  await expect(row(late, match)).toHaveCount(0)
  await expect(late.getByRole('heading', { name: /My matches/ })).toHaveCount(0)
})

test('names of any script sit down, and what cannot be seen is told before anything is offered', async ({ people }) => {
  const maker = await people.person()
  const family = 'Dad \u{1F468}\u200D\u{1F469}\u200D\u{1F466}'

  await test.step('an unseen mark that turns the text is told in the form', async () => {
    await openForm(maker)
    const field = maker.getByLabel('My name')
    await field.fill('\u202Enimda')
    expect(await field.evaluate((input: HTMLInputElement) => input.validity.patternMismatch)).toBe(true)
    await maker.getByRole('button', { name: 'Offer the match' }).click()
    await expect(field).toBeFocused()
    expect(new URL(maker.url()).pathname, 'nothing was offered').toBe('/')
    await field.fill(family)
    expect(await field.evaluate((input: HTMLInputElement) => input.checkValidity())).toBe(true)
    await maker.getByRole('button', { name: 'Close' }).click()
  })

  await test.step('a joined emoji sits', async () => {
    await offer(maker, { against: 'person', side: 'Japan', name: family })
    await expect(maker.locator('.invite li', { hasText: 'Japan' })).toContainText(`${family} (you)`)
  })

  await test.step('a name that a browser kept from before is told where one sits down', async () => {
    const late = await people.person()
    await late.goto('/')
    await late.evaluate(() => localStorage.setItem('fleetfold.tastes', JSON.stringify({ undo: 0, name: 'a\u200Bb' })))
    await offer(late, { against: 'person', side: 'Japan' })
    await late.getByLabel('Your name').evaluate((input: HTMLInputElement) => input.removeAttribute('pattern'))
    await late.getByRole('button', { name: 'Play Japan' }).click()
    await expect(late.getByRole('alert')).toHaveText('A name has only characters that can be seen.')
    await late.getByLabel('Your name').fill('Ann')
    await late.getByRole('button', { name: 'Play Japan' }).click()
    await expect(late.locator('.invite li', { hasText: 'Japan' })).toContainText('Ann (you)')
    await expect(late.getByRole('alert')).toHaveCount(0)
  })
})

test('the longest names without a blank widen no page, and their offer can be joined by touch', async ({ people }) => {
  const [maker, guest] = [await people.person(), await people.person(true)]
  const narrow = async (page: Page, where: string): Promise<void> => {
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(over, `${where} is wider than its window`).toBeLessThanOrEqual(0)
  }
  await inTheLobby(guest)
  const match = await offer(maker, { against: 'person', side: 'Japan', name: 'W'.repeat(40), label: 'L'.repeat(80) })
  const ends = async (one: Locator): Promise<number> => {
    const box = (await one.boundingBox())!
    return box.x + box.width
  }
  await expect(maker.locator('.invite li', { hasText: 'WWW' })).toBeVisible()
  expect(await ends(maker.locator('.invite li .muted').first())).toBeLessThanOrEqual(await ends(maker.locator('.invite')))
  await maker.setViewportSize({ width: 390, height: 844 })
  await narrow(maker, 'the waiting room')
  await maker.setViewportSize({ width: 1440, height: 900 })
  await expect(row(guest, match)).toContainText('WWW')
  await narrow(guest, 'the lobby on a telephone')
  const laptop = await people.person()
  await laptop.setViewportSize({ width: 1280, height: 720 })
  await inTheLobby(laptop)
  await expect(row(laptop, match)).toContainText('WWW')
  const [card, list] = [row(laptop, match), laptop.locator('.lists')]
  expect(await ends(card.locator('.seats')), 'the names end within their card').toBeLessThanOrEqual(await ends(card))
  expect(await ends(card), 'the card ends within the list').toBeLessThanOrEqual((await ends(list)) + 1)
  await narrow(laptop, 'the lobby on a laptop')

  await row(guest, match).getByRole('button', { name: 'Join as United States' }).tap()
  await guest.getByLabel('Your name').fill('M'.repeat(40))
  await guest.getByRole('button', { name: 'Sit down' }).tap()
  await seated(guest)
  await seated(maker)
  await expect(sideLine(maker, 'Japan')).toContainText('WWW')
  for (const page of [maker, guest]) await narrow(page, 'the table')
  await laptop.goto(`/match/${match}`)
  await expect(sideLine(laptop, 'United States')).toContainText('MMM')
  await narrow(laptop, 'the table of an onlooker')
  await inTheLobby(laptop)
  await expect(laptop.locator('[data-board]').first()).toBeVisible()
  await narrow(laptop, 'the lobby with its board')
})

test('whoever waits for the answer keeps the seat, though the lobby goes on meanwhile', async ({ people }) => {
  const [maker, guest] = [await people.person(), await people.person()]
  const match = await offer(maker, { against: 'person', side: 'Japan' })
  let release: () => void = () => undefined
  await guest.routeWebSocket(/\/socket$/, (near) => {
    const far = near.connectToServer()
    let [joins, waits] = [false, [] as (string | Buffer)[]]
    near.onMessage((message) => {
      if (String(message).includes('"t":"join"')) {
        joins = true
        release = () => {
          joins = false
          for (const one of waits) near.send(one)
          waits = []
        }
      }
      far.send(message)
    })
    far.onMessage((message) => (joins ? void waits.push(message) : near.send(message)))
  })
  await inTheLobby(guest)
  await row(guest, match).getByRole('button', { name: 'Join as United States' }).click()
  await guest.getByLabel('Your name').fill('Patient')
  await guest.getByRole('button', { name: 'Sit down' }).click()

  const other = await offer(await people.person(), { against: 'person', side: 'Japan' })
  await expect(row(guest, other)).toBeVisible()
  release()

  await seated(guest)
  await expect(sideLine(guest, 'United States')).toContainText('(you)')
})

test('private matches are on no list; others are searched, narrowed, and widened again', async ({ people }) => {
  const [maker, guest] = [await people.person(), await people.person()]
  const hidden = await offer(maker, { against: 'person', label: 'Not for you', hidden: true })
  const slow = await offer(maker, { against: 'person', title: 'coral_sea', label: 'Slow boat' })
  await inTheLobby(guest)
  await expect(row(guest, slow)).toBeVisible()
  await expect(row(guest, hidden)).toHaveCount(0)

  const search = guest.getByRole('searchbox', { name: 'Search names and labels' })
  await search.fill('not for')
  await expect(guest.getByText('No match is like that.')).toBeVisible()
  await search.fill('slow BOAT')
  await expect(row(guest, slow)).toBeVisible()
  await guest.getByLabel('Of which game').selectOption('Nimitz')
  await expect(row(guest, slow)).toHaveCount(0)
  await guest.getByRole('button', { name: 'Show all again' }).click()
  await guest.getByLabel('At which pace').selectOption('by turns')
  await expect(row(guest, slow)).toHaveCount(0)
  await guest.getByLabel('At which pace').selectOption('live')
  await expect(row(guest, slow)).toBeVisible()
})

test('the form fits a laptop in every title, asks for the name once, and play begins by one click', async ({ people }) => {
  const page = await people.person()
  await page.setViewportSize({ width: 1280, height: 720 })
  for (const title of ['midway', 'coral_sea', 'nimitz']) {
    await openForm(page, title)
    await expect(page.getByRole('button', { name: 'Offer the match' })).toBeInViewport({ ratio: 1 })
    expect(await page.locator('dialog .body').evaluate((body) => body.scrollHeight <= body.clientHeight), title).toBe(true)
    await expect(page.getByText('Options of the rules')).toHaveCount(title === 'nimitz' ? 0 : 1)
  }
  expect(await faults(page), 'the form').toEqual([])
  await page.getByLabel('My name').fill('Old salt')
  await page.getByLabel('Against', { exact: true }).selectOption('solo')
  await page.getByRole('button', { name: 'Start the match' }).click()
  await seated(page)
  await openForm(page)
  await expect(page.getByLabel('My name')).toHaveCount(0)
  await expect(page.getByRole('dialog')).toContainText('Old salt')
  await page.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'Play now against a bot: Midway' }).click()
  await seated(page)
  await expect(sideLine(page, 'United States')).toContainText('Old salt')
  await expect(sideLine(page, 'Japan')).toContainText('steady bot')
})

test('campaigns stand apart from battles with how long they take, and each scenario has its own options', async ({ people }) => {
  const page = await people.person()
  const dialog = page.getByRole('dialog')
  const scenarios = (): Promise<string[]> =>
    dialog.locator('input[name="scenario"]').evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))

  for (const [width, height] of [
    [1440, 900],
    [1280, 720],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await openForm(page, 'pacific_war')
    for (const [kind, ids] of [
      ['Battles', ['E1', 'E2', 'E3', 'E4', 'B1']],
      ['Campaigns', ['C1', 'S1', 'S2']],
    ] as const) {
      await dialog.getByRole('button', { name: kind }).click()
      expect(await scenarios()).toEqual(ids)
      await expect(dialog.locator(`input[value="${ids[0]}"]`)).toBeChecked()
      await expect(page.getByRole('button', { name: 'Offer the match' })).toBeInViewport({ ratio: 1 })
      const wide = await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
      const high = await dialog.locator('.body').evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
      expect([wide, width > 640 ? high : 0], `${kind}, ${width}`).toEqual([0, 0])
    }
  }
  await expect(dialog.locator('.choice', { hasText: 'The Solomons and Papua' })).toContainText('An evening or several')
  expect(await faults(page), 'the form').toEqual([])

  await expect(dialog.getByText('Options of the rules'), 'neither a battle nor Guadalcanal has any').toHaveCount(0)
  await dialog.locator('input[value="S2"]').check()
  await dialog.getByText('Options of the rules').click()
  await expect(dialog.getByRole('checkbox', { name: /^Weather/ }), 'it is on unless told').toBeChecked()
  await expect(dialog.getByRole('checkbox', { name: /^STO/ })).not.toBeChecked()
  await dialog.getByRole('checkbox', { name: /^Weather/ }).uncheck()
  const asked = new Promise<string>((found) => {
    page.on('websocket', (socket) => {
      socket.on('framesent', ({ payload }) => {
        if (String(payload).includes('"t":"create"')) found(String(payload))
      })
    })
  })
  await dialog.getByLabel('Against', { exact: true }).selectOption('steady')
  await dialog.getByRole('button', { name: 'Start the match' }).click()
  expect(JSON.parse(await asked)).toMatchObject({ title: 'pacific_war', scenario: 'S2', options: { weather: false } })
  await seated(page)
})

test('the theme is the system’s until one is chosen', async ({ people }) => {
  const page = await people.person()
  const room = (): Promise<string> => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  await page.goto('/verify')
  const dark = await room()
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(room).not.toBe(dark)
  await page.getByRole('button', { name: 'Dark theme' }).click()
  await expect.poll(room).toBe(dark)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Light theme' })).toBeVisible()
  expect(await room()).toBe(dark)
})

test('who was invited and still writes his name is told that the seat is taken, and keeps nothing of it', async ({ people }) => {
  const [maker, invited, guest] = [await people.person(), await people.person(), await people.person()]
  await inTheLobby(guest)
  const match = await offer(maker, { against: 'person', side: 'Japan', name: 'Red admiral' })
  await invited.goto(await invitation(maker, /Copy the link for United States/))
  await expect(invited.getByLabel('Your name')).toBeVisible()
  // What is asked with a link that has become void is refused, which Chromium reports.
  people.expectBreaks()

  await join(guest, match, 'Blue admiral')
  await seated(guest)

  await expect(invited.getByRole('heading', { name: 'This seat is taken' })).toBeVisible()
  await expect(invited.getByRole('button', { name: 'Watch the match' })).toBeVisible()
  await invited.getByRole('link', { name: 'To the lobby' }).click()
  await expect(invited.getByRole('button', { name: /^Play now/ }).first()).toBeEnabled()
  await expect(invited.getByRole('heading', { name: 'My matches' })).toHaveCount(0)
})

test('whoever has an offer open himself is told that nobody else waits', async ({ people }) => {
  const page = await people.person()
  const match = await offer(page, { against: 'person', label: 'Mine alone' })
  await page.routeWebSocket(/\/socket$/, (near) => {
    const far = near.connectToServer()
    far.onMessage((message) => {
      const said = JSON.parse(String(message)) as { matches?: { match: string }[] }
      near.send(JSON.stringify({ ...said, ...(said.matches && { matches: said.matches.filter((one) => one.match === match) }) }))
    })
  })
  await inTheLobby(page)

  await expect(row(page, match)).toBeVisible()
  await expect(page.getByText(/^Nobody else is waiting for an opponent just now\./)).toBeVisible()
})
