/** The fair dice, cast again: `domain/kernel/dice.py` says how. */

import { bigEndian, type Bytes, concat } from '../protocol/hex'

/** The unseen rolls of a match have the indexes from here on: more than a number can count one by one. */
export const UNSEEN = 1n << 63n

export class Fair {
  private readonly key: Promise<CryptoKey>

  constructor(
    key: Bytes,
    private readonly nonces: Bytes,
  ) {
    this.key = crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  }

  async roll(index: number | bigint, count: number, sides: number): Promise<number[]> {
    const width = Math.max(1, Math.ceil((32 - Math.clz32(sides - 1)) / 8))
    const limit = Math.floor(256 ** width / sides) * sides
    const faces: number[] = []
    let stream = new Uint8Array()
    for (let block = 0; faces.length < count;) {
      if (stream.length < width) {
        stream = concat(stream, await this.bytes(index, block++))
        continue
      }
      const number = stream.slice(0, width).reduce((sum, byte) => sum * 256 + byte, 0)
      stream = stream.slice(width)
      if (number < limit) faces.push((number % sides) + 1)
    }
    return faces
  }

  private async bytes(index: number | bigint, block: number): Promise<Bytes> {
    const message = concat(this.nonces, bigEndian(index, 8), bigEndian(block, 4))
    return new Uint8Array(await crypto.subtle.sign('HMAC', await this.key, message))
  }
}

/** HKDF-SHA-256 without salt, 32 bytes: how the keys of a match follow from its match key. */
export async function derive(key: Bytes, info: string): Promise<Bytes> {
  const imported = await crypto.subtle.importKey('raw', key, 'HKDF', false, ['deriveBits'])
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: new TextEncoder().encode(info) }
  return new Uint8Array(await crypto.subtle.deriveBits(how, imported, 256))
}
