/** Pushes to this browser: whether it takes them, what it says of itself to a server that pushes, and which of a person's
 * channels it is: the server tells nobody where one leads. The service worker has a note of the same, of the place too (`sw.js`): it
 * says when that has changed, also while no page is open. */

import { change } from '../protocol/people'
import { erase, read, write } from '../state/keep'

const KEY = 'pushed'
/** The cache of the worker's note, and its name there. */
const NOTE = 'pushed'

/** Notes by which channel this browser is pushed to, and where. */
export async function pushedBy(channel: string, endpoint: string): Promise<void> {
  write(KEY, channel)
  const note = JSON.stringify({ channel, endpoint, at: Date.now() })
  // Without one the worker says nothing anew by itself, and pushes come all the same.
  await caches
    .open(NOTE)
    .then((kept) => kept.put(`/${NOTE}`, new Response(note)))
    .catch(() => undefined)
}

/** Ends pushes to this browser, as the person who is signed in: whoever sits here next is told nothing that is his. */
export async function quiet(): Promise<void> {
  const channel = read<string>(KEY, '')
  if (!channel) return
  // It may be gone, or another person's who was here before.
  await change('DELETE', `/api/me/channels/${channel}`).catch(() => undefined)
  await endPushes(channel)
  erase(KEY)
}

/** Ends this browser's subscription, if a channel is this browser's, as it is without one given; where that fails nothing is pushed either. */
export async function endPushes(channel = read<string>(KEY, '')): Promise<void> {
  if (!channel || !isHere(channel)) return
  await caches.delete(NOTE).catch(() => undefined)
  const worker = await navigator.serviceWorker.getRegistration()
  await worker?.pushManager
    .getSubscription()
    .then((one) => one?.unsubscribe())
    .catch(() => undefined)
}

/** Whether this browser is, or was last, pushed to by a channel. */
export const isHere = (channel: string): boolean => read<string>(KEY, '') === channel

/** What the server needs of a browser (W3C Push API), its keys in base64url. */
export interface NewPush {
  kind: 'push'
  endpoint: string
  p256dh: string
  auth: string
}

/** Why this browser cannot be pushed to, as a sentence; or ''. */
export function pushHindrance(secure = isSecureContext): string {
  if (!secure) return 'A browser can be told where the page comes over https, or from this machine as localhost.'
  if (!('serviceWorker' in navigator) || !('PushManager' in globalThis)) {
    return 'This browser takes no pushes. On an iPhone, put the page on the home screen first.'
  }
  return ''
}

/** Asks whoever sits here, and subscribes by the server's key. Raises Error with a sentence. */
export async function subscription(key: string): Promise<NewPush> {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new Error('This browser may not show notices of this page: allow them in its settings')
  }
  const { pushManager } = await navigator.serviceWorker.ready
  const applicationServerKey = bytes(key)
  const had = await pushManager.getSubscription()
  if (had && written(had.options.applicationServerKey) !== key) await had.unsubscribe()
  const one = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }).catch(() => {
    throw new Error('The push service of this browser cannot be reached')
  })
  return { kind: 'push', endpoint: one.endpoint, p256dh: written(one.getKey('p256dh')), auth: written(one.getKey('auth')) }
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
}

function written(key: ArrayBuffer | null): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer())))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
