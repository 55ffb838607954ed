import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import stepsText from '../fixtures/duel.steps.jsonl?raw'
import { type Folded, foldFrame, NOTHING } from '../protocol/fold'
import { lines } from '../protocol/records'
import type { Frame, Incoming, Outgoing } from '../protocol/wire'
import { Follow } from './follow.svelte'

const frames = lines<Frame>(stepsText)
const MATCH = frames[0]!.match

/** The server's end of a socket: it says what a test lets it say. */
class Wire {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static last: Wire
  readyState = Wire.OPEN
  readonly heard: Incoming[] = []
  onopen = (): void => undefined
  onmessage: (event: { data: string }) => void = () => undefined
  onclose = (): void => undefined

  constructor() {
    Wire.last = this
  }

  send(text: string): void {
    this.heard.push(JSON.parse(text) as Incoming)
  }

  close(): void {
    this.readyState = 3
  }

  say(...messages: unknown[]): void {
    for (const message of messages) this.onmessage({ data: JSON.stringify(message) })
  }

  get hellos(): { after?: number; h?: string }[] {
    return this.heard.filter((message) => message.t === 'hello')
  }
}

const at = (count: number): Folded => {
  let now = NOTHING
  for (const frame of frames.slice(0, count)) now = foldFrame(now, frame) as Folded
  return now
}

const welcome = (head: number): Partial<Outgoing> => ({ t: 'welcome', version: 1, match: MATCH, title: 'midway', role: 'onlooker', head })

const viewAt = (count: number) => {
  const { upto, h, raw } = at(count)
  return { t: 'view', match: MATCH, upto, h, view: raw, prompts: [] }
}

/** What covers the commands from one to another, as a node sends it that was behind. */
const between = (from: number, to: number) => {
  const some = frames.slice(from, to)
  const last = some.at(-1)!
  return { ...last, t: 'frame', after: some[0]!.after, facts: some.flatMap((one) => one.facts), sealed: some.flatMap((one) => one.sealed) }
}

const each = (from: number, to: number) => frames.slice(from, to).map((frame) => ({ ...frame, t: 'frame' }))

