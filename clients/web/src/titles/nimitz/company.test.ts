import { describe, expect, it } from 'vitest'
import { NO_MATCH, type TableView } from '../../protocol/wire'
import type { Counter, Decision, Force, Plane } from './shown'
import { company } from './company'
import { choice } from './words'

const KINDS: Record<string, Partial<Counter>> = {
  saratoga: { kind: 'SHIP', type: 'CV' },
  enterprise: { kind: 'SHIP', type: 'CV' },
  marines: { kind: 'INF', type: 'MARINE' },
  away: { kind: 'SHIP', type: 'DD' },
  spent: { kind: 'SHIP', type: 'DD' },
}
const NAMES = { saratoga: 'Saratoga' }

function tableWith(more: object): TableView {
  const at = (place: string): Force => ({ place })
  const forces = { saratoga: at('HI'), enterprise: at('HI'), marines: at('HI'), spent: at('HI'), away: at('NC') }
  const counters = Object.fromEntries(Object.entries(KINDS).map(([id, one]) => [id, { side: 'US', name: id, ...one }]))
  return { match: { ...NO_MATCH, title: 'nimitz' }, asked: [0], table: { turn: 1, forces, counters, ...more } }
}

const choices = (list: Decision[], view: TableView): ReturnType<typeof choice>[] => list.map((one) => choice(one, view, NAMES))

describe('who goes along', () => {
  const moves = (view: TableView): ReturnType<typeof choice>[] =>
    choices(
      ['saratoga', 'enterprise', 'marines', 'away'].map((force) => ({ type: 'MoveForce', force, target: 'MI' })),
      view,
    )

  it('is who lies there and can still move: those of the kind, and all of them', () => {
    const view = tableWith({})

    expect(company('saratoga', moves(view), view, NAMES)).toEqual([
      { label: 'All 2 ships here', ids: ['saratoga', 'enterprise'] },
      { label: 'All 3 forces here', ids: ['saratoga', 'enterprise', 'marines'] },
    ])
  })

  it('is nobody where a force lies alone, or where nothing is sent anywhere', () => {
    const view = tableWith({})

    expect(company('away', moves(view), view, NAMES)).toEqual([])
    expect(company('saratoga', choices([{ type: 'Repair', force: 'saratoga' }], view), view, NAMES)).toEqual([])
  })

  it('is, of aircraft in battle, who has the same home', () => {
    const planes: Record<string, Plane> = { a: { home: 'saratoga' }, b: { home: 'saratoga' }, c: {}, d: {}, e: { home: 'enterprise' } }
    const view = tableWith({ battle: { area: 'SO', planes } })
    const flights = choices(
      Object.keys(planes).map((aircraft) => ({ type: 'SendAircraft', aircraft, area: 'JO' })),
      view,
    )

    expect(company('a', flights, view, NAMES)).toEqual([{ label: 'All 2 aircraft of Saratoga', ids: ['a', 'b'] }])
    expect(company('d', flights, view, NAMES)).toEqual([{ label: 'All 2 aircraft on airfields', ids: ['c', 'd'] }])
    expect(company('e', flights, view, NAMES)).toEqual([])
  })
})

describe('the end of sending aircraft', () => {
  const label = (planes: Record<string, Plane>): string => {
    const view = tableWith({ battle: { planes }, counters: { f6f: { side: 'US' }, a6m: { side: 'JA' } } })
    return choice({ type: 'DoneAir' }, view, {}).label
  }

  it('leaves the others at home, if there are others', () => {
    expect(label({ f6f: { home: 'saratoga' } })).toBe('The others stay home')
    expect(label({ f6f: { home: 'saratoga', at: 'JO' }, a6m: {} })).toBe('Let them fly')
    expect(label({ f6f: { home: 'saratoga', flown: true } })).toBe('Let them fly')
  })
})
