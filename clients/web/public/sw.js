/**
 * The service worker of the page: it shows what is pushed, and says so where the server cannot be reached.
 *
 * Nothing else of the page is kept here: what is played is played at the server, and a page of yesterday is worth nothing.
 */

const KEPT = 'offline-1'
const OFFLINE = '/offline.html'
const FILES = [OFFLINE, '/offline.css', '/mark.svg']
/** An open page that shows a notice itself does so this long before its push comes, at most. */
const LATELY_MS = 120_000

addEventListener('install', (event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(FILES)))
  void skipWaiting()
})

addEventListener('activate', (event) => {
  const others = async () => {
    const names = await caches.keys()
    await Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)))
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
