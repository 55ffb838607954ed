import { describe, expect, it } from 'vitest'
import recordText from '../fixtures/duel.record.jsonl?raw'
import { fromHex, toHex, utf8 } from '../protocol/hex'
import { sha256, sha256ByHand } from '../protocol/sha256'
import type { FactLine } from '../protocol/wire'
import type { KeptReceipt } from '../state/progress'
import { commitment, link } from './chain'
import { includes, leafHash, signed } from './checkpoint'
import { derive, Fair, UNSEEN } from './dice'
import { readRecord } from './record'
import { type Check, verify } from './verify'

const facts = readRecord(recordText).lines as FactLine[]
const key = fromHex((JSON.parse(facts.at(-1)!.body) as { key: string }).key)

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

/** Facts linked anew to a record, with other fields and types for some: as a forger with its key does. */
async function retold(
  other: (fact: FactLine) => Record<string, unknown>,
  type: (fact: FactLine) => string = (fact) => fact.type,
  some: readonly FactLine[] = facts,
): Promise<string> {
  const { header } = readRecord(recordText)
  const saltKey = await derive(key, 'salt')
  const lines: string[] = []
  let [hash, index] = ['00'.repeat(32), 0]
  for (const fact of some) {
    const seq = lines.length + 1
    const body = JSON.stringify({ ...(JSON.parse(fact.body) as object), type: type(fact), ...other(fact) })
    index = fact.command === some[seq - 2]?.command ? index + 1 : 0
    const told = { ...fact, seq, index, type: type(fact), body }
    hash = toHex(await link(header.match, seq, hash, (await commitment(told, saltKey))!))
    lines.push(JSON.stringify({ ...told, hash }))
  }
  return [JSON.stringify({ ...header, head: some.length, hash }), ...lines, ''].join('\n')
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
      rules: 'unchecked',
      checkpoint: 'unchecked',
    })
  })

  it('names the fact of which one letter was changed', async () => {
    const rolled = facts.find((fact) => fact.type === 'Rolled')!
    const text = changed(rolled.seq, (line) =>
      line.replace(/"dice\\":\[\d/, (dice) => dice.slice(0, -1) + (dice.endsWith('6') ? '1' : '6')),
    )

    expect(firstBad(await all(text))?.seq).toBe(rolled.seq)
  })

  // Each a test: together they take seconds beside other work, and one that hangs is ended.
  it.each(facts.filter((_, place) => place % 10 === 0).map(({ seq }) => seq))('finds a change at any byte: fact %i', async (seq) => {
    const text = changed(seq, (line) => {
      const place = (seq * 7919) % line.length
      return line.slice(0, place) + (line[place] === '7' ? '3' : '7') + line.slice(place + 1)
    })

    expect(firstBad(await all(text))).toBeDefined()
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
    const short = `${recordText.split('\n').slice(0, 100).join('\n')}\n`

    expect(firstBad(await all(short))?.name).toBe('header')
  })

  it('finds a fact that is sealed, though the match has ended', async () => {
    const fact = facts[20]!
    const sealed = await commitment(fact, new Uint8Array(32))
    const one = changed(fact.seq, () => JSON.stringify({ seq: fact.seq, sealed: toHex(sealed!) }))

    expect(firstBad(await all(one))).toMatchObject({ name: 'chain', seq: fact.seq })
  })

  it('finds nothing wrong with a record that was linked anew as it was', async () => {
    expect(await retold(() => ({}))).toBe(recordText)
  })

  it('finds two seats that begin with one nonce', async () => {
    const [nonce, hash] = ['ab'.repeat(16), toHex(await sha256(fromHex('ab'.repeat(16))))]
    const both = await retold((fact): Record<string, unknown> => {
      if (fact.type === 'NonceCommitted') return { hash }
      return fact.type === 'NonceShown' ? { nonce } : {}
    })
    const second = facts.filter((fact) => fact.type === 'NonceCommitted')[1]!

    expect(firstBad(await all(both))).toMatchObject({ name: 'nonces', seq: second.seq })
  })

  it('finds a match that begins though a seat has shown no nonce', async () => {
    const third = await retold((fact) =>
      fact.type === 'Created' ? { seats: [...(JSON.parse(fact.body) as { seats: unknown[] }).seats, {}] } : {},
    )
    const started = facts.find((fact) => fact.type === 'Started')!

    expect(firstBad(await all(third))).toMatchObject({ name: 'nonces', seq: started.seq })
  })

  describe('of a match that began on another device', () => {
    const [first, second] = facts.filter(({ type }) => type === 'NonceShown') as [FactLine, FactLine]
    const place = facts.indexOf(first)
    const hashOf = async (nonce: string): Promise<string> => toHex(await sha256(fromHex(nonce)))
    const shownBy = ({ body }: FactLine): { seat: number; nonce: string } => JSON.parse(body) as { seat: number; nonce: string }
    /** A fact of a command of its own. */
    const added = (number: number, type: string, body: object): FactLine => {
      const command = `01900000-0000-4000-8000-00000000000${number}`
      return { ...first, command, type, body: JSON.stringify({ type, ...body }) }
    }
    /** Both sat down with other nonces; the first shows his, the second commits anew, and so does the first: to `kept` if any. */
    async function anew(kept = ''): Promise<string> {
      const other = (seat: number): string => `0${seat + 1}`.repeat(16)
      const [one, two] = [shownBy(first), shownBy(second)]
      const some = [
        ...facts.slice(0, place),
        added(1, 'NonceShown', { seat: one.seat, nonce: other(one.seat) }),
        added(2, 'NonceCommittedAnew', { seat: two.seat, hash: await hashOf(two.nonce) }),
        added(3, 'NonceCommittedAnew', { seat: one.seat, hash: await hashOf(kept || one.nonce) }),
        ...facts.slice(place),
      ]
      const promises = new Map(await Promise.all([0, 1].map(async (seat) => [seat, await hashOf(other(seat))] as const)))
      return retold(
        ({ type, body }): Record<string, unknown> =>
          type === 'NonceCommitted' ? { hash: promises.get((JSON.parse(body) as { seat: number }).seat) } : {},
        ({ type }) => type,
        some,
      )
    }

    it('finds nothing wrong', async () => {
      expect(results(await all(await anew()))).toMatchObject({ nonces: 'holds', dice: 'holds' })
    })

    it('finds a nonce that the other seat knew and that is committed to once more', async () => {
      const known = `0${shownBy(first).seat + 1}`.repeat(16)

      expect(firstBad(await all(await anew(known)))).toMatchObject({ name: 'nonces', seq: place + 3 })
    })

    it('finds a seat that commits anew when what it has shown counts', async () => {
      const late = added(4, 'NonceCommittedAnew', { seat: shownBy(first).seat, hash: 'ab'.repeat(32) })
      const some = [...facts.slice(0, place + 1), late, ...facts.slice(place + 1)]
      const text = await retold(
        () => ({}),
        ({ type }) => type,
        some,
      )

      expect(firstBad(await all(text))).toMatchObject({ name: 'nonces', seq: place + 2 })
    })
  })

  describe('of a match without the nonces of its seats', () => {
    const NONCES = ['NonceCommitted', 'NonceShown', 'Started']
    const early = { name: 'nonces', text: 'Play begins before every seat has shown its nonce.' }
    const own = ({ type }: FactLine): string => type
    const without = facts.filter(({ type }) => !NONCES.includes(type))
    /** These facts, with dice from the key alone. */
    const byKey = async (some: readonly FactLine[]): Promise<string> => {
      const fair = new Fair(await derive(key, 'dice'), new Uint8Array())
      const cast = new Map<FactLine, Record<string, unknown>>()
      for (const fact of some.filter(({ type }) => type === 'Rolled')) {
        const { index, dice, sides } = JSON.parse(fact.body) as { index: number; dice: number[]; sides: number }
        cast.set(fact, { dice: await fair.roll(index, dice.length, sides) })
      }
      return retold((fact) => cast.get(fact) ?? {}, own, some)
    }

    it('finds dice to which no seat contributed', async () => {
      const checks = await all(await byKey(without))

      expect(firstBad(checks)).toMatchObject({ ...early, seq: without.findIndex(({ type }) => ['Decided', 'Rolled'].includes(type)) + 1 })
      expect(results(checks).dice).toBe('unchecked')
    })

    it.each(['Started', 'Decided', 'Rolled', 'RolledUnseen', 'Drew'])('finds play before nonces were shown: %s', async (kind) => {
      const like = facts.find(({ type }) => type === (facts.some((fact) => fact.type === kind) ? kind : 'Rolled'))!
      const text = await retold(
        () => ({}),
        (fact) => (fact === like ? kind : fact.type),
        [facts[0]!, like, facts.at(-1)!],
      )

      expect(firstBad(await all(text))).toMatchObject({ ...early, seq: 2 })
    })

    it('finds that there are no seats', async () => {
      const text = await retold(({ type }): Record<string, unknown> => (type === 'Created' ? { seats: [] } : {}), own, without)

      expect(firstBad(await all(text))).toMatchObject(early)
    })

    it('finds a nonce of a seat that is not there', async () => {
      const more = facts.findLast(({ type }) => type === 'NonceCommitted')!
      const text = await retold((fact): Record<string, unknown> => (fact === more ? { seat: 9 } : {}))

      expect(firstBad(await all(text))).toMatchObject({
        name: 'nonces',
        seq: more.seq,
        text: 'Seat 9 commits to a nonce, and is not there.',
      })
    })

    it('finds a match that is laid open anew with fewer seats', async () => {
      const again = { ...facts[0]!, command: '01900000-0000-4000-8000-000000000000' }
      const shown = facts.findLast(({ type }) => type === 'NonceShown')!
      const some = [facts[0]!, again, ...facts.slice(1).filter((fact) => fact !== shown)]
      const text = await retold((fact): Record<string, unknown> => (fact === again ? { seats: [{}] } : {}), own, some)

      expect(firstBad(await all(text))).toMatchObject({ ...early, seq: some.findIndex(({ type }) => type === 'Started') + 1 })
    })

    it('needs none where nothing was played', async () => {
      const text = await retold(() => ({}), own, [facts[0]!, facts.at(-1)!])

      expect(results(await all(text))).toMatchObject({ nonces: 'holds', dice: 'holds' })
    })
  })

  describe('of which the last roll was unseen', () => {
    const last = facts.findLast((fact) => fact.type === 'Rolled')!
    const roll = JSON.parse(last.body) as { sides: number; dice: number[] }
    const cast = async (index: bigint): Promise<number[]> => {
      const nonces = facts
        .filter(({ type }) => type === 'NonceShown')
        .map(({ body }) => JSON.parse(body) as { seat: number; nonce: string })
      const joined = fromHex(nonces.toSorted((one, two) => one.seat - two.seat).reduce((all, { nonce }) => all + nonce, ''))
      return new Fair(await derive(key, 'dice'), joined).roll(index, roll.dice.length, roll.sides)
    }
    const unseen = (index: number, dice: number[]): Promise<string> =>
      retold(
        ({ seq }): Record<string, unknown> => (seq === last.seq ? { index, dice } : {}),
        ({ seq, type }) => (seq === last.seq ? 'RolledUnseen' : type),
      )

    it('casts it again from the upper half of the indexes', async () => {
      expect(results(await all(await unseen(0, await cast(UNSEEN)))).dice).toBe('holds')
    })

    it('finds other dice than those', async () => {
      const [first, ...rest] = await cast(UNSEEN)

      expect(firstBad(await all(await unseen(0, [(first! % roll.sides) + 1, ...rest])))).toMatchObject({ name: 'dice', seq: last.seq })
    })

    it('finds one that was skipped', async () => {
      expect(firstBad(await all(await unseen(1, await cast(UNSEEN + 1n))))).toMatchObject({ name: 'dice', seq: last.seq })
    })
  })

  it('casts the dice that the server casts', async () => {
    const key = Uint8Array.from({ length: 32 }, (_, place) => place)
    const fair = new Fair(
      key,
      Uint8Array.from({ length: 32 }, (_, place) => (place < 16 ? 1 : 2)),
    )

    expect(await fair.roll(0, 3, 6)).toEqual([6, 2, 5])
    expect(await fair.roll(UNSEEN, 3, 6)).toEqual([3, 3, 4])
    expect(await fair.roll(UNSEEN + 1n, 6, 10)).toEqual([6, 10, 9, 1, 9, 5])
  })

  it('refuses what is no record', async () => {
    expect(firstBad(await all('hello\n'))).toMatchObject({ name: 'form', text: 'This file is no record of a match.' })
  })
})

