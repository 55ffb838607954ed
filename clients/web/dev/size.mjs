// Prints the compressed size of script and style: of the first load, and of everything but the boards of other
// titles, which is what a link straight to a match may come to. Fails when that is above the limit.
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

// A match loads the board of its own title alone: count the largest.
const titles = readdirSync(join(dirname(dist), 'src', 'titles'), { withFileTypes: true }).filter((one) => one.isDirectory())
const boards = titles.map(({ name }) => sum(all.filter((file) => file.startsWith(`assets/${name}-`))))
const shared = sum(all) - boards.reduce((total, one) => total + one, 0)
const most = shared + Math.max(...boards)
console.log(`script and style, compressed: ${sum(first)} bytes in the lobby, at most ${most} with a match (limit ${LIMIT})`)
if (!first.length || most > LIMIT) process.exit(1)
