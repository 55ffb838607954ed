import { flushSync } from 'svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { filledIn, NOTHING } from '../protocol/fold'
import { LONGEST, steps, WHOLE } from '../protocol/records'
import { recordOf } from '../protocol/passages'
import type { Frame, MatchDetails } from '../protocol/wire'
import { Reel } from './reel.svelte'
import { Watching } from './watching.svelte'

/** A match of commands of ten facts each, whose table is the number of the last. */
const STEP = 10
const HEAD = 2 * WHOLE

const frameTo = (upto: number): Frame => {
  const facts = [{ seq: upto, type: 'Moved', words: `to ${upto}`, at: 0, command: String(upto), body: '', rule: '' }]
  return {
    t: 'frame',
    match: 'm',
    after: upto - STEP,
    upto,
    h: String(upto),
    facts,
    sealed: [],
    patch: { table: { n: upto } },
    prompts: [],
  } as never
}

/** But one is of many. */
const MANY = { after: 60_000, upto: 60_400 }
const within = (seq: number): boolean => MANY.after < seq && seq < MANY.upto

const framesTo = (from: number, upto: number): Frame[] =>
  Array.from({ length: Math.max(0, Math.floor(upto / STEP) - Math.floor(from / STEP)) }, (_, n) =>
    frameTo(STEP * (Math.floor(from / STEP) + n + 1)),
  )

const viewAt = (from: number, side: string | null) => {
  const upto = within(from) ? MANY.after : STEP * Math.floor(from / STEP)
  return { t: 'view', match: 'm', upto, h: String(upto), view: upto ? { table: { n: upto, side }, asked: [1] } : {}, prompts: [] }
}

const asked: string[] = []
let lost = false
/** The server sends no step, or nothing at all. */
let silent: '' | 'steps' | 'all' = ''
/** The facts of a match that is short enough to be sent as a whole. */
let short = 0

