/** Bytes and their hexadecimal writing. */

export type Bytes = Uint8Array<ArrayBuffer>

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function fromHex(text: string): Bytes {
  if (text.length % 2 || /[^0-9a-f]/i.test(text)) throw new Error('not hexadecimal')
  return Uint8Array.from({ length: text.length / 2 }, (_, place) => parseInt(text.slice(2 * place, 2 * place + 2), 16))
}

export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text)
}

export function concat(...parts: Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let place = 0
  for (const part of parts) {
    whole.set(part, place)
    place += part.length
  }
  return whole
}

/** An unsigned whole number as big-endian bytes. */
export function bigEndian(value: number | bigint, width: number): Bytes {
  const bytes = new Uint8Array(width)
  let rest = BigInt(value)
  for (let place = width - 1; place >= 0; place--) {
    bytes[place] = Number(rest & 255n)
    rest >>= 8n
  }
  return bytes
}
