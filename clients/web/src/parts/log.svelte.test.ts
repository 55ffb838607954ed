import { flushSync, mount, unmount } from 'svelte'
import { expect, test } from 'vitest'
import { LONGEST, WHOLE } from '../protocol/records'
import type { Told } from '../protocol/wire'
import Log from './Log.svelte'

/** The links of a log that has these facts. */
function links(facts: readonly number[], live: boolean): (string | null)[] {
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
  const found = [...target.querySelectorAll('a')].map((link) => link.getAttribute('href'))
  void unmount(log)
  return found
}

test('given a match of which the log has the last passage, then it says so and links to the whole of it', () => {
  expect(links([WHOLE - LONGEST + 1, WHOLE + 1], true)).toEqual(['/match/m/replay#0'])
  expect(links([1, WHOLE - 1], true), 'it has all').toEqual([])
  expect(links([WHOLE - LONGEST + 1, WHOLE + 1], false), 'in the replay the strip of time has all').toEqual([])
})
