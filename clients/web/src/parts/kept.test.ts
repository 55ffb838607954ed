import { describe, expect, it } from 'vitest'
import { keeper } from './kept'

describe('what is kept', () => {
  it('is the same object while its fields and the items of its lists are the same', () => {
    const kept = keeper<{ id: string; ids: string[]; lit: boolean }>()
    const one = kept('a', { id: 'a', ids: ['x', 'y'], lit: false })
    expect(kept('a', { id: 'a', ids: ['x', 'y'], lit: false })).toBe(one)
  })

  it.each([
    { id: 'a', ids: ['x', 'y'], lit: true },
    { id: 'a', ids: ['y', 'x'], lit: false },
    { id: 'a', ids: ['x'], lit: false },
  ])('is the new one where it changed: %o', (now) => {
    const kept = keeper<typeof now>()
    kept('a', { id: 'a', ids: ['x', 'y'], lit: false })
    expect(kept('a', now)).toBe(now)
    expect(kept('a', { ...now })).toBe(now)
  })

  it('is known by its key', () => {
    const kept = keeper<{ lit: boolean }>()
    const one = kept('a', { lit: true })
    expect(kept('b', { lit: true })).not.toBe(one)
  })
})
