/** The chain of a match, computed again: `domain/match/chain.py` says how in its head. */

import { bigEndian, type Bytes, concat, fromHex, toHex, utf8 } from '../protocol/hex'
import { sha256 } from '../protocol/sha256'
import type { FactLine } from '../protocol/wire'
import { isSealed, type MatchRecord } from './record'

const OPEN = 7
const ZERO = '0'.repeat(64)

export interface Fault {
  seq: number
  why: string
}

function digest(label: string, ...fields: Bytes[]): Promise<Bytes> {
  const framed = fields.flatMap((field) => [bigEndian(field.length, 4), field])
  return sha256(concat(utf8(label), ...framed))
}

function uuidBytes(id: string): Bytes {
  return fromHex(id.replaceAll('-', ''))
}

async function hmac(key: Bytes, message: Bytes): Promise<Bytes> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, message))
}

async function saltOf(fact: FactLine, saltKey: Bytes | null): Promise<Bytes | null> {
  if (fact.audience === OPEN) return new Uint8Array()
  if (saltKey) return (await hmac(saltKey, bigEndian(fact.seq, 8))).slice(0, 16)
  return fact.salt ? fromHex(fact.salt) : null
}

/** c_n of a fact given in full; null if it is hidden and its salt is not known. */
export async function commitment(fact: FactLine, saltKey: Bytes | null): Promise<Bytes | null> {
  const salt = await saltOf(fact, saltKey)
  if (!salt) return null
  return digest(
    'c1',
    salt,
    utf8(fact.type),
    bigEndian(fact.ver, 2),
    bigEndian(fact.audience, 1),
    uuidBytes(fact.command),
    bigEndian(fact.at, 8),
    utf8(fact.body),
  )
}

export function link(match: string, seq: number, before: string, committed: Bytes): Promise<Bytes> {
  return digest('h1', uuidBytes(match), bigEndian(seq, 8), fromHex(before), committed)
}

/** What keeps a fact from standing where it stands; '' if nothing does. `last` is the last one in full. */
function displaced(fact: FactLine, last: FactLine | null, commands: ReadonlySet<string>): string {
  const start = fact.seq - fact.index
  if (!last) return start > 0 ? '' : 'is not the first of its command'
  if (last.final) return `follows ${last.seq}, which is final`
  if (fact.at < last.at) return `is earlier than ${last.seq}`
  if (fact.command === last.command) {
    return start === last.seq - last.index && fact.at === last.at ? '' : `does not go with ${last.seq}, of the same command`
  }
  if (commands.has(fact.command)) return 'is of a command that had ended'
  return start > last.seq ? '' : 'is not the first of its command'
}

interface Walked {
  hashes: string[]
  fault: Fault | null
  unopened: number
}

/** The hash after every fact; `fault` is the first place where the chain does not hold. */
export async function walk(record: MatchRecord, saltKey: Bytes | null, progress: (seq: number) => void = () => undefined): Promise<Walked> {
  const hashes = [ZERO]
  const commands = new Set<string>()
  let last: FactLine | null = null
  let unopened = 0
  for (const [place, line] of record.lines.entries()) {
    const seq = place + 1
    const stop = (why: string): Walked => ({ hashes, fault: { seq, why }, unopened })
    if (line.seq !== seq) return stop(`is missing: ${line.seq} stands in its place`)
    const before = hashes[place]!
    if (isSealed(line)) {
      hashes.push(toHex(await link(record.header.match, seq, before, fromHex(line.sealed))))
      unopened++
      continue
    }
    const why = displaced(line, last, commands)
    if (why) return stop(why)
    const committed = await commitment(line, saltKey)
    if (committed) {
      const hash = toHex(await link(record.header.match, seq, before, committed))
      if (hash !== line.hash) return stop('does not link to what stands before it')
    } else {
      unopened++
    }
    hashes.push(line.hash)
    commands.add(line.command)
    last = line
    if (seq % 64 === 0) progress(seq)
  }
  return { hashes, fault: null, unopened }
}
