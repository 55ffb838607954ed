import { describe, expect, it } from 'vitest'
import recordText from '../fixtures/duel.record.jsonl?raw'
import { fromHex, toHex, utf8 } from '../protocol/hex'
import { sha256, sha256ByHand } from '../protocol/sha256'
import type { KeptReceipt } from '../state/keep'
import { includes, leafHash } from './checkpoint'
import { readRecord, type Full } from './record'
import { verify, type Check } from './verify'

const facts = readRecord(recordText).lines as Full[]

async function all(text: string, kept: KeptReceipt[] = []): Promise<Check[]> {
  const checks: Check[] = []
  for await (const check of verify({ text, receipts: () => kept, key: '' })) checks.push(check)
  return checks
}

const results = (checks: Check[]): Record<string, string> => Object.fromEntries(checks.map((one) => [one.name, one.result]))
const firstBad = (checks: Check[]): Check | undefined => checks.find((one) => one.result === 'fails')

/** The record with one fact's line changed by hand. */
function changed(seq: number, how: (line: string) => string): string {
  return recordText
    .split('\n')
    .map((line, place) => (place === seq ? how(line) : line))
    .join('\n')
}

describe('verify', () => {
  it('finds nothing wrong with a true record', async () => {
    expect(results(await all(recordText))).toEqual({
      form: 'holds',
      chain: 'holds',
      header: 'holds',
      receipts: 'unchecked',
      key: 'holds',
      nonces: 'holds',
      dice: 'holds',
      checkpoint: 'unchecked',
    })
  })

  it('names the fact of which one letter was changed', async () => {
    const rolled = facts.find((fact) => fact.type === 'Rolled')!
    const text = changed(rolled.seq, (line) => line.replace(/"dice\\":\[\d/, (dice) => dice.slice(0, -1) + (dice.endsWith('6') ? '1' : '6')))

    expect(firstBad(await all(text))?.seq).toBe(rolled.seq)
  })

  it('finds a change at any byte of any tenth line', async () => {
    for (let seq = 1; seq <= facts.length; seq += 10) {
      const text = changed(seq, (line) => {
        const place = (seq * 7919) % line.length
        return line.slice(0, place) + (line[place] === '7' ? '3' : '7') + line.slice(place + 1)
      })
      expect(firstBad(await all(text)), `fact ${seq}`).toBeDefined()
    }
  })

  it('finds a fact that was taken out, and one that was moved', async () => {
    const lines = recordText.split('\n')
    const without = [...lines.slice(0, 40), ...lines.slice(41)].join('\n')
    const swapped = [...lines.slice(0, 40), lines[41], lines[40], ...lines.slice(42)].join('\n')

    expect(firstBad(await all(without))?.seq).toBe(40)
    expect(firstBad(await all(swapped))?.seq).toBe(40)
  })

  it('compares with the receipts that were kept', async () => {
    const good = { seq: 20, h: facts[19]!.hash }

    expect(results(await all(recordText, [good])).receipts).toBe('holds')
    expect(firstBad(await all(recordText, [good, { seq: 21, h: facts[19]!.hash }]))?.seq).toBe(21)
  })

  it('finds a file that was cut short', async () => {
    const short = recordText.split('\n').slice(0, 100).join('\n') + '\n'

    expect(firstBad(await all(short))?.name).toBe('header')
  })

  it('refuses what is no record', async () => {
    expect(firstBad(await all('hello\n'))?.name).toBe('form')
  })
})

describe('the tree of checkpoints', () => {
  it('leads from a leaf to the root', async () => {
    const leaf = await leafHash('01900000-0000-7000-8000-000000000001', 5, '00'.repeat(32))
    const other = fromHex('11'.repeat(32))
    const root = await sha256(new Uint8Array([1, ...leaf, ...other]))
    const said = { origin: 'x', size: 2, root }

    expect(await includes(said, 0, leaf, [toHex(other)])).toBe(true)
    expect(await includes(said, 1, leaf, [toHex(other)])).toBe(false)
  })
})

describe('SHA-256 by hand', () => {
  it.each([0, 1, 55, 56, 63, 64, 65, 200])('agrees with the browser on %d bytes', async (length) => {
    const bytes = Uint8Array.from({ length }, (_, place) => place % 251)

    expect(toHex(sha256ByHand(bytes))).toBe(toHex(await sha256(bytes)))
  })

  it('knows the hash of abc', () => {
    expect(toHex(sha256ByHand(utf8('abc')))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})