/** Signed by `server.proof.notes` with fixed keys, all of a tree of three leaves with a root of zeros. */
const NOTES = {
  own: {
    key: 'fleetfold-34750f98+6d33ad0e+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c',
    note: 'fleetfold-34750f98\n3\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n— fleetfold-34750f98 bTOtDiKtF5aIlktXsrcgCFmXIHYjd+bHpbJ1DSz7fULdET9CjD1MvicpfhNAFCt5qvHV1t2tQfoV2wSQaBSsNiqJywk=\n',
  },
  other: {
    key: 'fleetfold-6a3803d5+26c862de+AYE5dw6ofRdfVqNUZsNMfszLjYqRtO43ol32D1uPybOU',
    note: 'fleetfold-6a3803d5\n3\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n— fleetfold-6a3803d5 Jshi3ojcFy3jBxsxpX6e9p9D19o5taoDqVmQh7uXlGzNV8uDeYU6HjD7DBIoR0W0kQVyIeHOO3FsIaAGTWQbWFjgTQc=\n',
  },
  older: {
    key: 'fleetfold.local+f8814362+Ae1JKMYo0cLG6ukDOJBZlWEpWSc6XGP5NjbBRhSshzfR',
    note: 'fleetfold.local\n3\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n— fleetfold.local +IFDYpra+MojK6YpycaEbl7xINe145wND79nOo+XdsuXF3z+J/nM832totFCpyiAenFKDPk4vDj8hMWKizzpH5hE1AA=\n',
  },
  olderOther: {
    key: 'fleetfold.local+66aee220+AcqTrBcFGHBx1nuDx/8O/oEI6OxFMFdddyaHkzPb2r58',
    note: 'fleetfold.local\n3\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n— fleetfold.local Zq7iIEZ7n/7EM3KI3M/XcfHG2VzTfXyUYvCdglkyadGDdBcidlUZ60wa2AuZ29gJbRam2HoE5NgRhhK2iqP5a1y1AgI=\n',
  },
  posing: {
    key: 'fleetfold-34750f98+af99b092+AYE5dw6ofRdfVqNUZsNMfszLjYqRtO43ol32D1uPybOU',
    note: 'fleetfold-34750f98\n3\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n— fleetfold-34750f98 r5mwkuicYMZj6rzrkOSkYn/p4OFIaa7uOU5AFrYz6V2eeW3QQamoV10b9b/50EeZte3MsRFEXspr5D7a9LdGbtUE8AY=\n',
  },
}

describe('the signature of a checkpoint', () => {
  it.each(['own', 'older'] as const)('is of the key that signed it: %s', async (name) => {
    expect(await signed(NOTES[name].note, NOTES[name].key)).toBe('ours')
  })

  it.each([
    ['other', 'own'],
    ['older', 'own'],
    ['own', 'older'],
    ['olderOther', 'older'],
  ] as const)('of %s is neither right nor wrong for the key %s', async (note, key) => {
    expect(await signed(NOTES[note].note, NOTES[key].key)).toBe('foreign')
  })

  it('is wrong where another signs in the name of a key', async () => {
    expect(await signed(NOTES.posing.note, NOTES.own.key)).toBe('wrong')
  })

  it.each(['own', 'older'] as const)('is wrong where the note was changed: %s', async (name) => {
    const { note, key } = NOTES[name]

    expect(await signed(note.replace('\n3\n', '\n4\n'), key)).toBe('wrong')
    expect(await signed(note.replace('fleetfold', 'fleetfole'), key)).toBe('wrong')
  })

  it('is no failure of the check where it is no base64', async () => {
    expect(await signed(NOTES.older.note.replace(/ \S+\n$/, ' !\n'), NOTES.older.key)).toBe('foreign')
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
