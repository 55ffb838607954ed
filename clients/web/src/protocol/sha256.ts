/** SHA-256, by the browser where it may. Over plain HTTP from another machine a browser hides its cryptography
 * from pages; a seat must still be able to promise its nonce, so there the few lines below do it. */

import type { Bytes } from './hex'

export async function sha256(bytes: Bytes): Promise<Bytes> {
  const subtle = globalThis.crypto.subtle as SubtleCrypto | undefined
  if (subtle !== undefined) return new Uint8Array(await subtle.digest('SHA-256', bytes))
  return sha256ByHand(bytes)
}

/** The first 32 bits of the fractional parts of the square roots (or cube roots) of the first primes. */
function roots(count: number, power: number): Uint32Array {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) {
    let prime = true
    for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false
    if (prime) found.push((n ** power % 1) * 2 ** 32)
  }
  return Uint32Array.from(found)
}

export function sha256ByHand(bytes: Bytes): Bytes {
  const k = roots(64, 1 / 3)
  const h = roots(8, 1 / 2)
  const padded = new Uint8Array((((bytes.length + 8) >> 6) << 6) + 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const words = new DataView(padded.buffer)
  words.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n)
  const w = new Uint32Array(64)
  const turn = (x: number, n: number): number => (x >>> n) | (x << (32 - n))
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) w[i] = words.getUint32(block + 4 * i)
      else {
        const [x, y] = [w[i - 15]!, w[i - 2]!]
        const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)
        const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10)
        w[i] = w[i - 16]! + s0 + w[i - 7]! + s1
      }
    }
    let [a, b, c, d, e, f, g, z] = h as unknown as [number, number, number, number, number, number, number, number]
    for (let i = 0; i < 64; i++) {
      const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
      const t1 = (z + s1 + ((e & f) ^ (~e & g)) + k[i]! + w[i]!) | 0
      const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
      ;[z, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0]
    }
    ;[a, b, c, d, e, f, g, z].forEach((value, i) => (h[i] = h[i]! + value))
  }
  const result = new Uint8Array(32)
  h.forEach((value, i) => new DataView(result.buffer).setUint32(4 * i, value))
  return result
}
