/** Records: a match as one file (`projections/record.py` writes them). A line stands in one form only, so that
 * no byte of it can be changed unnoticed. */

import type { FactLine, RecordHeader, SealedLine } from '../protocol/wire'

export type Line = FactLine | SealedLine

export interface MatchRecord {
  header: RecordHeader
  lines: Line[]
}

/** A file is not a record, or is damaged. `seq` is the fact that stands there. */
export class BadRecord extends Error {
  constructor(
    readonly line: number,
    why: string,
  ) {
    super(`Line ${line}: ${why}.`)
  }

  get seq(): number | null {
    return this.line > 1 ? this.line - 1 : null
  }
}

const FULL = ['seq', 'at', 'command', 'index', 'type', 'ver', 'audience', 'final', 'hash', 'body']
const HASH = /^[0-9a-f]{64}$/
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function isSealed(line: Line): line is SealedLine {
  return 'sealed' in line
}

function object(text: string, number: number): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new BadRecord(number, 'is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BadRecord(number, 'is no JSON object')
  if (JSON.stringify(value) !== text) throw new BadRecord(number, 'is not written as records are')
  return value as Record<string, unknown>
}

function header(text: string): RecordHeader {
  const value = object(text, 1)
  const names = Object.keys(value).filter((name) => name !== 'checkpoint' && name !== 'box')
  const right =
    names.join() === 'fleetfold,match,title,scenario,head,hash' &&
    value.fleetfold === 1 &&
    ID.test(String(value.match)) &&
    HASH.test(String(value.hash)) &&
    Number.isSafeInteger(value.head)
  if (!right) throw new BadRecord(1, 'is not the header of a record')
  return value as unknown as RecordHeader
}

function fact(text: string, number: number): Line {
  const value = object(text, number)
  const names = Object.keys(value)
  if (names.join() === 'seq,sealed' && HASH.test(String(value.sealed))) return value as unknown as SealedLine
  const full =
    names.filter((name) => name !== 'salt').join() === FULL.join() &&
    [value.seq, value.at, value.index, value.ver, value.audience].every((one) => Number.isSafeInteger(one)) &&
    typeof value.final === 'boolean' &&
    ID.test(String(value.command)) &&
    HASH.test(String(value.hash)) &&
    typeof value.body === 'string' &&
    typeof value.type === 'string'
  if (!full) throw new BadRecord(number, 'is not a fact as records hold them')
  return value as unknown as FactLine
}

export function readRecord(text: string): MatchRecord {
  if (!text.startsWith('{"fleetfold":')) throw new Error('This file is no record of a match.')
  if (!text.endsWith('\n')) throw new BadRecord(text.split('\n').length, 'is not ended')
  const [first, ...rest] = text.slice(0, -1).split('\n')
  const read = header(first ?? '')
  const lines = rest.map((one, place) => fact(one, place + 2))
  return { header: read, lines }
}
