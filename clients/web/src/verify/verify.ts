/** All checks of a record that a browser can make, one after the other, each with what it found. */

import { type Bytes, concat, fromHex, toHex } from '../protocol/hex'
import { sha256 } from '../protocol/sha256'
import type { FactLine } from '../protocol/wire'
import type { KeptReceipt } from '../state/progress'
import { counted } from '../words/count'
import { walk } from './chain'
import { includes, leafHash, readNote, signed } from './checkpoint'
import { derive, Fair, UNSEEN } from './dice'
import { BadRecord, isSealed, type MatchRecord, readRecord } from './record'

export type Result = 'holds' | 'fails' | 'unchecked'

export interface Check {
  name: string
  result: Result
  text: string
  /** The first bad fact, where there is one. */
  seq?: number
}

export interface Given {
  text: string
  receipts: (match: string) => KeptReceipt[]
  /** The public key of whoever signs checkpoints; '' if it is not known. */
  key: string
}

export const STEPS = ['form', 'chain', 'header', 'receipts', 'key', 'nonces', 'dice', 'rules', 'checkpoint'] as const

export const STEP_NAMES: Record<(typeof STEPS)[number], string> = {
  form: 'The file',
  chain: 'Chain of facts',
  header: 'Header',
  receipts: 'Receipts this browser kept',
  key: 'Commitment to the dice',
  nonces: 'Nonces of the seats',
  dice: 'Every die',
  rules: 'Rules and notices',
  checkpoint: 'Published checkpoint',
}

/** The facts of the command that ends a match, with which everything hidden is shown. */
const ENDS = new Set(['Ended', 'GameEnded'])

/** The facts of play: before each of them every seat has shown its nonce, whether play is said to begin or not. */
const PLAY = new Set(['Started', 'Decided', 'Rolled', 'RolledUnseen', 'Drew'])

const RULES =
  'A browser knows no rules. Whether every decision, resignation, draw, undo and time-out could be made where it stands, fleetfold verify judges.'

const holds = (name: string, text: string): Check => ({ name, result: 'holds', text })
const unchecked = (name: string, text: string): Check => ({ name, result: 'unchecked', text })
const fails = (name: string, text: string, seq?: number): Check => ({ name, result: 'fails', text, ...(seq ? { seq } : {}) })

export async function* verify(given: Given, progress: (seq: number) => void = () => undefined): AsyncGenerator<Check> {
  let record: MatchRecord
  try {
    record = readRecord(given.text)
  } catch (bad) {
    yield fails('form', (bad as Error).message, (bad instanceof BadRecord && bad.seq) || undefined)
    return
  }
  yield holds('form', `A record of ${record.lines.length} facts, written as records are.`)
  const full = record.lines.filter((line): line is FactLine => !isSealed(line))
  const key = keyOf(full)
  const walked = await walk(record, key && (await derive(key, 'salt')), progress)
  if (walked.fault) {
    const { seq, why } = walked.fault
    yield fails('chain', `Fact ${seq} ${why}.`, seq)
    return
  }
  const shut = record.lines.find(isSealed)
  if (shut && full.some((fact) => ENDS.has(fact.type))) {
    yield fails('chain', `Fact ${shut.seq} is sealed, though the match has ended: then its record shows every fact.`, shut.seq)
    return
  }
  const hidden = walked.unopened
    ? ` ${walked.unopened === 1 ? '1 is sealed and was taken as it stands' : `${walked.unopened} are sealed and were taken as they stand`}.`
    : ''
  yield holds('chain', `Each of ${record.lines.length} facts is linked to the one before.${hidden}`)
  yield headerCheck(record, walked.hashes, full)
  yield receiptsCheck(given.receipts(record.header.match), walked.hashes)
  const commitment = await keyCheck(full, key)
  yield commitment
  const nonces = await noncesCheck(full)
  yield nonces.check
  yield commitment.result === 'holds' && nonces.check.result === 'holds'
    ? await diceCheck(full, await derive(key!, 'dice'), nonces.joined)
    : unchecked(
        'dice',
        key ? 'Without the true key and nonces the dice cannot be cast again.' : 'The match has not ended: its key is not revealed yet.',
      )
  yield unchecked('rules', RULES)
  yield await checkpointCheck(record, given.key)
}

function body<Shape>(fact: FactLine): Shape {
  return JSON.parse(fact.body) as Shape
}

