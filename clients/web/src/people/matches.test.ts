import { beforeEach, expect, test, vi } from 'vitest'
import { keep } from '../state/keep'
import { me } from '../state/me.svelte'
import { waiting } from './matches'

let looked: string[] = []

/** Answers that these matches were challenged to in vain, and that any match of this browser asks seat 0. */
function serve(gone: readonly string[]): void {
  looked = []
  vi.stubGlobal('fetch', (path: string) => {
    const id = path.split('/').at(-1)!
    if (path.endsWith('/me/matches')) return Promise.resolve(Response.json({ matches: [], challenges: [], gone }))
    looked.push(id)
    return Promise.resolve(Response.json({ match: id, state: 'playing', asked: [0], seats: [], rematch: null }))
  })
}

beforeEach(() => {
  localStorage.clear()
  me.take({ handle: 'anna', name: 'Anna' })
})

test('matches to which one challenged in vain are not looked up, and push out none that waits', async () => {
  const gone = Array.from({ length: 10 }, (_, number) => `gone ${number}`)
  serve(gone)
  for (const [opened, match] of ['asks', ...gone].entries()) {
    keep(match, { opened, ways: [{ role: 'seat', seat: 0, token: 'token' }] })
  }

  const found = await waiting('')

  expect(found.map(({ match }) => match)).toEqual(['asks'])
  expect(looked).toEqual(['asks'])
})
