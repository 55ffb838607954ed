import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

// Debian's Chromium, if there without all that is drawn around a page: with every window that took a fifth more work.
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

// The flags keep it from looking up hosts that no test is about.
export const chromium = {
  executablePath: process.env.CHROMIUM || BROWSERS.find((path) => existsSync(path)),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}

export default defineConfig({
  testDir: 'tests',
  testMatch: '*.spec.ts',
  // Each has a server, a Postgres and a browser of its own. Files go to them whole.
  workers: 2,
  timeout: 240_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  outputDir: 'test-results',
  projects: [
    { name: 'page', testIgnore: 'speed.spec.ts', grepInvert: /@soak/ },
    { name: 'soak', testIgnore: 'speed.spec.ts', grep: /@soak/ },
    // What measures runs when nothing else does.
    { name: 'speed', testMatch: 'speed.spec.ts', workers: 1 },
  ],
  use: {
    browserName: 'chromium',
    headless: true,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    colorScheme: 'dark',
    // One is installed in the tests that are about it: what it answers, no other test could answer in its place.
    serviceWorkers: 'block',
    permissions: ['clipboard-read', 'clipboard-write'],
    actionTimeout: 15_000,
    launchOptions: chromium,
  },
})
