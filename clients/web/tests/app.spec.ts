/** The page as an app: it can be installed, says so when it is offline, and shows what is pushed. */

import type { CDPSession, Worker } from '@playwright/test'
import { expect, type Page, test } from './table'

test.use({ serviceWorkers: 'allow' })

/** Opens the page and waits until its service worker is at work. */
async function opened(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
}

interface Registration {
  registrationId: string
  scopeURL: string
  isDeleted: boolean
}

/** Pushes a message to the service worker, as the browser does with what its push service sends. */
async function push(page: Page, message: object): Promise<void> {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  const registered = new Promise<string>((found) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }: { registrations: Registration[] }) => {
      const one = registrations.find(({ isDeleted }) => !isDeleted)
      if (one) found(one.registrationId)
    })
  })
  await cdp.send('ServiceWorker.enable')
  const { origin } = new URL(page.url())
  await cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data: JSON.stringify(message) })
}

interface Shown extends NotificationOptions {
  title: string
  renotify?: boolean
  timestamp: number
  data: { path: string }
}

/** Keeps in a service worker what it would show: of browsers without a window none may notify, whatever it is granted. */
async function notifying(page: Page): Promise<{ shown: () => Promise<Shown[]>; later: (ms: number) => Promise<void> }> {
  const [worker] = page.context().serviceWorkers()
  await worker!.evaluate(() => {
    const here = globalThis as unknown as { shown: Shown[]; registration: ServiceWorkerRegistration }
    here.shown = []
    const close = (one: Shown) => () => (here.shown = here.shown.filter((other) => other !== one))
    here.registration.showNotification = (title, options) => {
      const one = { ...options, title, timestamp: Date.now() } as Shown
      here.shown = [...here.shown.filter(({ tag }) => tag !== one.tag), one]
      return Promise.resolve()
    }
    here.registration.getNotifications = (filter) =>
      Promise.resolve(
        here.shown.filter(({ tag }) => !filter?.tag || tag === filter.tag).map((one) => ({ ...one, close: close(one) })),
      ) as unknown as Promise<Notification[]>
  })
  return {
    shown: () => worker!.evaluate(() => (globalThis as unknown as { shown: Shown[] }).shown),
    later: (ms) =>
      worker!.evaluate((more) => {
        const at = Date.now() + more
        Date.now = () => at
      }, ms),
  }
}

test('a push shows a notification, which leads to a match of this server and goes when that is opened', async ({ people }) => {
  const page = await people.person()
  await opened(page, '/')
  const { shown } = await notifying(page)
  const match = '/match/0199aabb-0000-7000-8000-000000000001'

  await push(page, { title: 'It is your turn in Midway', body: 'against Ann', link: `https://fleet.example${match}`, tag: 'a' })

  const title = 'It is your turn in Midway'
  await expect.poll(shown).toMatchObject([{ title, body: 'against Ann', tag: 'a', icon: '/icon-192.png', data: { path: match } }])

  await page.goto('/trust')
  expect(await shown()).toHaveLength(1)
  await page.goto(match)
  await expect.poll(shown).toEqual([])
})

test('of a later turn one hears though the notification of an earlier one is there still, and of one turn once', async ({ people }) => {
  const page = await people.person()
  await opened(page, '/')
  const { shown, later } = await notifying(page)
  const turn = { title: 'It is your turn', body: '', link: 'https://fleet.example/match/1', tag: 'a' }

  await push(page, turn)
  await expect.poll(shown).toMatchObject([{ renotify: false }])
  await later(60_000)
  await push(page, { ...turn, title: 'The same' })
  await expect.poll(shown).toMatchObject([{ title: 'The same', renotify: false }])
  await later(600_000)
  await push(page, { ...turn, title: 'The next' })
  await expect.poll(shown).toMatchObject([{ title: 'The next', renotify: true }])
})

interface Led {
  opened: string[]
  focused: string[]
  work: Promise<unknown>
}

