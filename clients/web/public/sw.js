/**
 * The service worker of the page: it shows what is pushed, tells the server where that is pushed to when it changes, and says so
 * where the server cannot be reached.
 *
 * Nothing else of the page is kept here: what is played is played at the server, and a page of yesterday is worth nothing.
 */

const KEPT = 'offline-1'
const OFFLINE = '/offline.html'
const FILES = [OFFLINE, '/offline.css', '/mark.svg']
/** An open page that shows a notice itself does so this long before its push comes, at most. */
const LATELY_MS = 120_000
/** The cache, and its one entry, in which it is noted by which of a person's channels this browser is pushed to (`people/push.ts`). */
const PUSHED = 'pushed'
/** After so long the server is told again though nothing has changed: the browser may have another session by now, or the server may
 * believe that it is gone. */
const AGAIN_MS = 86_400_000

addEventListener('install', (event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(FILES)))
  void skipWaiting()
})

addEventListener('activate', (event) => {
  const others = async () => {
    const names = await caches.keys()
    await Promise.all(names.filter((name) => name !== KEPT && name !== PUSHED).map((name) => caches.delete(name)))
  }
  event.waitUntil(others())
})

/** Answers for the page itself where its server does not, and for the files of that answer. */
addEventListener('fetch', (event) => {
  const { request } = event
  if (request.mode === 'navigate') {
    event.waitUntil(seen(new URL(request.url).pathname))
    event.respondWith(fetch(request).catch(() => caches.match(OFFLINE)))
  } else if (FILES.includes(new URL(request.url).pathname)) {
    event.respondWith(fetch(request).catch(() => caches.match(request)))
  }
})

addEventListener('push', (event) => {
  event.waitUntil(show(event.data.json()))
})

/** Shows a notice. One of an earlier turn gives its place to it, and then it is heard as that was: without `renotify` it would
 * come in silence. */
async function show({ title, body, link, tag }) {
  const before = await registration.getNotifications({ tag })
  const renotify = before.some(({ timestamp }) => Date.now() - timestamp > LATELY_MS)
  await registration.showNotification(title, { body, tag, renotify, icon: '/icon-192.png', data: { path: here(link) } })
}

/** The browser's maker has renewed its subscription, or dropped it. */
addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew()))

/** A page has been opened in a browser that is pushed to. */
addEventListener('message', (event) => event.waitUntil(look(event.data.pushed)))

const noted = async () => (await caches.open(PUSHED)).match(`/${PUSHED}`).then((note) => note?.json())

/** Tells the server where this browser is pushed to by now, if that is not what it was told last. Of a browser of before there is no
 * note: whether its subscription was dropped, or ended by its reader, nobody knows. */
async function look(pushed) {
  const [note, has] = [await noted(), await registration.pushManager.getSubscription()]
  if (!note && !has) return
  const same = note && has?.endpoint === note.endpoint
  if (!same || Date.now() - note.at > AGAIN_MS) await renew(note?.channel ?? pushed)
}

/** Subscribes, and tells the server where. What its person has turned off or removed, here or elsewhere, is left at that. */
async function renew(pushed) {
  const { pushManager } = registration
  const channel = pushed ?? (await noted())?.channel
  if (!channel || (await pushManager.permissionState({ userVisibleOnly: true })) !== 'granted') return
  const answer = await fetch('/api/me/channels')
  if (!answer.ok) return
  const { channels, push } = await answer.json()
  const one = channels.find(({ id }) => id === channel)
  if (one && one.state !== 'off') await tell(one, await subscribed(push))
  if (one) return
  const has = await pushManager.getSubscription()
  await has?.unsubscribe()
  await caches.delete(PUSHED)
}

/** The subscription by the server's key, in the place of one by another. */
async function subscribed(applicationServerKey) {
  const wanted = { userVisibleOnly: true, applicationServerKey }
  try {
    return await registration.pushManager.subscribe(wanted)
  } catch {
    const has = await registration.pushManager.getSubscription()
    await has?.unsubscribe()
    return registration.pushManager.subscribe(wanted)
  }
}

async function tell({ id }, subscription) {
  const { endpoint, keys } = subscription.toJSON()
  const body = JSON.stringify({ kind: 'push', endpoint, p256dh: keys.p256dh, auth: keys.auth })
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(`/api/me/channels/${id}/browser`, { method: 'POST', headers, body })
  if (!answer.ok) return
  const kept = await caches.open(PUSHED)
  await kept.put(`/${PUSHED}`, new Response(JSON.stringify({ channel: id, endpoint, at: Date.now() })))
}

/** Takes away what leads to a page that is opened. */
async function seen(path) {
  const shown = await registration.getNotifications()
  for (const one of shown) if (one.data?.path === path) one.close()
}

addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data.path))
})

/** The path of a link. Its host is left out: a push leads to this page's own server and nowhere else. */
function here(link) {
  const { pathname } = new URL(link, location.origin)
  return pathname
}

/** Shows a page that is open there already, or else opens one. */
async function open(path) {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const there = pages.find((page) => new URL(page.url).pathname === path)
  return there ? there.focus() : clients.openWindow(path)
}