let follow: Follow
beforeEach(() => {
  vi.stubGlobal('WebSocket', Wire)
  vi.stubGlobal('fetch', () => Promise.reject(new Error('nothing is read here')))
  vi.useFakeTimers()
  follow = new Follow(MATCH, '')
  Wire.last.onopen()
  Wire.last.say(welcome(at(20).upto), ...each(0, 20))
})
afterEach(() => {
  follow.close()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function shown(): Promise<Folded> {
  await vi.advanceTimersByTimeAsync(1_000)
  return follow.folded
}

test('a node that is behind, and shows an older view and then all again, doubles nothing', async () => {
  Wire.last.say(viewAt(2), between(2, 20))
  expect(Wire.last.hellos.at(-1)).toMatchObject({ after: at(20).upto, h: at(20).h })

  Wire.last.say(welcome(at(21).upto), ...each(20, 22))

  const now = await shown()
  expect(now.upto).toBe(at(22).upto)
  expect(now.facts).toEqual(at(22).facts)
  expect(now.moves).toEqual(at(22).moves)
})

test('what overlaps is not taken, and makes it say hello again', async () => {
  Wire.last.say(between(15, 25))
  expect(Wire.last.hellos).toHaveLength(2)

  Wire.last.say(welcome(at(25).upto), ...each(20, 25))

  expect((await shown()).facts).toEqual(at(25).facts)
})

test('what comes before the welcome is not taken', async () => {
  Wire.last.say(between(15, 25), viewAt(30), ...each(30, 31))

  expect((await shown()).upto).toBe(at(20).upto)
})

test('a log that does not reach what was shown any more is shown as it is', async () => {
  for (let round = 0; round < 3; round++) Wire.last.say(viewAt(10), welcome(at(10).upto))
  expect(Wire.last.hellos.at(-1)).toMatchObject({ after: 0 })

  Wire.last.say(viewAt(10))

  const now = await shown()
  expect([now.upto, now.facts]).toEqual([at(10).upto, []])
})

test.each(['busy', 'unavailable', 'conflict'])('who is welcome and cannot be shown the match yet (%s) says hello again', async (code) => {
  Wire.last.onopen()
  Wire.last.say(welcome(at(21).upto), { t: 'refused', code, reason: 'not now', match: MATCH })
  const before = Wire.last.hellos.length
  expect(follow.refused).toMatchObject({ code })

  await shown()
  expect(Wire.last.hellos.slice(before)).toMatchObject([{ after: at(20).upto, h: at(20).h }])
  Wire.last.say(welcome(at(21).upto), ...each(20, 21))

  expect((await shown()).upto).toBe(at(21).upto)
  expect(follow.refused).toBeNull()
})

test('what is sent while the match is not watched goes out after the next welcome', async () => {
  Wire.last.say({ t: 'refused', code: 'unavailable', reason: 'not now', match: MATCH })
  void follow.command({ t: 'undo' })
  expect(Wire.last.heard.filter((message) => message.t === 'undo')).toHaveLength(0)

  await shown()
  Wire.last.say(welcome(at(20).upto))

  expect(Wire.last.heard.filter((message) => message.t === 'undo')).toHaveLength(1)
})

test('whoever talks too much is told so, and watches on', async () => {
  Wire.last.say({ t: 'refused', code: 'too_fast', reason: 'wait', match: MATCH }, ...each(20, 21))

  expect((await shown()).upto).toBe(at(21).upto)
  expect(Wire.last.hellos).toHaveLength(1)
  expect(follow.refused).toMatchObject({ code: 'too_fast' })
})

test('a link that is void since its seat was taken from here gives way to the token that the seat is held by', async () => {
  follow.heir = 'heir'
  const sitting = follow.command({ t: 'sit', token: 'heir', promise: '', name: '', kind: 'person' })
  Wire.last.say({ t: 'refused', code: 'bad_token', reason: 'this link is not valid', match: MATCH })

  expect(Wire.last.hellos.at(-1)).toMatchObject({ token: 'heir' })
  expect(follow.refused).toBeNull()
  Wire.last.say(welcome(at(20).upto))
  const sent = Wire.last.heard.at(-1) as Extract<Incoming, { t: 'sit' }>
  expect(sent.t).toBe('sit')
  Wire.last.say({ t: 'receipt', match: MATCH, command: sent.command, seq: 22, h: '' })
  expect(await sitting).toMatchObject({ ok: true })

  Wire.last.say({ t: 'refused', code: 'bad_token', reason: 'this link is not valid', match: MATCH })
  expect(follow.refused).toMatchObject({ code: 'bad_token' })
})

test('who sits down is followed by the link that came in place of the one it was taken by', () => {
  follow.heir = 'heir'
  Wire.last.say({ t: 'linked', match: MATCH, link: { role: 'seat', seat: 0, token: 'heir', path: '' } })
  Wire.last.onopen()

  expect(Wire.last.hellos.at(-1)).toMatchObject({ token: 'heir' })
  expect(follow.heir).toBe('')
})

test('for the log of a long match its last facts are asked for, and no more', async () => {
  follow.close()
  const asked: string[] = []
  const head = 200_000
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path)
    const start = { ...viewAt(20), upto: head - 5000 }
    const [last] = frames.slice(20, 21)
    const steps = [start, { ...last, after: head - 5000, upto: head }]
    return Promise.resolve(new Response(steps.map((step) => JSON.stringify(step)).join('\n')))
  })
  follow = new Follow(MATCH, '')
  Wire.last.onopen()
  Wire.last.say(welcome(head), { ...viewAt(21), upto: head })

  await vi.waitFor(() => {
    expect(follow.folded.moves.length).toBe(1)
  })
  expect(asked).toEqual([`/api/matches/${MATCH}/steps?&from=${head - 5000}&upto=${head}`])
  expect(follow.folded.facts).toEqual(frames[20]!.facts)
  expect(follow.folded.moves[0]?.asked).toEqual(at(20).view.asked)
})
