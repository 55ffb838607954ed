import { mount } from 'svelte'
import App from './App.svelte'
import './app.css'
import { away } from './state/away.svelte'
import { keptMatches, sitsAt } from './state/keep'
import { me } from './state/me.svelte'
import { router } from './state/router.svelte'
import { taste } from './state/tastes.svelte'

addEventListener('vite:preloadError', () => void away.reload())

// Without https, but for this machine itself, a browser has none.
if ('serviceWorker' in navigator) void navigator.serviceWorker.register('/sw.js').catch(() => undefined)

taste.start()
router.start()
me.start()
// Not part of the first sight, and for whom a match may wait; a match that he sits at calls as well.
setTimeout(() => {
  if (me.person || keptMatches().some(({ match }) => sitsAt(match))) {
    import('./state/calling').then(({ calling }) => calling.start()).catch(() => undefined)
  }
}, 3_000)
mount(App, { target: document.getElementById('page')! })
