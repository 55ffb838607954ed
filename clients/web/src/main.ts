import { mount } from 'svelte'
import App from './App.svelte'
import './app.css'
import { router } from './state/router.svelte'
import { taste } from './state/tastes.svelte'

// The server was renewed while this page was open, and the part it asks for is there under another name now.
addEventListener('vite:preloadError', () => location.reload())

taste.start()
router.start()
mount(App, { target: document.getElementById('page')! })
