// Writes each file of the page that becomes smaller by it a second and third time, compressed: the server sends those
// to browsers that read them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist')
const TEXT = /\.(css|js|svg)$/

const ways = {
  '.br': (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
  '.gz': (bytes) => gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }),
}

for (const name of readdirSync(dist, { recursive: true })) {
  if (!TEXT.test(name)) continue
  const bytes = readFileSync(join(dist, name))
  for (const [ending, way] of Object.entries(ways)) {
    const made = way(bytes)
    if (made.length < bytes.length) writeFileSync(join(dist, name + ending), made)
  }
}
