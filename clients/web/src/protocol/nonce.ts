/** A seat's share in the dice: a nonce promised when sitting down, and shown once all have promised. */

import { fromHex, toHex } from './hex'
import { sha256 } from './sha256'

const BYTES = 16

export function freshNonce(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(BYTES)))
}

export async function promiseOf(nonce: string): Promise<string> {
  return toHex(await sha256(fromHex(nonce)))
}