function keyOf(full: readonly FactLine[]): Bytes | null {
  const last = full.at(-1)
  if (last?.type !== 'Ended') return null
  try {
    return fromHex(body<{ key: string }>(last).key)
  } catch {
    return null
  }
}

function headerCheck(record: MatchRecord, hashes: readonly string[], full: readonly FactLine[]): Check {
  const { header, lines } = record
  if (header.head !== lines.length || header.hash !== hashes.at(-1)) {
    return fails('header', 'The header names another end than the last fact.', header.head)
  }
  const [first] = full
  if (first?.type === 'Created') {
    const { title, scenario } = body<{ title: string; scenario: string }>(first)
    if (title !== header.title || scenario !== header.scenario) return fails('header', 'The header names another game than fact 1.', 1)
  }
  const misfiled = full.find((fact) => body<{ type: string }>(fact).type !== fact.type)
  if (misfiled) return fails('header', `Fact ${misfiled.seq} is filed under another name than its own.`, misfiled.seq)
  const early = full.find((fact) => fact.final !== (fact.type === 'Ended'))
  if (early) return fails('header', `Fact ${early.seq} is marked wrongly as the last, or not as the last.`, early.seq)
  return holds('header', `${header.title}, ${header.scenario}: ${header.head} facts.`)
}

function receiptsCheck(kept: readonly KeptReceipt[], hashes: readonly string[]): Check {
  if (!kept.length) return unchecked('receipts', 'This browser kept no receipt of this match.')
  const broken = kept.find((receipt) => hashes[receipt.seq] !== receipt.h)
  if (broken) {
    const why = broken.seq >= hashes.length ? 'is missing' : 'has another hash'
    return fails('receipts', `Fact ${broken.seq} ${why} than the server acknowledged to this browser.`, broken.seq)
  }
  return holds('receipts', `${counted(kept.length, 'receipt agrees', 'receipts agree')}: what was acknowledged here is what stands there.`)
}

async function keyCheck(full: readonly FactLine[], key: Bytes | null): Promise<Check> {
  const [first, last] = [full[0], full.at(-1)]
  if (!key) {
    if (last?.type === 'Ended') return fails('key', `Fact ${last.seq} reveals no key.`, last.seq)
    return unchecked('key', 'The match has not ended: its key is not revealed yet.')
  }
  const promised = first?.type === 'Created' ? body<{ commitment: string }>(first).commitment : ''
  const found = toHex(await sha256(await derive(key, 'dice')))
  if (found !== promised) return fails('key', 'The key is not the one that fact 1 commits to.', last?.seq)
  return holds('key', 'The server fixed its key in fact 1, before anybody sat down, and revealed that very key at the end.')
}

interface Joined {
  check: Check
  joined: Bytes
}

async function noncesCheck(full: readonly FactLine[]): Promise<Joined> {
  const promised = new Map<number, string>()
  /** All that was ever promised: what counts no more may be known. */
  const hashes = new Set<string>()
  let seats: number[] = []
  const shown = new Map<number, string>()
  const bad = (text: string, seq: number): Joined => ({ check: fails('nonces', text, seq), joined: new Uint8Array() })
  for (const fact of full) {
    if (fact.type === 'Created' && fact.seq === 1) {
      seats = [...body<{ seats: unknown[] }>(fact).seats.keys()]
    } else if (fact.type === 'NonceCommitted' || fact.type === 'NonceCommittedAnew') {
      const { seat, hash } = body<{ seat: number; hash: string }>(fact)
      if (!seats.includes(seat)) return bad(`Seat ${seat} commits to a nonce, and is not there.`, fact.seq)
      const anew = fact.type === 'NonceCommittedAnew'
      if (anew ? shown.has(seat) : shown.size || promised.has(seat)) {
        return bad(`Seat ${seat} commits to a nonce when it may know another’s.`, fact.seq)
      }
      if (hashes.has(hash)) return bad(`Seat ${seat} commits to a nonce that was committed to before.`, fact.seq)
      // Whoever commits anew may have seen what was shown.
      for (const other of shown.keys()) promised.delete(other)
      shown.clear()
      hashes.add(hash)
      promised.set(seat, hash)
    } else if (fact.type === 'NonceShown') {
      const { seat, nonce } = body<{ seat: number; nonce: string }>(fact)
      const right = /^([0-9a-f]{2})+$/.test(nonce) && toHex(await sha256(fromHex(nonce))) === promised.get(seat)
      if (!right || shown.has(seat)) return bad(`Seat ${seat} shows another nonce than it committed to.`, fact.seq)
      shown.set(seat, nonce)
    } else if (PLAY.has(fact.type) && (!shown.size || shown.size < seats.length)) {
      return bad('Play begins before every seat has shown its nonce.', fact.seq)
    }
  }
  const order = [...shown.keys()].sort((one, two) => one - two)
  const joined = concat(...order.map((seat) => fromHex(shown.get(seat)!)))
  return { check: holds('nonces', `Nonces shown as committed to before any was: ${shown.size}.`), joined }
}

