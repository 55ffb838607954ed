/** The browser's source of chance, with numbers that are the same in each run: a seat's share in the dice is drawn there,
 * and the server's key is known (`tests/known_dice.py`). So a test meets the same dice each time. In the soak dice fall as
 * they will. */

import type { BrowserContext } from '@playwright/test'

const LOADS = 'fleetfold.tests.loads'

/** Each load of a page draws other numbers, so that no id is drawn twice. */
export async function knowChance(context: BrowserContext, seed: string): Promise<void> {
  await context.addInitScript(
    ([first, key]) => {
      if (location.protocol !== 'http:') return
      const loads = Number(localStorage.getItem(key) ?? 0) + 1
      localStorage.setItem(key, String(loads))
      let drawn = 0
      /** A byte of FNV-1a over the text, its bits mixed as in the last step of MurmurHash3. */
      const byte = (text: string): number => {
        let hash = 0x811c9dc5
        for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
        hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
        hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
        return (hash ^ (hash >>> 16)) & 255
      }
      crypto.getRandomValues = <T extends ArrayBufferView | null>(into: T): T => {
        if (into) {
          const bytes = new Uint8Array(into.buffer, into.byteOffset, into.byteLength)
          for (let at = 0; at < bytes.length; at++) bytes[at] = byte(`${first} ${loads} ${drawn++}`)
        }
        return into
      }
    },
    [seed, LOADS] as const,
  )
}
