// Prints the compressed size of script and style: of the first load, and of everything there is, which is what
// a link straight to a match may come to. Fails when all of it is above the limit.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const LIMIT = 150_000
const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist')
const html = readFileSync(join(dist, 'index.html'), 'utf8')
const first = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map((found) => found[1])
const size = (name) => gzipSync(readFileSync(join(dist, name))).length
const sum = (names) => names.reduce((total, name) => total + size(name), 0)
const all = readdirSync(join(dist, 'assets'))
  .filter((name) => /\.(js|css)$/.test(name))
  .map((name) => `assets/${name}`)

console.log(`script and style, compressed: ${sum(first)} bytes in the lobby, ${sum(all)} in all (limit ${LIMIT})`)
if (!first.length || sum(all) > LIMIT) process.exit(1)