interface Rolled {
  index: number
  sides: number
  dice: number[]
}

interface Drew {
  index: number
  left: number
  places: number[]
}

async function diceCheck(full: readonly FactLine[], key: Bytes, nonces: Bytes): Promise<Check> {
  const fair = new Fair(key, nonces)
  const next = { open: 0, unseen: 0 }
  let [dice, rolls] = [0, 0]
  for (const fact of full) {
    const unseen = fact.type === 'RolledUnseen'
    if (fact.type !== 'Rolled' && fact.type !== 'Drew' && !unseen) continue
    const count = unseen ? 'unseen' : 'open'
    const { index } = body<{ index: number }>(fact)
    if (index !== next[count]) return fails('dice', `Fact ${fact.seq} has roll ${index} in the place of ${next[count]}.`, fact.seq)
    const [fell, cast] = fact.type === 'Drew' ? await drew(fair, body<Drew>(fact)) : await rolled(fair, body<Rolled>(fact), unseen)
    if (fell.join() !== cast.join()) {
      return fails('dice', `Fact ${fact.seq} says ${fell.join(' ')}; key and nonces give ${cast.join(' ')}.`, fact.seq)
    }
    next[count] = index + (fact.type === 'Drew' ? fell.length : 1)
    dice += fell.length
    rolls++
  }
  return holds(
    'dice',
    `${counted(dice, 'die', 'dice')} in ${counted(rolls, 'roll')} ${dice === 1 ? 'is' : 'are'} as the key and the nonces give ${dice === 1 ? 'it' : 'them'}.`,
  )
}

async function rolled(fair: Fair, roll: Rolled, unseen: boolean): Promise<[number[], number[]]> {
  const index = unseen ? UNSEEN + BigInt(roll.index) : roll.index
  return [roll.dice, roll.sides > 0 ? await fair.roll(index, roll.dice.length, roll.sides) : []]
}

async function drew(fair: Fair, draw: Drew): Promise<[number[], number[]]> {
  const cast: number[] = []
  for (let n = 0; n < draw.places.length && n < draw.left; n++) {
    cast.push((await fair.roll(draw.index + n, 1, draw.left - n))[0]! - 1)
  }
  return [draw.places, cast]
}

async function checkpointCheck(record: MatchRecord, key: string): Promise<Check> {
  const { checkpoint: proof, match, head, hash } = record.header
  if (!proof) return unchecked('checkpoint', 'The match is in no published checkpoint yet; they appear within a minute or so of its end.')
  const said = readNote(proof.note)
  if (!said) return fails('checkpoint', 'The checkpoint is not written as notes are.')
  if (!(await includes(said, proof.index, await leafHash(match, head, hash), proof.path))) {
    return fails('checkpoint', 'The match is not in the tree that the checkpoint speaks of.', head)
  }
  if (!key) {
    return unchecked(
      'checkpoint',
      `The match is leaf ${proof.index} of ${said.size}; the key to check the signature with is not known here.`,
    )
  }
  const by = await signed(proof.note, key)
  if (by === 'unable') return unchecked('checkpoint', 'This browser does not know Ed25519; the command line can check the signature.')
  if (by === 'wrong') return fails('checkpoint', 'The checkpoint says that the known key signed it, and it did not.')
  if (by === 'foreign') {
    return unchecked(
      'checkpoint',
      `The match is leaf ${proof.index} of ${said.size} in a note of ${said.origin}, which is not this server; its key is not known here.`,
    )
  }
  return holds('checkpoint', `The match is leaf ${proof.index} of ${said.size} in a note signed by ${said.origin}.`)
}