/** Keeps in a service worker which windows it opens and shows: the browser lets it do so after a person's own click alone. */
async function leading(worker: Worker): Promise<() => Promise<Pick<Led, 'opened' | 'focused'>>> {
  await worker.evaluate(() => {
    const here = globalThis as unknown as Led & { clients: { openWindow: (path: string) => Promise<null> }; WindowClient: () => void }
    Object.assign(here, { opened: [], focused: [] })
    here.clients.openWindow = (path) => {
      here.opened.push(path)
      return Promise.resolve(null)
    }
    Object.assign(here.WindowClient.prototype as object, {
      focus(this: { url: string }) {
        here.focused.push(new URL(this.url).pathname)
        return Promise.resolve(this)
      },
    })
  })
  return () =>
    worker.evaluate(() => {
      const { opened, focused } = globalThis as unknown as Led
      return { opened, focused }
    })
}

/** Clicks on the one notification that is shown; returns when the worker has done what it does. */
const click = (worker: Worker): Promise<void> =>
  worker.evaluate(async () => {
    const here = globalThis as unknown as Led & { registration: ServiceWorkerRegistration }
    const [notification] = await here.registration.getNotifications()
    here.work = Promise.resolve()
    const waitUntil = (work: Promise<unknown>): void => void (here.work = work)
    dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil }))
    await here.work
  })

test('a click on a notification shows the page that is open there, of several', async ({ people }) => {
  const page = await people.person()
  await opened(page, '/match/1')
  await (await page.context().newPage()).goto('/')
  const { shown } = await notifying(page)
  const worker = page.context().serviceWorkers()[0]!
  const led = await leading(worker)
  await push(page, { title: 'It is your turn', body: '', link: 'https://fleet.example/match/1', tag: 'a' })
  await expect.poll(shown).toHaveLength(1)

  await click(worker)

  expect(await led()).toEqual({ opened: [], focused: ['/match/1'] })
  expect(await shown()).toEqual([])
})

for (const none of [false, true]) {
  test(`a click on a notification opens its match where ${none ? 'no page is open' : 'only other pages are open'}`, async ({ people }) => {
    const page = await people.person()
    await opened(page, '/')
    const { shown } = await notifying(page)
    const worker = page.context().serviceWorkers()[0]!
    const led = await leading(worker)
    await push(page, { title: 'It is your turn', body: '', link: 'https://fleet.example/match/1', tag: 'a' })
    await expect.poll(shown).toHaveLength(1)
    if (none) await page.close()

    await click(worker)

    expect(await led()).toEqual({ opened: ['/match/1'], focused: [] })
    expect(await shown()).toEqual([])
  })
}

test('it can be installed', async ({ people }) => {
  const page = await people.person()
  await opened(page, '/')
  const cdp = await page.context().newCDPSession(page)

  const { errors, url } = await cdp.send('Page.getAppManifest')

  expect(errors).toEqual([])
  expect(new URL(url).pathname).toBe('/app.json')
  const manifest = (await (await page.request.get(url)).json()) as { icons: { src: string }[] }
  for (const { src } of manifest.icons) expect((await page.request.get(src)).ok(), src).toBe(true)
})

test('where the server cannot be reached it says so, and goes on when it is back', async ({ people }) => {
  people.expectBreaks()
  const page = await people.person()
  await opened(page, '/')
  // All parts of the lobby are here, so that none is missed while it is away.
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)

  await page.goto('/rules/midway')

  await expect(page.getByRole('heading', { name: 'The server cannot be reached' })).toBeVisible()
  expect(await page.evaluate(() => getComputedStyle(document.querySelector('main')!).maxWidth)).toBe('480px')
  if (process.env.PICTURE) await page.screenshot({ path: process.env.PICTURE })

  await page.context().setOffline(false)
  await page.getByRole('link', { name: 'Try again' }).click()

  await expect(page.getByRole('heading', { name: 'The server cannot be reached' })).toBeHidden()
  await expect(page).toHaveURL(/rules.midway/)
})
