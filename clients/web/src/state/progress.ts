/** What this browser keeps of a match while it is played: nonces, receipts, what was decided, how far it was seen and heard,
 * notes, what it is to pass. */

import type { KeptDeed } from '../words/deeds'
import { erase, read, write } from './keep'

export interface KeptReceipt {
  seq: number
  h: string
}

export function nonceOf(match: string, seat: number): string {
  return read<string>(`nonce.${match}.${seat}`, '')
}

export function keepNonce(match: string, seat: number, nonce: string): void {
  write(`nonce.${match}.${seat}`, nonce)
}

export function receipts(match: string): KeptReceipt[] {
  return read<KeptReceipt[]>(`receipts.${match}`, [])
}

export function keepReceipt(match: string, receipt: KeptReceipt): void {
  const all = receipts(match)
  if (!all.some((one) => one.seq === receipt.seq && one.h === receipt.h)) write(`receipts.${match}`, [...all, receipt])
}

export function deeds(match: string): KeptDeed[] {
  return read<KeptDeed[]>(`deeds.${match}`, [])
}

export function keepDeed(match: string, deed: KeptDeed): void {
  write(`deeds.${match}`, [...deeds(match), deed])
}

export function seen(match: string): number {
  return read<number>(`seen.${match}`, 0)
}

export function keepSeen(match: string, seq: number): void {
  if (seq > seen(match)) write(`seen.${match}`, seq)
}

/** The last line of talk that was read here. */
export function heard(match: string): number {
  return read<number>(`heard.${match}`, 0)
}

export function keepHeard(match: string, id: number): void {
  if (id > heard(match)) write(`heard.${match}`, id)
}

export function notes(match: string): string {
  return read<string>(`notes.${match}`, '')
}

export function keepNotes(match: string, text: string): void {
  write(`notes.${match}`, text)
}

/** What a seat has left to the page, in the stretch of play that began with the fact `since`. */
export interface Left {
  since: number
  /** How often the player has passed in it himself. */
  passes: number
  /** The page passes for him. */
  on: boolean
  /** When he last said so, or passed; ms. */
  at: number
}

/** By seat. */
export function passes(match: string): Record<number, Left> {
  return read<Record<number, Left>>(`passes.${match}`, {})
}

export function keepPasses(match: string, seats: Readonly<Record<number, Left>>): void {
  if (Object.keys(seats).length) write(`passes.${match}`, seats)
  else erase(`passes.${match}`)
}
