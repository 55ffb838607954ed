import { mount } from 'svelte'
import App from './App.svelte'
import './app.css'
import { away } from './state/away.svelte'
import { router } from './state/router.svelte'
import { taste } from './state/tastes.svelte'

addEventListener('vite:preloadError', () => void away.reload())

taste.start()
router.start()
mount(App, { target: document.getElementById('page')! })
