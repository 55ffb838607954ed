/** Checkpoints: a signed note about a tree over all finished matches (`server/proof/checkpoints.py` says how). */

import { bigEndian, type Bytes, concat, fromHex, toHex, utf8 } from '../protocol/hex'
import { sha256 } from '../protocol/sha256'

export interface Said {
  origin: string
  size: number
  root: Bytes
}

const NOTE = /^([^\n]+)\n(0|[1-9][0-9]*)\n([A-Za-z0-9+/]{43}=)\n((?:[^\n]+\n)*)\n((?:— [^ \n]+ [^ \n]+\n)+)$/

function fromBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
}

export function readNote(note: string): Said | null {
  const found = NOTE.exec(note)
  return found && { origin: found[1]!, size: Number(found[2]), root: fromBase64(found[3]!) }
}

/** What came of a note with a key: `foreign`, another signed it, which says nothing about it; `wrong`, it says that
 * this key signed it, and it did not; `unable`, this browser knows no Ed25519. */
export type Signed = 'ours' | 'foreign' | 'wrong' | 'unable'

/** Whose note it is, and whether that key signed it (`server/proof/notes.py` says how). */
export async function signed(note: string, key: string): Promise<Signed> {
  const [name, stated, coded] = [key.split('+')[0]!, key.split('+')[1]!, key.split('+').slice(2).join('+')]
  const said = readNote(note)
  const typed = fromBase64(coded)
  const keyHash = (await sha256(concat(utf8(`${name}\n`), typed))).slice(0, 4)
  if (!said || typed[0] !== 1 || toHex(keyHash) !== stated) return 'wrong'
  const cut = note.lastIndexOf('\n\n')
  const lines = note
    .slice(cut + 2)
    .split('\n')
    .slice(0, -1)
  const ours = lines.map((line) => ofKey(line, name, stated)).filter((signature) => signature !== null)
  const ownName = `fleetfold-${toHex(await sha256(typed.slice(1))).slice(0, 8)}`
  if (!ours.length && !(said.origin === name && name === ownName)) return 'foreign'
  if (said.origin !== name) return 'wrong'
  let imported: CryptoKey
  try {
    imported = await crypto.subtle.importKey('raw', typed.slice(1), 'Ed25519', false, ['verify'])
  } catch {
    return 'unable'
  }
  const text = utf8(note.slice(0, cut + 1))
  for (const signature of ours) {
    if (await crypto.subtle.verify('Ed25519', imported, signature, text)) return 'ours'
  }
  return 'wrong'
}

/** The signature in a line that names this key; null where it names another. */
function ofKey(line: string, name: string, stated: string): Bytes | null {
  const [, by, coded] = line.split(' ')
  if (by !== name || !coded) return null
  try {
    const stamped = fromBase64(coded)
    return toHex(stamped.slice(0, 4)) === stated ? stamped.slice(4) : null
  } catch {
    return null
  }
}

export function leafHash(match: string, seq: number, head: string): Promise<Bytes> {
  return sha256(concat(Uint8Array.of(0), fromHex(match.replaceAll('-', '')), bigEndian(seq, 8), fromHex(head)))
}

/** Whether a path puts a leaf at `index` into the tree that was signed (RFC 9162, 2.1.3.2). */
export async function includes(said: Said, index: number, leaf: Bytes, path: string[]): Promise<boolean> {
  if (index < 0 || index >= said.size) return false
  const node = (left: Bytes, right: Bytes): Promise<Bytes> => sha256(concat(Uint8Array.of(1), left, right))
  let [place, last, found] = [index, said.size - 1, leaf]
  for (const text of path) {
    const step = fromHex(text)
    if (last === 0) return false
    if (place % 2 || place === last) {
      found = await node(step, found)
      while (place % 2 === 0 && place) {
        place = Math.floor(place / 2)
        last = Math.floor(last / 2)
      }
    } else {
      found = await node(found, step)
    }
    place = Math.floor(place / 2)
    last = Math.floor(last / 2)
  }
  return last === 0 && toHex(found) === toHex(said.root)
}