/** The server's answers: a passage is no longer than it may be, and the whole match is not sent. */
function answer(path: string): Response {
  asked.push(path)
  const url = new URL(path, 'http://fleet.example')
  const [from, upto] = [Number(url.searchParams.get('from')), Math.min(HEAD, Number(url.searchParams.get('upto')))]
  if (short && !url.searchParams.has('from')) {
    return new Response(
      framesTo(0, short)
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    )
  }
  if (silent === 'all') return new Response('')
  if (url.pathname === '/api/matches/m') return new Response(JSON.stringify({ facts: HEAD }))
  if (lost || !url.searchParams.has('from') || upto - from > LONGEST || from < 0) {
    return new Response(JSON.stringify({ code: 'too_long', reason: 'it is read in passages' }), { status: 400 })
  }
  const lines = url.pathname.endsWith('/record')
    ? [...(from === 1 ? [{ head: HEAD }] : []), ...framesTo(from - 1, upto).map(({ upto: seq }) => ({ seq }))]
    : [viewAt(from, url.searchParams.get('side')), ...(silent ? [] : framesTo(from, upto).filter((frame) => !within(frame.upto)))]
  return new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

let reel: Reel
beforeEach(async () => {
  asked.length = 0
  lost = false
  silent = ''
  short = 0
  vi.stubGlobal('fetch', async (path: string) => {
    const found = answer(path)
    if (path.includes('side=0')) await new Promise((go) => setTimeout(go, 20))
    return found
  })
  const watching = new Watching('m', '')
  watching.match = { facts: HEAD, state: 'ended' } as MatchDetails
  reel = new Reel('m', watching)
  await reel.fetch('', 150_005)
})
afterEach(() => {
  reel.close()
  vi.unstubAllGlobals()
})

const shown = (): unknown => (reel.view?.table as { n?: number }).n

test('of a long match the passage is asked for in which the moment lies, and no other', () => {
  expect([reel.seq, shown(), reel.long, reel.ended]).toEqual([150_010, 150_010, HEAD, true])
  expect(asked).toEqual([`/api/matches/m/steps?&from=${150_005 - 500}&upto=${150_005 - 500 + LONGEST}`])
})

test('a moment within the passage asks for nothing', () => {
  reel.look(151_000)
  reel.go(0)

  expect([reel.seq, asked.length]).toEqual([149_500, 1])
})

const path = (from: number, facts: number): string => `/api/matches/m/steps?&from=${from}&upto=${from + facts}`

test('a moment far away asks for what is near it, and for what is around it when it has stood for a while', async () => {
  reel.look(40_000)
  await vi.waitFor(() => {
    expect(shown()).toBe(40_000)
  })

  expect([reel.seq, asked.slice(1)]).toEqual([40_000, [path(39_999, 200)]])
  expect(location.hash).toBe('#40000')

  reel.step(1)
  await vi.waitFor(
    () => {
      expect(reel.film!.seq(0)).toBe(39_510)
    },
    { timeout: 5_000 },
  )

  expect([reel.seq, shown(), asked.slice(2)]).toEqual([40_010, 40_010, [path(39_510, 2000)]])
  expect(reel.film!.seq(reel.film!.length)).toBe(41_510)
})

test('who goes on from a moment soon is asked for that one alone', async () => {
  reel.look(40_000)
  await vi.waitFor(() => {
    expect(shown()).toBe(40_000)
  })
  reel.look(70_000)
  await vi.waitFor(() => {
    expect(shown()).toBe(70_000)
  })
  await new Promise((go) => setTimeout(go, 700))

  expect(asked.slice(1)).toEqual([path(39_999, 200), path(69_999, 200), path(69_500, 2000)])
})

test('of a moment whose step is longer than what is near, the passage is asked for', async () => {
  reel.look(60_200)
  await vi.waitFor(() => {
    expect(shown()).toBe(60_400)
  })

  expect([reel.seq, asked.slice(1)]).toEqual([60_400, [path(60_199, 200), path(59_700, LONGEST)]])
})

test('with another passage the table is drawn once', async () => {
  const drawn: unknown[] = []
  // eslint-disable-next-line svelte/prefer-destructured-store-props -- a rune, no store
  const stop = $effect.root(() => {
    $effect(() => void drawn.push(shown()))
  })
  flushSync()
  reel.look(40_000)
  await vi.waitFor(() => {
    expect(shown()).toBe(40_000)
  })
  flushSync()
  stop()

  expect(drawn).toEqual([150_010, 40_000])
})

test('the beginning and the end are a passage each', async () => {
  reel.end()
  await vi.waitFor(() => {
    expect(reel.seq).toBe(HEAD)
  })
  reel.first()
  await vi.waitFor(() => {
    expect(reel.seq).toBe(0)
  })
  reel.step(1)

  expect([reel.seq, shown(), asked.length]).toEqual([10, 10, 3])
})

test('from the edge of a passage one steps into the next', async () => {
  reel.go(Infinity)
  const edge = reel.seq
  reel.step(1)
  await vi.waitFor(() => {
    expect(reel.seq).toBe(edge + STEP)
  })
  reel.go(0)
  reel.step(-1)
  await vi.waitFor(() => {
    expect(reel.seq).toBe(edge - STEP)
  })

  expect([shown(), asked.length]).toEqual([edge - STEP, 3])
})

test('it plays on from one passage into the next, and stops at the end of the match', async () => {
  reel.go(Infinity)
  reel.play(true)
  expect(reel.playing).toBe(true)
  reel.on()
  await vi.waitFor(() => {
    expect(asked.length).toBe(2)
  })
  reel.end()
  await vi.waitFor(() => {
    expect(reel.seq).toBe(HEAD)
  })

  expect(reel.next()).toBeUndefined()
  expect(reel.playing).toBe(false)
})

test('of two wishes the later is shown', async () => {
  reel.look(10_000)
  reel.look(20_000)
  await vi.waitFor(() => {
    expect(reel.seq).toBe(20_000)
  })
  await new Promise((go) => setTimeout(go, 20))

  expect(reel.seq).toBe(20_000)
})

test('of a moment far away and one at hand the later is shown', async () => {
  reel.look(10_000)
  reel.look(151_000)
  await new Promise((go) => setTimeout(go, 20))

  expect([reel.seq, shown(), reel.lost]).toEqual([151_000, 151_000, false])

  reel.look(10_000)
  reel.step(1)
  await new Promise((go) => setTimeout(go, 20))

  expect([reel.seq, shown()]).toEqual([151_010, 151_010])
})

test('one steps over the edge of what is near before there is more', async () => {
  reel.look(40_000)
  await vi.waitFor(() => {
    expect(shown()).toBe(40_000)
  })
  reel.go(Infinity)
  const edge = reel.seq
  reel.step(1)
  await vi.waitFor(() => {
    expect(reel.seq).toBe(edge + STEP)
  })
  await new Promise((go) => setTimeout(go, 700))

  expect(edge).toBe(40_190)
  expect([reel.seq, asked.slice(1)]).toEqual([edge + STEP, [path(39_999, 200), path(edge, LONGEST)]])
})

test('where what is around a moment cannot be had, it plays on with what is near', async () => {
  reel.look(40_000)
  await vi.waitFor(() => {
    expect(shown()).toBe(40_000)
  })
  lost = true
  reel.play(true)
  await new Promise((go) => setTimeout(go, 700))

  expect([asked.length, reel.playing, reel.seq]).toEqual([3, true, 40_000])
})

test('when one leaves, nothing is asked for any more', async () => {
  reel.look(40_000)
  await vi.waitFor(() => {
    expect(shown()).toBe(40_000)
  })
  reel.close()
  await new Promise((go) => setTimeout(go, 700))

  expect(asked.length).toBe(2)
})

test('with other eyes the later ones are shown, at the moment that is shown by then', async () => {
  const [slow, fast] = [reel.fetch('0', 0), reel.fetch('1', 0)]
  reel.step(1)
  await Promise.all([slow, fast])

  expect([reel.as, reel.seq, reel.view?.table]).toEqual(['1', 150_020, { n: 150_020, side: '1' }])
})

test('of other eyes and then a moment far away both are shown', async () => {
  const slow = reel.fetch('0', 0)
  reel.look(40_000)
  await vi.waitFor(() => {
    expect(shown()).toBe(40_000)
  })
  await slow
  await new Promise((go) => setTimeout(go, 30))

  expect([reel.as, reel.seq, reel.view?.table]).toEqual(['0', 40_000, { n: 40_000, side: '0' }])
})

test('of a moment far away and then other eyes both are shown', async () => {
  reel.look(40_000)
  await reel.fetch('1', 0)

  expect([reel.as, reel.seq, reel.view?.table]).toEqual(['1', 40_000, { n: 40_000, side: '1' }])
  expect(location.hash).toBe('#40000')
})

test('of a moment far away, other eyes and a moment at hand the later ones are shown', async () => {
  reel.look(40_000)
  const slow = reel.fetch('0', 0)
  reel.step(1)
  await slow

  expect([reel.as, reel.seq, reel.view?.table]).toEqual(['0', 150_020, { n: 150_020, side: '0' }])
})

test('where other eyes cannot be had, all stays as it was', async () => {
  lost = true
  await expect(reel.fetch('0', 0)).rejects.toThrow('it is read in passages')

  expect([reel.as, reel.seq, shown(), reel.lost]).toEqual(['', 150_010, 150_010, true])

  const slow = reel.fetch('0', 0)
  lost = false
  const fast = reel.fetch('1', 0)
  await Promise.all([slow, fast])

  expect([reel.as, reel.seq, reel.lost]).toEqual(['1', 150_010, false])
})

test('a second moment that cannot be had is told as the first was', async () => {
  lost = true
  reel.look(40_000)
  await vi.waitFor(() => {
    expect(reel.lost).toBe(true)
  })
  reel.look(50_000)

  expect([reel.lost, location.hash]).toEqual([false, '#50000'])

  await vi.waitFor(() => {
    expect(reel.lost).toBe(true)
  })

  expect([reel.seq, location.hash]).toEqual([150_010, '#150010'])
})

test('other eyes are wished for before the match has been looked up, and the address says what is shown', async () => {
  let go!: () => void
  const looked = new Promise<void>((done) => (go = done))
  const slow = reel.fetch('0', 0, looked)
  expect(reel.as).toBe('0')

  reel.step(1)
  go()
  await slow

  expect([reel.as, reel.seq, location.search + location.hash]).toEqual(['0', 150_020, '?as=0#150020'])

  const over = reel.fetch('1', 0, new Promise<void>((done) => setTimeout(done, 30)))
  await reel.fetch('', 0)
  await over

  expect([reel.as, reel.view?.table]).toEqual(['', { n: 150_020, side: null }])
})

test('other eyes come although the far moment wished for after them is given up', async () => {
  const slow = reel.fetch('0', 0)
  reel.look(60_200)
  await new Promise((go) => setTimeout(go, 25))
  reel.look(150_010)
  await slow
  await new Promise((go) => setTimeout(go, 60))

  expect([reel.as, reel.seq, reel.view?.table]).toEqual(['0', 150_010, { n: 150_010, side: '0' }])
})

test('what is on its way is the moment that is wished for, until another is', () => {
  reel.look(40_000)
  expect([reel.wished, reel.away]).toEqual([40_000, true])

  reel.look(150_010)
  expect([reel.wished, reel.away, location.hash]).toEqual([150_010, false, '#150010'])
})

test('while a moment is on its way nothing is played, and then it plays on', async () => {
  reel.play(true)
  expect(reel.next()).toBeDefined()

  reel.look(40_000)
  expect(reel.next()).toBeUndefined()
  await vi.waitFor(() => {
    expect(reel.seq).toBe(40_000)
  })
  expect([reel.playing, reel.next() !== undefined]).toEqual([true, true])

  reel.go(Infinity)
  reel.on()
  expect(reel.next()).toBeUndefined()
  reel.look(reel.seq)
  expect([reel.playing, reel.next() !== undefined]).toEqual([true, true])
})

test('from the end of the match it is played from its beginning', async () => {
  reel.end()
  await vi.waitFor(() => {
    expect(reel.seq).toBe(HEAD)
  })
  reel.play(true)
  expect(reel.next()).toBeUndefined()
  await vi.waitFor(() => {
    expect(reel.seq).toBe(0)
  })

  expect([reel.playing, reel.next() !== undefined]).toEqual([true, true])
})

test.each(['steps', 'all'] as const)('where the server sends nothing behind a passage, it is asked once: %s', async (nothing) => {
  reel.go(Infinity)
  const edge = reel.seq
  silent = nothing
  reel.step(1)
  await vi.waitFor(() => {
    expect(reel.lost).toBe(true)
  })

  expect([reel.seq, shown(), asked.length]).toEqual([edge, edge, 2])
})

test('a short match that has gone on is fetched again, and no other', async () => {
  short = 500
  const watching = new Watching('m', '')
  watching.match = { facts: 500, state: 'playing' } as MatchDetails
  const live = new Reel('m', watching)
  await live.fetch('', Infinity)
  await live.fetch('', Infinity)

  expect([live.long, live.seq, asked.slice(1)]).toEqual([0, 500, ['/api/matches/m/steps?']])

  short = 520
  watching.match = { facts: 520, state: 'playing' } as MatchDetails
  await live.fetch('', Infinity)
  live.end()

  expect([live.seq, asked.length]).toEqual([520, 3])

  await reel.fetch('', Infinity)

  expect(asked.length).toBe(3)
})

test('where the match cannot be looked up, that is why', async () => {
  const watching = new Watching('m', '')
  watching.problem = 'The server cannot be reached.'

  await expect(new Reel('m', watching).fetch('', 0)).rejects.toThrow('The server cannot be reached.')
  expect(asked.length).toBe(1)
})

test('where a passage cannot be had, the moment stays', async () => {
  lost = true
  reel.playing = true
  reel.look(40_000)
  await vi.waitFor(() => {
    expect(reel.playing).toBe(false)
  })

  expect([reel.seq, shown(), reel.lost]).toEqual([150_010, 150_010, true])

  reel.step(1)

  expect([reel.seq, reel.lost]).toEqual([150_020, false])
})

test('for the log of a long match its last steps are asked for', async () => {
  const now = filledIn({ ...NOTHING, upto: HEAD }, await steps('m', '', null, HEAD - LONGEST))

  expect([now.facts[0]?.seq, now.facts.at(-1)?.seq]).toEqual([HEAD - LONGEST + STEP, HEAD])
  expect(now.moves[0]?.asked).toEqual([1])
})

test('the record of a long match is put together from passages', async () => {
  const text = await recordOf('m')
  const seqs = text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => (JSON.parse(line) as { seq: number }).seq)

  expect(seqs).toEqual(Array.from({ length: HEAD / STEP }, (_, n) => STEP * (n + 1)))
})
