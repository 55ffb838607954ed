/**
 * The service worker of the page: it shows what is pushed, and says so where the server cannot be reached.
 *
 * Nothing else of the page is kept here: what is played is played at the server, and a page of yesterday is worth nothing.
 */

const KEPT = 'offline-1'
const OFFLINE = '/offline.html'
const FILES = [OFFLINE, '/offline.css', '/mark.svg']

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
    event.respondWith(fetch(request).catch(() => caches.match(OFFLINE)))
  } else if (FILES.includes(new URL(request.url).pathname)) {
    event.respondWith(fetch(request).catch(() => caches.match(request)))
  }
})

addEventListener('push', (event) => {
  const { title, body, link, tag } = event.data.json()
  const shown = { body, tag, icon: '/icon-192.png', data: { path: here(link) } }
  event.waitUntil(registration.showNotification(title, shown))
})

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
