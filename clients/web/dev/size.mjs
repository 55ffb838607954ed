// Prints the compressed size of script and style: of the lobby at first sight, and of a link straight to a match of each title with
// all that its page loads by itself. What is loaded only when it is asked for (replay, verify, a rule, a dispute) does
// not count there. Fails when one is above its limit. The manifest that tells is not part of the page.
import { readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const LIMIT = 150_000
const LOBBY_LIMIT = 40_000
const LOBBY = 'src/pages/Lobby.svelte'
const MATCH = 'src/pages/Match.svelte'
const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist')
const manifest = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8'))
rmSync(join(dist, 'manifest.json'))

/** The files of a module and of all that it imports at once. */
function files(key, found = new Set()) {
  const { file, css = [], imports = [] } = manifest[key]
  if (found.has(file)) return found
  for (const name of [file, ...css]) found.add(name)
  for (const other of imports) files(other, found)
  return found
}

const size = (name) => gzipSync(readFileSync(join(dist, name))).length
const sum = (...keys) => [...new Set(keys.flatMap((key) => [...files(key)]))].reduce((total, name) => total + size(name), 0)
const titles = Object.keys(manifest).filter((key) => /^src\/titles\/[^/]+\/index\.ts$/.test(key))
const matches = titles.map((key) => [key.split('/')[2], sum('index.html', MATCH, key)])
const most = Math.max(...matches.map(([, bytes]) => bytes))
const list = matches.map(([name, bytes]) => `${name} ${bytes}`).join(', ')
const lobby = sum('index.html', LOBBY)
console.log(`script and style, compressed: ${lobby} bytes in the lobby (limit ${LOBBY_LIMIT}); with a match: ${list} (limit ${LIMIT})`)
if (!titles.length || most > LIMIT || lobby > LOBBY_LIMIT) process.exit(1)
