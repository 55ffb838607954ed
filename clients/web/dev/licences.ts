// Puts the licence of every package of which something is in the page beside it, under dist/licences: they all ask
// that their text goes where their work goes. Fails the build when one has no text.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** Of these the build takes a part that is no module: a type family out of a stylesheet, the outlines of coasts. */
const ALSO = ['@fontsource-variable/archivo', 'world-atlas']

export function licences(folder: string): Plugin {
  return {
    name: 'licences',
    apply: 'build',
    generateBundle() {
      const named = [...this.getModuleIds()].map((id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll('\\', '/'))?.[1])
      const packages = new Set([...named.filter((name) => name !== undefined), ...ALSO])
      for (const name of [...packages].sort()) {
        const source = readFileSync(textOf(join(folder, 'node_modules', name)), 'utf8')
        this.emitFile({ type: 'asset', fileName: `licences/${name.replace('@', '').replace('/', '-')}.txt`, source })
      }
    },
  }
}

function textOf(folder: string): string {
  const found = existsSync(folder) ? readdirSync(folder).find((name) => /^licen[cs]e(\.(md|txt))?$/i.test(name)) : undefined
  if (found === undefined) throw new Error(`there is no licence in ${folder}`)
  return join(folder, found)
}
