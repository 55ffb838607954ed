import { describe, expect, it } from 'vitest'
import { read } from '../../rules/figures'
import { sections } from '../../words/log'
import { battleIn, shots } from './battle/naval'
import { missionIn } from './battle/strike'
import { figures } from './figures'
import { title } from './index'
import { tableOf } from './reading'

const films = read((await figures.films()).default)

describe('the examples of the rulebook', () => {
  it.each([...films])('%s has an outcome for each die on the combat table', (_, film) => {
    const rolls = sections(film.facts, title).flatMap(({ entries }) => entries.flatMap(({ roll }) => roll ?? []))
    const onTable = rolls.filter(({ target }) => target.includes('column'))

    expect(onTable.length).toBeGreaterThan(5)
    expect(onTable.filter((roll) => !title.outcome?.(roll))).toEqual([])
  })

  it('draws each shot of the three phases at night with her die', () => {
    const film = films.get('P38.4')!
    const orders = film.facts.filter(({ type }) => type === 'OrdersGiven')
    const ends = [orders[2]!.seq - 1, orders[4]!.seq - 1, film.length]
    const volleys = ends.map((at) => shots(tableOf(film.view(at)), battleIn(film.view(at), film.past(at))!.facts))

    expect(volleys.map((all) => all.map(({ roll }) => roll?.hits))).toEqual([
      [0, 0, 0, 1, 0, 0, 0, 2],
      [2, 0, 0, 0, 1, 0, 0, 0, 0, 0],
      [2, 0, 0, 0, 0, 0, 0],
    ])
  })

  it('has what came of both strikes', () => {
    const film = films.get('P38.3')!
    const { raids } = missionIn(film.view(film.length), film.past(film.length))!

    expect(raids.map(({ targets }) => targets.map(({ ship, hits }) => [ship, hits]))).toEqual([
      [
        ['cv_shokaku', 3],
        ['cv_zuikaku', 1],
      ],
      [['cv_lexington', 5]],
    ])
  })
})
