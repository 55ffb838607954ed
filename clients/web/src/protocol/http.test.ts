import { afterEach, expect, test, vi } from 'vitest'
import { get, LONGEST_PAUSE, TRIES, withParts } from './http'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Refuse so many requests with this code, and say when to come again; answer those after them. Returns when each came. */
function refusing(times: number, code: string, after: string): number[] {
  const came: number[] = []
  vi.useFakeTimers({ now: 0 })
  vi.stubGlobal('fetch', () => {
    came.push(Date.now() / 1000)
    if (came.length > times) return Promise.resolve(new Response('read'))
    return Promise.resolve(Response.json({ code, reason: 'too much' }, { status: 503, headers: after ? { 'Retry-After': after } : {} }))
  })
  return came
}

test.each(['busy', 'too_fast'])('whoever is refused for now asks again when he was told to: %s', async (code) => {
  const came = refusing(2, code, '7')
  const answer = get('/api/titles')
  await vi.runAllTimersAsync()

  expect(await (await answer).text()).toBe('read')
  expect(came).toEqual([0, 7, 14])
})

test('whoever is refused again and again gives up, and waits for no hour', async () => {
  const came = refusing(Infinity, 'busy', '3600')
  const refused = expect(get('/api/titles')).rejects.toThrow('too much')
  await vi.runAllTimersAsync()
  await refused

  expect(came).toEqual(Array.from({ length: TRIES }, (_, number) => LONGEST_PAUSE * number))
})

test.each([
  ['unavailable', '2'],
  ['busy', ''],
])('what is refused otherwise is told at once: %s', async (code, after) => {
  const came = refusing(1, code, after)

  await expect(get('/api/titles')).rejects.toThrow('too much')
  expect(came).toEqual([0])
})

const names = withParts({ jp_5div: '5 Division', 'us_1.b': 'what is called so', x: 'X' })

test.each([
  ['jp_5div', '5 Division'],
  ['jp_5div.a', '5 Division, part a'],
  ['us_1.b', 'what is called so'],
  ['jp_6div.a', undefined],
  ['jp_5div.ab', undefined],
  ['.a', undefined],
  ['x', 'X'],
  ['', undefined],
])('a part of a unit is called after it: %s', (id, name) => {
  expect(names[id]).toBe(name)
})

test('the names that there are stay the only ones that are listed', () => {
  expect(Object.keys(names)).toEqual(['jp_5div', 'us_1.b', 'x'])
  expect({ ...names, 'seat:0': 'Japan' }).toHaveProperty('jp_5div', '5 Division')
})
