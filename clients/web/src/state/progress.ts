/** What this browser keeps of a match while it is played: nonces, receipts, how far it was seen and heard, notes. */

import { read, write } from './keep'

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
