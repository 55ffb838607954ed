import { describe, expect, it } from 'vitest'
import { NO_MATCH, type TableView } from '../../protocol/wire'
import type { Counter, Decision, Force, Plane } from './shown'
import { company } from './company'
import { bundles, choice } from './words'

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

describe('bombers sent in one go', () => {
  const face = (bomb: number): Counter['ratings'] => {
    const ratings = { aaa_sup: 0, dogfight_sup: 0, bomb_ship: bomb, bomb_ground: bomb }
    return { full: ratings, damaged: { ...ratings, bomb_ship: 1, bomb_ground: 1 } }
  }
  const wings = Object.fromEntries(Array.from('abcdefghij', (id) => [id, {}]))
  const none = { airfields: {}, ships: {}, foxhole: [], beach: [], transports: { JA: [], US: [] } }
  /** What is offered for an area where `battle` stands, with ten bombers of five at home, and one of eight. */
  const offered = (area: 'CO' | 'IS', battle: object, planes: Record<string, Plane> = wings) => {
    const counters = Object.fromEntries(
      Object.keys(wings).map((id) => [id, { side: 'US', type: 'BOMBER', ratings: face(id === 'j' ? 8 : 5) }]),
    )
    const enemy = { battalion: { side: 'JA', type: 'BN' }, yamato: { side: 'JA', type: 'BB' }, sub: { side: 'JA', type: 'SS' } }
    const view = tableWith({ counters: { ...counters, ...enemy }, forces: {}, battle: { area: 'SO', ...none, ...battle, planes } })
    const home = Object.keys(planes).filter((id) => !planes[id]!.at)
    const list = choices(
      home.map((aircraft) => ({ type: 'SendAircraft', aircraft, area })),
      view,
    )
    return bundles(list, view, { IS: 'Island', CO: 'Coastal' }).map((one) => ({ label: one.label, first: one.next(list)?.path[0] }))
  }

  it('are as many as hit enough of what is there, the strongest with them, and the label counts the others', () => {
    const alone = { foxhole: ['battalion'], airfields: { US: 1 } }

    expect(offered('IS', alone)).toEqual([{ label: 'Bombers to Island (5 of 10)', first: 'a' }])
    expect(offered('CO', { ships: { yamato: 'CO' } })).toEqual([{ label: 'Bombers to Coastal (5 of 10)', first: 'a' }])
    expect(offered('IS', { ...alone, airfields: { US: 1, JA: 6 } })).toEqual([{ label: 'Bombers to Island (10)', first: 'a' }])
  })

  it('are fewer by those that fly there already', () => {
    const planes = { ...wings, a: { at: 'IS' as const }, b: { at: 'IS' as const }, c: { at: 'IS' as const } }
    const alone = { foxhole: ['battalion'], airfields: { US: 1 } }

    expect(offered('IS', alone, planes)).toEqual([{ label: 'Bombers to Island (2 of 7)', first: 'd' }])
  })

  it('are none where there is nothing that they can hit', () => {
    expect(offered('IS', { foxhole: ['battalion'] })).toEqual([])
    expect(offered('CO', { ships: { sub: 'CO' } })).toEqual([])
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
