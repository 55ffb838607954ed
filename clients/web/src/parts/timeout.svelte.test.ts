import { flushSync, mount, unmount } from 'svelte'
import { expect, test } from 'vitest'
import { NO_MATCH, type TableView } from '../protocol/wire'
import TimeOut from './TimeOut.svelte'

const seats = ['Red', 'Blue'].map((name, side) => ({ name, side }))
const view: TableView = {
  match: { ...NO_MATCH, started: true, seats, clock: { bank: 60, increment: 0, cap: 0, by_claim: true } },
  asked: [1],
  table: {},
  clocks: { at: 0, left: { 1: 0 }, late: { 1: 2 } },
}

/** What is said, and what may be done, when time is out for the third time in a row. */
function third(paired: boolean): [string, (string | null)[]] {
  const target = document.createElement('div')
  const watching = { id: 'm', players: {}, match: { paired, private: false } }
  const bar = mount(TimeOut, { target, props: { view, mine: [0], watching, claim: () => undefined } as never })
  flushSync()
  const found = [...target.querySelectorAll('button')].map((one) => one.textContent)
  const said = target.textContent
  void unmount(bar)
  return [said, found]
}

test('a seat is offered to others, but for one of a tournament: there its director is asked', () => {
  expect(third(false)[1]).toEqual(['Play on', 'Claim the win', 'Offer the seat to others'])
  const [said, found] = third(true)
  expect(found).toEqual(['Play on', 'Claim the win'])
  expect(said).toContain('its director says')
})
