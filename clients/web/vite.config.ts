import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'
import { licences } from './dev/licences.ts'

const server = process.env.FLEETFOLD_URL ?? 'http://127.0.0.1:8000'

export default defineConfig({
  plugins: [svelte(), licences(import.meta.dirname)],
  build: {
    target: 'es2022',
    // A strict Content-Security-Policy: nothing inline, not even a small picture or script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // For dev/size.mjs, which takes it away again.
    manifest: 'manifest.json',
    rollupOptions: {
      output: {
        // Names are sent with every page, and what is random in them is packed worst.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[hash:6][extname]',
        // What every page asks for comes in one piece: small ones are compressed badly.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'wire', test: /src.(protocol.(http|socket|time)|state.keep)\./ },
            // What whoever is signed in asks for.
            { name: 'people', test: /src.(protocol.people|people.errand)\./ },
            // What every rule asks for.
            { name: 'book', test: /src.rules.(book|markdown)\./ },
            { name: 'words', test: /src.parts.(Words|Term)\./ },
            // What every match asks for.
            {
              name: 'told',
              test: /src.(protocol.(body|facts|film|records|view)|words.(article|deeds|facts|log|sentence|undoable)|scenes.hearing)\./,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': server, '/socket': { target: server, ws: true } } },
  // Vitest takes the browser's half of Svelte, not the server's.
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  // One window for all: a new one for each file took half the time.
  // How long one takes says how busy the machine is; a minute is for what hangs.
  test: { environment: 'happy-dom', isolate: false, include: ['src/**/*.test.ts'], testTimeout: 60_000 },
})
