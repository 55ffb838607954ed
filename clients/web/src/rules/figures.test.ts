import { describe, expect, it } from 'vitest'
import { filmOf, knownIn, read } from './figures'

const SHOTS = [
  { patch: { table: { turn: 1, ship: { damage: 0 } } } },
  { type: 'Damaged', words: '[AKAGI] takes a hit', body: '{"type":"Damaged"}', patch: { table: { ship: { damage: 1 } } } },
]

describe('a film of the rulebook', () => {
  it('begins with the board, and each fact changes it', () => {
    const film = filmOf(SHOTS)

    expect(film.view(1).table).toEqual({ turn: 1, ship: { damage: 0 } })
    expect(film.view(2).table).toEqual({ turn: 1, ship: { damage: 1 } })
    expect(film.facts.map(({ seq, words }) => [seq, words])).toEqual([[2, '[AKAGI] takes a hit']])
    expect(film.past(1)).toEqual([])
  })

  it('is found by its name, and calls sides by theirs', () => {
    const film = read(`${JSON.stringify({ name: 'E1', frames: SHOTS })}\n`).get('E1')!

    expect(film.length).toBe(2)
    expect(knownIn(film, { 'side:0': 'Japan', 'side:1': 'United States' }).sides).toEqual(['Japan', 'United States'])
  })
})
