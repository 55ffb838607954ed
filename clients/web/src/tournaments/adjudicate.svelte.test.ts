import { flushSync, mount, unmount } from 'svelte'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PairingInfo, Tournament } from '../protocol/wire'
import { me } from '../state/me.svelte'
import Adjudicate from './Adjudicate.svelte'
import { TournamentNow } from './tournament.svelte'

const named = (handle: string) => ({ name: handle, handle, kind: 'person' as const })

beforeAll(() => (me.person = { handle: 'anna', name: 'Anna' }))
afterAll(() => (me.person = null))

/** What may be ruled by anna of a match of these two, whoever is whose bot. */
function choices(...both: [handle: string, owner: string | null][]): string[] {
  const held = new TournamentNow('t')
  held.now = {
    info: { state: 'under way', director: named('anna') },
    entrants: both.map(([handle, owner], place) => ({ number: place + 1, player: named(handle), owner })),
  } as unknown as Tournament
  const pairing = { number: 1, first: 1, second: 2, how: null, state: 'waiting' } as PairingInfo
  const target = document.createElement('div')
  const names: [string, string] = [both[0]![0], both[1]![0]]
  const form = mount(Adjudicate, { target, props: { held, pairing, names, shut: () => undefined } })
  flushSync()
  const found = [...target.querySelectorAll('option')].map((one) => one.value)
  expect(target.querySelector('select')!.value).toBe(found[0])
  expect(target.textContent.includes('You play this match')).toBe(both.some((one) => one.includes('anna')))
  void unmount(form)
  return found
}

test('of a match of his own, or of his bot, a director rules only that the other has won, or has it played anew', () => {
  expect(choices(['bert', null], ['carl', null])).toHaveLength(7)
  expect(choices(['anna', null], ['bert', null])).toEqual(['0', 'forfeit 1', 'replay'])
  expect(choices(['bert', null], ['anna_bot', 'anna'])).toEqual(['1', 'forfeit 2', 'replay'])
})
