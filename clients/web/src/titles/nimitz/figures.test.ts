import { describe, expect, it } from 'vitest'
import { read } from '../../rules/figures'
import { figures } from './figures'
import { tableOf } from './reading'

const films = read((await figures.films()).default)

describe('the figures of the rulebook', () => {
  it.each(Object.entries(figures.pictures))('%s lights up what lies on its board', (_, { film, at = 1, lit = [] }) => {
    const table = tableOf(films.get(film)!.view(at))
    const there = new Set([...Object.keys(table.map), ...Object.keys(table.forces)])

    expect(lit.filter((id) => !there.has(id))).toEqual([])
  })
})
