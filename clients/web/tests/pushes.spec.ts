/** A browser that is pushed to says where by now, when its maker has renewed its subscription or dropped it. */

import type { Worker } from '@playwright/test'
import { expect, freshHandle, type Page, signUp, test } from './passkeys'

test.use({ serviceWorkers: 'allow' })

interface Here {
  /** Where the browser is pushed to; '': nowhere. */
  endpoint: string
  /** What was asked of the server, and how that was answered. */
  asked: string[]
  work: Promise<void>
  look: (pushed: string) => Promise<void>
}

/** Stands in, in a page or in a worker, for the service by which this browser's maker pushes. */
function service(name: string): void {
  const here = globalThis as unknown as Here
  here.endpoint = ''
  here.asked = []
  let made = 0
  const one = async (): Promise<object> => {
    const keys = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
    const point = await crypto.subtle.exportKey('raw', keys.publicKey)
    const auth = new ArrayBuffer(16)
    const text = (key: ArrayBuffer): string =>
      btoa(String.fromCharCode(...new Uint8Array(key)))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replaceAll('=', '')
    const { endpoint } = here
    const ended = (): Promise<boolean> => {
      here.endpoint = ''
      return Promise.resolve(true)
    }
    return {
      endpoint,
      options: { applicationServerKey: null },
      getKey: (wanted: string) => (wanted === 'auth' ? auth : point),
      toJSON: () => ({ endpoint, keys: { p256dh: text(point), auth: text(auth) } }),
      unsubscribe: ended,
    }
  }
  Object.assign(PushManager.prototype, {
    permissionState: () => Promise.resolve('granted'),
    getSubscription: () => (here.endpoint ? one() : Promise.resolve(null)),
    subscribe: () => {
      here.endpoint ||= `https://push.example/${name}/${++made}`
      return one()
    },
  })
  if ('document' in globalThis) Notification.requestPermission = () => Promise.resolve('granted')
  const real = fetch
  globalThis.fetch = async (what, how) => {
    const answer = await real(what, how)
    if (typeof what === 'string') here.asked.push(`${how?.method ?? 'GET'} ${what.replace(/[\da-f-]{36}/, 'ID')} ${answer.status}`)
    return answer
  }
}

/** Signs up and has this browser pushed to; its worker, which the page asks for a look by itself, or never. */
async function pushed(page: Page, { asks }: { asks: boolean }): Promise<Worker> {
  await page.addInitScript(service, 'page')
  if (!asks) await page.addInitScript(() => Object.assign(ServiceWorker.prototype, { postMessage: () => undefined }))
  await signUp(page, freshHandle())
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  const [worker] = page.context().serviceWorkers()
  await worker!.evaluate(service, 'worker')
  await page.getByRole('button', { name: 'Tell me in this browser' }).click()
  await expect(page.locator('b', { hasText: 'This browser' })).toBeVisible()
  return worker!
}

const asked = (worker: Worker): Promise<string[]> => worker.evaluate(() => (globalThis as unknown as Here).asked)
const SAID = ['GET /api/me/channels 200', 'POST /api/me/channels/ID/browser 200']

/** What the worker has noted of where the server pushes. */
const noted = (worker: Worker): Promise<string> =>
  worker.evaluate(async () => {
    const note = await (await caches.open('pushed')).match('/pushed')
    return note ? ((await note.json()) as { endpoint: string }).endpoint : ''
  })

/** Tells the worker that the subscription is another, or gone; returns when it has done what it does. */
const changed = (worker: Worker): Promise<void> =>
  worker.evaluate(async () => {
    const here = globalThis as unknown as Here
    here.work = Promise.resolve()
    const waitUntil = (work: Promise<void>): void => void (here.work = work)
    dispatchEvent(Object.assign(new Event('pushsubscriptionchange'), { waitUntil }))
    await here.work
  })

/** Lets the worker look, as a page does that is opened. */
const look = (worker: Worker, endpoint = ''): Promise<void> =>
  worker.evaluate(async (now) => {
    const here = globalThis as unknown as Here
    here.endpoint = now
    await here.look('')
  }, endpoint)

test('a subscription that its maker renews is told to the server by the worker alone', async ({ known }) => {
  const { page } = await known.browser()
  const worker = await pushed(page, { asks: false })
  expect(await noted(worker)).toBe('https://push.example/page/1')

  await changed(worker)

  expect(await asked(worker)).toEqual(SAID)
  expect(await noted(worker)).toBe('https://push.example/worker/1')
  await page.reload()
  await expect(page.locator('b', { hasText: 'This browser' })).toBeVisible()
})

test('a subscription that was dropped while nobody looked is made anew once the page is opened', async ({ known }) => {
  const { page } = await known.browser()
  const worker = await pushed(page, { asks: true })

  await page.goto('/trust')

  await expect.poll(() => asked(worker), { timeout: 15_000 }).toEqual(SAID)
  await expect.poll(() => noted(worker)).toBe('https://push.example/worker/1')
  await look(worker, 'https://push.example/worker/1')
  expect(await asked(worker)).toEqual(SAID)
})

test('what its person has turned off, or removed elsewhere, is not made anew', async ({ known }) => {
  const { page } = await known.browser()
  const worker = await pushed(page, { asks: false })

  await page.evaluate(async () => {
    const { channels } = (await (await fetch('/api/me/channels')).json()) as { channels: { id: string }[] }
    await fetch(`/api/me/channels/${channels[0]!.id}`, { method: 'DELETE', headers: { 'Content-Type': 'application/json' }, body: '{}' })
  })
  await look(worker, 'https://push.example/other')
  expect(await asked(worker)).toEqual(SAID.slice(0, 1))
  expect(await worker.evaluate(() => (globalThis as unknown as Here).endpoint)).toBe('')
  expect(await noted(worker)).toBe('')

  await page.reload()
  await page.getByRole('button', { name: 'Tell me in this browser' }).click()
  await page.getByRole('button', { name: 'Turn off This browser' }).click()
  await expect(page.getByRole('button', { name: 'Turn on This browser' })).toBeVisible()
  await expect.poll(() => noted(worker)).toBe('')
  await look(worker)
  await changed(worker)
  expect(await asked(worker)).toEqual(SAID.slice(0, 1))
})
