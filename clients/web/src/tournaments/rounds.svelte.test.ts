import { flushSync, mount, unmount } from 'svelte'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EntrantInfo, PairingInfo, RoundInfo, Tournament } from '../protocol/wire'
import { me } from '../state/me.svelte'
import Rounds from './Rounds.svelte'
import { TournamentNow } from './tournament.svelte'

const named = (handle: string) => ({ name: handle, handle, kind: 'person' as const })
const entrants = ['anna', 'bert'].map(
  (handle, place) => [place + 1, { number: place + 1, player: named(handle), owner: null } as EntrantInfo] as const,
)

beforeAll(() => (me.person = { handle: 'zora', name: 'Zora' }))
afterAll(() => (me.person = null))

/** What its director may rule on, where the first of two rounds is over. */
function rulings(kind: Tournament['info']['kind']): string[] {
  const pairing = (number: number): PairingInfo => ({
    number,
    first: 1,
    second: 2,
    match: null,
    state: 'waiting',
    points: null,
    second_points: null,
    how: null,
    reason: '',
    counts: true,
  })
  const rounds: RoundInfo[] = [1, 2].map((number) => ({
    number,
    since: 0,
    over: number === 1 ? 5 : null,
    pairings: [pairing(number)],
  }))
  const held = new TournamentNow('t')
  held.now = {
    info: { state: 'under way', kind, director: named('zora'), ruled_until: null },
    entrants: entrants.map(([, one]) => one),
    rounds,
  } as unknown as Tournament
  const target = document.createElement('div')
  const shown = mount(Rounds, { target, props: { held, entrants: new Map(entrants), sides: [] } })
  flushSync()
  const found = [...target.querySelectorAll('details')]
    .filter((round) => [...round.querySelectorAll('button')].some((one) => one.textContent.startsWith('Rule')))
    .map((round) => round.querySelector('b')!.textContent)
  void unmount(shown)
  return found
}

test('a director rules on rounds that are over, but for those of a knock-out: others have gone on by their results', () => {
  expect(rulings('swiss')).toEqual(['Round 2', 'Round 1'])
  expect(rulings('knock-out')).toEqual(['Round 2'])
})
