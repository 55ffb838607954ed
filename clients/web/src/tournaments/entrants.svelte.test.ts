import { flushSync, mount, unmount } from 'svelte'
import { expect, test } from 'vitest'
import type { EntrantInfo, Predecessor, Tournament } from '../protocol/wire'
import Entrants from './Entrants.svelte'
import { TournamentNow } from './tournament.svelte'

const named = (handle: string) => ({ name: handle, handle, kind: 'person' as const })

function entrant(number: number, handle: string, ...before: Predecessor[]): EntrantInfo {
  return { number, player: named(handle), owner: null, rating: null, provisional: true, since: 0, late: 0, withdrawn: null, before }
}

/** What the list says of a tournament with these entrants. */
function drawn(...entrants: EntrantInfo[]): string {
  const held = new TournamentNow('t')
  held.now = { info: { state: 'under way', director: named('zora') }, entrants } as unknown as Tournament
  const target = document.createElement('div')
  const list = mount(Entrants, { target, props: { held } })
  flushSync()
  const text = target.textContent.replace(/\s+/g, ' ')
  void unmount(list)
  return text
}

test('a place that changed hands twice in one round is shown, with whoever has played in it', () => {
  const twice = entrant(1, 'emil', { player: named('bert'), until: 1 }, { player: named('carl'), until: 1 })

  expect(drawn(twice, entrant(2, 'dora'))).toMatch(/emil in the place of bert, who played up to round 1 no rating dora/)
  expect(drawn(entrant(1, 'emil', ...[1, 0, 1].map((until) => ({ player: named(`until_${until}`), until }))))).toContain('emil')
})
