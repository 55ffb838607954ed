import { expect, freshHandle, type Keys, type Known, type Page, signIn, signUp, test } from './passkeys'
import { offer, seated, sideLine } from './table'

const button = (page: Page) => page.getByRole('button', { name: 'Begin here' })
const here = (page: Page) => page.getByText('The match begins in this browser')

/** Somebody has sat down in a browser, and left it; returns the match, his handle, and his passkey. */
async function satDown(known: Known, label: string): Promise<{ match: string; handle: string; keys: Keys }> {
  const [desk, handle] = [await known.browser(), freshHandle()]
  await signUp(desk.page, handle)
  const match = await offer(desk.page, { against: 'person', side: 'Japan', label })
  await expect(desk.page.locator('.invite li', { hasText: 'Japan' })).toContainText('(you)')
  await desk.page.goto('about:blank')
  return { match, handle, keys: desk.keys }
}

/** Somebody joins, and has shown his number. */
async function joins(page: Page, match: string): Promise<void> {
  let shown = false
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => (shown ||= String(payload).includes('NonceShown'))))
  await page.goto(`/match/${match}`)
  await page.getByRole('button', { name: /^Join as/ }).click()
  await expect(page.getByText('the dice are being fixed')).toBeVisible()
  await expect.poll(() => shown).toBe(true)
}

/** He opens it in another browser, with his passkey as it was used last: one that counts less than it did is refused. */
async function opens(known: Known, { match, handle, keys }: Awaited<ReturnType<typeof satDown>>): Promise<{ page: Page; keys: Keys }> {
  const other = await known.browser()
  await other.keys.take(keys)
  await signIn(other.page, handle)
  await other.page.goto(`/match/${match}`)
  await expect(button(other.page)).toBeVisible()
  return other
}

test('whoever sat down in one browser begins in another, though his opponent is there and has shown his number', async ({ known }) => {
  const other = await known.browser()
  const seat = await satDown(known, 'At my desk')
  await joins(other.page, seat.match)

  const phone = await opens(known, seat)
  await button(phone.page).click()
  await seated(phone.page)
  await seated(other.page)
  await expect(sideLine(phone.page, 'Japan')).toContainText('(you)')
})

test('of two browsers that begin at once one does and each says so, until it has moved three times', async ({ known }) => {
  const other = await known.browser()
  const seat = await satDown(known, 'Here or there')
  await joins(other.page, seat.match)
  await other.page.goto('about:blank')
  const phone = await opens(known, seat)
  const tablet = await opens(known, { ...seat, keys: phone.keys })

  const pages: [Page, Page] = [phone.page, tablet.page]
  await Promise.all(pages.map((page) => button(page).click()))
  await expect
    .poll(async () =>
      (await Promise.all(pages.map(async (page) => `${await here(page).count()} ${await button(page).count()}`))).toSorted(),
    )
    .toEqual(['0 1', '1 0'])
  // Both clicks count where the slower browser hears of the other before its own is taken: then it moves once more, else twice.
  const stays = (page: Page) => page.getByText('It has moved from one to another 3 times, and stays there')
  let [to, from] = (await here(pages[0]).count()) ? pages.toReversed() : pages
  for (let clicks = 0; clicks < 2 && (await button(to!).count()); clicks++) {
    await button(to!).click()
    await expect(here(to!)).toBeVisible()
    await expect(here(from!)).toHaveCount(0)
    ;[to, from] = [from, to]
    await expect(button(to!).or(stays(to!))).toBeVisible()
  }

  await expect(stays(to!)).toBeVisible()
  await expect(button(to!)).toHaveCount(0)
  await other.page.goto(`/match/${seat.match}`)
  for (const page of [...pages, other.page]) await seated(page)
})

test('why a match did not begin here is said no more once another browser has it', async ({ known }) => {
  const other = await known.browser()
  const seat = await satDown(known, 'For a while')
  await joins(other.page, seat.match)
  await other.page.goto('about:blank')
  const phone = await opens(known, seat)
  await phone.page.routeWebSocket('**/socket', (page) => {
    const server = page.connectToServer()
    page.onMessage((message) => {
      const { t, match, command } = JSON.parse(String(message)) as Record<string, string>
      if (t === 'anew') page.send(JSON.stringify({ t: 'refused', code: 'not_allowed', reason: 'not just now', match, command }))
      else server.send(message)
    })
  })
  await phone.page.reload()
  await button(phone.page).click()
  await expect(phone.page.getByRole('alert')).toHaveText('Not just now.')

  const tablet = await opens(known, { ...seat, keys: phone.keys })
  await button(tablet.page).click()

  await expect(here(tablet.page)).toBeVisible()
  await expect(phone.page.getByRole('alert')).toHaveCount(0)
  await expect(button(phone.page)).toBeVisible()
})
