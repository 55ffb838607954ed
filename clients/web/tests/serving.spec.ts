/** What the server sends a browser first, and a page that was opened before the server was upgraded. */

import { connect } from 'node:net'
import { offerNimitz } from './nimitz'
import { startServer } from './server'
import { chances, clickWhatGlows, expect, factsOf, glowing, offer, openForm, type Page, seated, sit, test } from './table'

/** Bytes as sent, in thousands, without type families: the first paint waits for none. */
const LOBBY_KB = 40
const MATCH_KB = 150
/** The map of Pacific War has 4,930 hexes with their coasts, and 900 names. */
const LARGEST_KB = 165

/** The addresses that a page reads from now on, without the log of the match, which grows. */
function reads(page: Page): Set<string> {
  const urls = new Set<string>()
  page.on('response', (answer) => void (/\.woff2$|\/steps/.test(answer.url()) || urls.add(answer.url())))
  return urls
}

/** What the server sends for these to a browser that reads Brotli, as all do over TLS; in thousands of bytes. */
async function sent(urls: Iterable<string>): Promise<number> {
  const sizes = await Promise.all([...urls].map(sizeOf))
  return sizes.reduce((sum, size) => sum + size, 0) / 1_000
}

const bodyOf = (answer: Buffer): Buffer => answer.subarray(answer.indexOf('\r\n\r\n') + 4)

function sizeOf(url: string): Promise<number> {
  const { hostname, port, pathname, search } = new URL(url)
  return new Promise((done, failed) => {
    const line = connect(Number(port), hostname)
    const parts: Buffer[] = []
    line.on('data', (bytes) => parts.push(bytes))
    line.on('end', () => done(bodyOf(Buffer.concat(parts)).length)).on('error', failed)
    line.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAccept-Encoding: gzip, br\r\n\r\n`)
  })
}

test('the lobby is sent in 40 kB, and a match of each title in 150, of the largest in 165, whose link has its picture', async ({
  people,
}) => {
  people.expectBreaks()
  const page = await people.person()
  // Where nothing is played, no board is shown.
  const fresh = await startServer()
  const first = reads(page)
  await page.goto(fresh.url)
  await page.waitForLoadState('networkidle')
  const lobby = await sent(first)
  await fresh.stop()
  const sizes = [`lobby ${lobby.toFixed(1)}`]
  expect(lobby).toBeLessThan(LOBBY_KB)

  for (const title of ['midway', 'coral_sea', 'nimitz', 'pacific_war']) {
    const match = await (title === 'nimitz' ? offerNimitz(page, 'alone') : offer(page, { against: 'solo', title }))
    await sit(page)
    await seated(page)
    const onlooker = await people.person()
    const opened = reads(onlooker)
    await onlooker.goto(`/match/${match}`)
    await seated(onlooker)
    await onlooker.waitForLoadState('networkidle')
    const table = await sent(opened)
    sizes.push(`${title} ${table.toFixed(1)}`)
    expect(table, title).toBeLessThan(title === 'pacific_war' ? LARGEST_KB : MATCH_KB)

    const picture = /property="og:image" content="([^"]+)"/.exec(await (await onlooker.request.get(`/match/${match}`)).text())![1]!
    const shown = await onlooker.request.get(picture)
    expect([picture.includes(title), shown.status(), shown.headers()['content-type']]).toEqual([true, 200, 'image/jpeg'])
    await onlooker.close()
  }
  expect(sizes, sizes.join(', ')).toHaveLength(5)
})

/** Lets a page see the next build, as its first lines tell, whenever it asks; the answer counts how often it loads. */
async function upgraded(page: Page): Promise<() => number> {
  let loaded = 0
  page.on('load', () => loaded++)
  await page.route('/', async (route) => {
    // While the server is away the page is answered as a browser would: not at all.
    const answer = await route.fetch().catch(() => null)
    if (!answer) await route.abort()
    else if (route.request().isNavigationRequest()) await route.fulfill({ response: answer })
    else await route.fulfill({ response: answer, body: (await answer.text()).replace(/assets\/index-[\w-]+\.js/, 'assets/index-newer.js') })
  })
  return () => loaded
}

test('a page that was open across an upgrade reloads itself when its reader pauses', async ({ people, server }) => {
  people.expectBreaks()
  const player = await people.person()
  await offer(player, { against: 'solo' })
  await sit(player)
  await seated(player)
  await clickWhatGlows(player, chances(5))
  await expect(glowing(player).first()).toBeVisible()
  const before = await factsOf(player)
  await player.getByRole('button', { name: 'Talk' }).click()
  await player.getByLabel('Say something').pressSequentially('Wait for')
  const loaded = await upgraded(player)

  await server.restart()

  await expect(player.getByText('Fleetfold has been renewed')).toBeVisible({ timeout: 30_000 })
  const note = player.getByRole('status').filter({ hasText: 'Fleetfold has been renewed' })
  const [said, button] = [await note.boundingBox(), await player.getByRole('button', { name: 'Send' }).boundingBox()]
  expect(said!.y + said!.height <= button!.y || said!.x + said!.width <= button!.x, 'it lies beside the button').toBe(true)
  await player.waitForTimeout(6_000)
  expect(loaded()).toBe(0)
  await expect(player.getByLabel('Say something')).toHaveValue('Wait for')

  await test.step('nor when a part of it is asked for that the new server has no more', async () => {
    await player.route('**/assets/MatchActs-*', (route) => route.fulfill({ status: 404 }))
    await player.getByText('Match ▾').click()
    await expect(player.getByText('this comes with the new page')).toBeVisible()
    await player.waitForTimeout(2_000)
    expect(loaded()).toBe(0)
    await expect(player.getByLabel('Say something')).toHaveValue('Wait for')
  })
  await player.getByLabel('Say something').fill('')
  await expect.poll(loaded, { timeout: 20_000 }).toBe(1)
  await expect(glowing(player).first()).toBeVisible()
  expect(await factsOf(player)).toBe(before)
})

test('a lobby that was open across an upgrade reloads itself, though not under a form that is being filled', async ({ people, server }) => {
  people.expectBreaks()
  const page = await people.person()
  await openForm(page)
  await page.getByLabel('Label on the list').fill('Saturday evenings')
  const loaded = await upgraded(page)

  await server.restart()

  await expect(page.getByText('Fleetfold has been renewed')).toBeVisible({ timeout: 30_000 })
  await page.waitForTimeout(6_000)
  expect(loaded()).toBe(0)
  await expect(page.getByLabel('Label on the list')).toHaveValue('Saturday evenings')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect.poll(loaded, { timeout: 20_000 }).toBe(1)
  await expect(page.getByRole('button', { name: 'Offer a match of Midway' })).toBeVisible()
})
