import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Move } from '../protocol/moves'
import type { Asked } from '../protocol/wire'
import type { Choice } from '../titles/title'
import { keepDeed } from './progress'
import { Session } from './session.svelte'

const MATCH = '01900000-0000-7000-8000-000000000001'

/** The server's end of the socket of each seat. */
class Wire {
  static readonly OPEN = 1
  static all: Wire[] = []
  readyState = Wire.OPEN
  readonly sent: { t?: string; command?: string }[] = []
  onopen = (): void => undefined
  onmessage: (event: { data: string }) => void = () => undefined

  constructor() {
    Wire.all.push(this)
  }

  /** Nothing is answered by itself. */
  send(text: string): void {
    this.sent.push(JSON.parse(text) as { t?: string; command?: string })
  }

  close(): void {
    this.readyState = 3
  }

  say(message: object): void {
    this.onmessage({ data: JSON.stringify({ match: MATCH, ...message }) })
  }
}

const hit = (...targets: string[]): object[] => targets.map((target) => ({ type: 'AllocateHit', target }))
const ask = (seat: number, options: object[]): Asked => ({ seat, rule: 'N11.1', text: '', options })

function frame(after: number, prompts: Asked[], facts: object[] = []): object {
  return { t: 'frame', after, upto: after + 2, h: '', facts, sealed: [], patch: {}, prompts }
}

/** Both seats in one browser, of which Japan is asked about a hit; what is on the list of its page. */
function both(): { session: Session; us: Wire; japan: Wire; listed: () => unknown[] | undefined } {
  const session = new Session(
    MATCH,
    [0, 1].map((seat) => ({ role: 'seat', token: `token-${seat}`, seat })),
  )
  const [us, japan] = Wire.all as [Wire, Wire]
  for (const [seat, wire] of [us, japan].entries()) {
    wire.onopen()
    wire.say({ t: 'welcome', version: 1, title: 'nimitz', role: 'seat', head: 2, seat, side: seat })
    wire.say({ t: 'view', upto: 2, h: '', view: {}, prompts: seat ? [ask(1, [...hit('a', 'b'), { type: 'JaByRule' }])] : [] })
  }
  return { session, us, japan, listed: () => session.prompt?.options }
}

beforeEach(() => {
  vi.useFakeTimers()
  Wire.all = []
  vi.stubGlobal('WebSocket', Wire)
  vi.stubGlobal('fetch', () => Promise.reject(new Error('nothing is there')))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test.each([
  ['the United States', ['us', 'japan']],
  ['Japan', ['japan', 'us']],
] as const)('a hit that Japan leaves to the rules is asked about once only, whoever hears of it first: %s', async (_, order) => {
  const { session, listed, ...wires } = both()
  await vi.advanceTimersByTimeAsync(100)
  expect(listed()).toHaveLength(3)

  const told = { us: frame(2, [ask(0, hit('a', 'b'))]), japan: frame(2, []) }
  const seen: (number | undefined)[] = []
  for (const side of order) {
    wires[side].say(told[side])
    await vi.advanceTimersByTimeAsync(100)
    seen.push(listed()?.length)
  }

  expect(seen).toEqual(order[0] === 'us' ? [2, 2] : [undefined, 2])
  session.close()
})

test('a seat that has not heard yet what another has is not asked what it was asked before', async () => {
  const { session, us, japan, listed } = both()
  us.say(frame(2, []))
  await vi.advanceTimersByTimeAsync(100)
  expect(listed()).toBeUndefined()

  japan.say(frame(2, [ask(1, hit('b', 'c'))]))
  await vi.advanceTimersByTimeAsync(100)

  expect(listed()).toEqual(hit('b', 'c'))
  session.close()
})

test('while a decision of one seat is on its way the page stays with it, though the other has heard of it already', async () => {
  const { session, us, japan, listed } = both()
  await vi.advanceTimersByTimeAsync(100)
  void session.decide({ decision: { type: 'JaByRule' }, key: '', label: '', path: [], leaves: false })
  const seen = (): object => ({ seat: session.active.seat, deciding: session.deciding })

  us.say(frame(2, []))
  await vi.advanceTimersByTimeAsync(100)
  expect(seen()).toEqual({ seat: 1, deciding: true })

  const { command } = japan.sent.at(-1)!
  japan.say(frame(2, [ask(1, hit('b', 'c'))], [{ seq: 3, at: 0, command, index: 0, ver: 1, type: 'Hit', body: '{}', words: '' }]))
  await vi.advanceTimersByTimeAsync(100)
  expect(seen()).toEqual({ seat: 1, deciding: false })
  expect(listed()).toEqual(hit('b', 'c'))
  session.close()
})

const choice = (n: number, leaves = false): Choice => ({
  decision: { type: leaves ? 'Done' : `Pick${n}` },
  key: '',
  label: '',
  path: [],
  leaves,
})
const window = (...left: number[]): Asked => ({
  ...ask(
    1,
    [...left, 0].map((n) => choice(n, !n).decision),
  ),
  quiet: left.map((_, place) => place),
  sealed: true,
})

test('where a prompt is sealed a quiet choice is held back, and stays so when the other side has chosen', async () => {
  const { session, us, japan, listed } = both()
  japan.say(frame(2, [window(1, 2)]))
  us.say(frame(2, []))
  await vi.advanceTimersByTimeAsync(100)

  void session.decide(choice(1))
  const { command, t } = japan.sent.at(-1)!
  japan.say({ t: 'foreseen', command, upto: 4, prompt: window(2), patch: {} })
  await vi.advanceTimersByTimeAsync(100)
  expect([t, session.holding, listed()]).toEqual(['foresee', 1, window(2).options])

  japan.say(frame(4, [window(1, 2)]))
  us.say(frame(4, []))
  await vi.advanceTimersByTimeAsync(100)
  expect([session.holding, listed()]).toEqual([1, window(2).options])

  void session.decide(choice(0, true))
  expect(japan.sent.at(-1)).toMatchObject({ t: 'decide', answers: 6, decisions: [choice(1).decision, choice(0, true).decision] })
  session.close()
})

test('what is held back is let go when something else is asked', async () => {
  const { session, us, japan } = both()
  japan.say(frame(2, [window(1, 2)]))
  us.say(frame(2, []))
  await vi.advanceTimersByTimeAsync(100)
  void session.decide(choice(1))
  japan.say({ t: 'foreseen', command: japan.sent.at(-1)!.command, upto: 4, prompt: window(2), patch: {} })
  await vi.advanceTimersByTimeAsync(100)

  japan.say(frame(4, [window(3)]))
  us.say(frame(4, []))
  await vi.advanceTimersByTimeAsync(100)

  expect(session.holding).toBe(0)
  session.close()
})

test('after a reload a decision from here of which nothing is seen is known by its place', () => {
  localStorage.clear()
  const silent = (after: number): Move => ({ after, upto: after + 2, asked: [0, 1], gone: [], facts: [], sealed: true })
  keepDeed(MATCH, { seat: 1, what: 'Be done', seq: 4 })
  const { session } = both()

  expect(session.deedOf(silent(2))).toMatchObject({ seat: 1, what: 'Be done' })
  expect(session.deedOf(silent(4))).toBeUndefined()
})
