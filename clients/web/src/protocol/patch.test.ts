import { describe, expect, it } from 'vitest'
import { patched } from './patch'

// The cases of RFC 7396, appendix A.
const CASES: [unknown, unknown, unknown][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
]

describe('merge patch', () => {
  it.each(CASES)('%j patched with %j', (target, change, wanted) => {
    expect(patched(target, change)).toEqual(wanted)
  })

  it('changes nothing in place and shares what it does not touch', () => {
    const before = { kept: { deep: [1, 2] }, changed: { one: 1, two: 2 } }
    const after = patched(before, { changed: { one: 9 } })

    expect(before.changed.one).toBe(1)
    expect(after.kept).toBe(before.kept)
  })

  it('takes no field from the prototype', () => {
    expect(patched({}, { toString: { a: 1 } })).toEqual({ toString: { a: 1 } })
  })
})
