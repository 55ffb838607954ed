/** What a person does on one device about another, and what a device is left with. */

import { expect, freshHandle, type Page, signIn, signUp, test, whoami } from './passkeys'
import { offer, seated, sit } from './table'

/** What this browser keeps of a match. */
const kept = (page: Page, match: string) =>
  page.evaluate(
    (id) => JSON.parse(localStorage.getItem(`fleetfold.match.${id}`) ?? '{}') as { ways: { token: string; seat?: number }[] },
    match,
  )

test('the link of a seat is made void on a device that never had it, and the links of all seats at once', async ({ known, people }) => {
  const [here, there] = [await known.browser(), await known.browser()]
  const handle = freshHandle()
  await signUp(here.page, handle)
  const match = await offer(here.page, { against: 'steady', side: 'Japan' })
  await seated(here.page)
  const { token } = (await kept(here.page, match)).ways.find(({ seat }) => seat !== undefined)!
  await there.keys.take(here.keys)
  await signIn(there.page, handle)
  await there.page.goto(`/match/${match}`)
  await seated(there.page)

  await there.page.getByText('Match ▾').click()
  await there.page.getByRole('button', { name: 'My links …' }).click()
  await there.page.getByRole('button', { name: 'Make my old link for Japan void' }).click()
  await expect(there.page.getByText('The old link is void. The new one for Japan:')).toBeVisible()
  await there.page.getByRole('button', { name: 'Close' }).click()
  await seated(there.page)

  const lost = await people.person()
  await lost.goto(`/match/${match}#${token}`)
  await expect(lost.getByRole('heading', { name: 'This link opens no seat' })).toBeVisible()

  await there.page.goto('/you')
  await there.page.getByRole('button', { name: 'Make the links of my seats void' }).click()
  await there.page.getByRole('button', { name: 'Yes, make the links of my seats void' }).click()
  await expect(there.page.getByText('The links of 1 seat are void.')).toBeVisible()
})

test('who signs out is pushed to no more in this browser', async ({ known }) => {
  const { page, keys } = await known.browser()
  const other = await known.browser()
  const handle = freshHandle()
  await signUp(page, handle)
  const channels = (on: Page) =>
    on.evaluate(async () => ((await (await fetch('/api/me/channels')).json()) as { channels: { kind: string }[] }).channels.length)
  await page.evaluate(async () => {
    // A browser's own `subscribe` needs its maker's service: the keys are the test's.
    const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
    const text = (bytes: Uint8Array): string =>
      btoa(String.fromCharCode(...bytes))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replaceAll('=', '')
    const p256dh = text(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)))
    const body = { kind: 'push', endpoint: 'https://push.example/1', p256dh, auth: text(crypto.getRandomValues(new Uint8Array(16))) }
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch('/api/me/channels', { method: 'POST', headers, body: JSON.stringify(body) })
    localStorage.setItem('fleetfold.pushed', JSON.stringify(((await answer.json()) as { added: string }).added))
  })
  expect(await channels(page)).toBe(1)

  await whoami(page).click()
  await page.getByRole('button', { name: 'Sign out' }).first().click()
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible()

  expect(await page.evaluate(() => localStorage.getItem('fleetfold.pushed'))).toBeNull()
  await other.keys.take(keys)
  await signIn(other.page, handle)
  expect(await channels(other.page)).toBe(0)
})

test('who cancels at the provider is told that nothing was done, and nothing is asked of the server', async ({ known }) => {
  const { page } = await known.browser()
  const asked: string[] = []
  page.on('request', (one) => one.method() === 'POST' && asked.push(one.url()))
  await page.goto('/provider?error=access_denied&state=1')

  await expect(page.getByRole('alert')).toHaveText('You did not come in by your provider, and nothing was done.')
  expect(asked).toEqual([])
})

test('of links that cannot be kept it is said why', async ({ known }) => {
  const { page } = await known.browser()
  const match = await offer(page, { against: 'solo' })
  await sit(page)
  await seated(page)
  await page.goto('/')
  await page.evaluate((id) => {
    const key = `fleetfold.match.${id}`
    const one = JSON.parse(localStorage.getItem(key)!) as { ways: { role: string; token: string }[] }
    const last = one.ways.filter(({ role }) => role === 'seat').at(-1)!
    last.token = `A${last.token.slice(1)}`
    localStorage.setItem(key, JSON.stringify(one))
  }, match)
  await signUp(page, freshHandle())
  await page.getByRole('button', { name: 'Keep it with me' }).click()

  await expect(page.getByText('1 cannot be kept with you: its link is void.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Keep it with me' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Leave it' }).click()
  await expect(page.getByText('1 match of this browser')).toHaveCount(0)
})
