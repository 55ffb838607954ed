import { flushSync, mount, unmount } from 'svelte'
import { expect, test } from 'vitest'
import { LONGEST, WHOLE } from '../protocol/records'
import type { Told } from '../protocol/wire'
import Log from './Log.svelte'

/** What the log makes of these facts. */
function drawn<Found>(facts: readonly number[], live: boolean, look: (target: HTMLElement) => Found): Found {
  const target = document.createElement('div')
  const told = facts.map((seq) => ({ seq, type: 'Ready', words: '', at: 0, body: '{}' }) as unknown as Told)
  const props = {
    facts: told,
    deed: () => [],
    title: null,
    known: { names: {}, sides: [], seats: [] },
    match: 'm',
    token: '',
    chronicle: null,
    upto: facts.at(-1)!,
    live,
    show: () => undefined,
    rule: () => undefined,
    dispute: () => undefined,
  }
  const log = mount(Log, { target, props: props as never })
  flushSync()
  const found = look(target)
  void unmount(log)
  return found
}

const links = (facts: readonly number[], live: boolean): (string | null)[] =>
  drawn(facts, live, (target) => [...target.querySelectorAll('a')].map((link) => link.getAttribute('href')))
const heads = (facts: readonly number[]): string[] =>
  drawn(facts, false, (target) => [...target.querySelectorAll('h2')].map((head) => head.textContent.replace(/^\s*[▾▸]\s*/, '').trim()))

test('given a match of which the log has the last passage, then it says so and links to the whole of it', () => {
  expect(links([WHOLE - LONGEST + 1, WHOLE + 1], true)).toEqual(['/match/m/replay#0'])
  expect(links([1, WHOLE - 1], true), 'it has all').toEqual([])
  expect(links([WHOLE - LONGEST + 1, WHOLE + 1], false), 'in the replay the strip of time has all').toEqual([])
})

test('given a log that begins in the midst of a match whose chapters are not known yet, then what comes first is called earlier', () => {
  expect(heads([5_001, 5_002])).toEqual(['Earlier'])
  expect(heads([1, 2])).toEqual(['Set-up'])
})
