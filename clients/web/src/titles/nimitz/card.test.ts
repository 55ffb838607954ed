import { describe, expect, it } from 'vitest'
import { NO_MATCH, type TableView, type Told } from '../../protocol/wire'
import { card } from './card'
import { gathers } from './gathers'
import { described, tableOf } from './reading'
import type { Counter, Decision, Force, Ratings } from './shown'
import { bundles, choice, silent } from './words'

const bare: Ratings = { aaa_sup: 0, dogfight_sup: 0 }
const faces = (full: Partial<Ratings>): Counter['ratings'] => ({ full: { ...bare, ...full }, damaged: bare })

function tableWith(counters: Record<string, Partial<Counter>>, forces: Record<string, Force>, more: object = {}): TableView {
  const all = Object.entries(counters).map(
    ([id, one]) => [id, { side: 'US', name: id, value: 1, buy: 2, ratings: faces({}), ...one }] as const,
  )
  const map = { PH: { id: 'PH' }, HI: { id: 'HI' } }
  return {
    match: { ...NO_MATCH, title: 'nimitz' },
    asked: [0],
    table: { turn: 1, step: 4, map, counters: Object.fromEntries(all), forces, ...more },
  }
}

describe('the card of a force', () => {
  const counters: Record<string, Partial<Counter>> = {
    army: { kind: 'INF', type: 'ARMY' },
    carrier: { kind: 'SHIP', type: 'CV', ratings: faces({ aaa: 6, aaa_sup: 3 }) },
    group: { kind: 'LBA', type: 'BOMBER', ratings: faces({ dogfight: 8, dogfight_sup: 4, bomb_ship: 1 }) },
    heavy: { kind: 'LBA', type: 'BOMBER', ratings: faces({ bomb_ship: 2 }) },
    enemy: { kind: 'INF', type: 'ARMY', side: 'JA' },
  }
  const at = (place: string, more: object = {}): Force => ({ place, ...more })
  const notes = (id: string, forces: Record<string, Force>, more: object = {}): string =>
    card(id, tableWith(counters, forces, more), {})!.notes.join(' · ')

  it('says why infantry beside the enemy may not move, while forces move (N6.4)', () => {
    const forces = { army: at('PH'), carrier: at('PH'), enemy: at('PH') }

    expect(notes('army', forces)).toContain('may not move: Japanese forces are here')
    expect(notes('carrier', forces)).not.toContain('may not move')
    expect(notes('army', { ...forces, enemy: at('HI') })).not.toContain('may not move')
    expect(notes('army', forces, { step: 2 })).not.toContain('may not move')
    expect(notes('army', { ...forces, army: at('HI', { moved: true }) })).toContain('has moved')
  })

  it('says where Australian forces may go (N6.4)', () => {
    const map = { AU: { name: 'Australia', au: true }, NG: { name: 'New Guinea', au: true }, PH: { name: 'Philippines', au: false } }
    const view = tableWith({ diggers: { kind: 'INF', type: 'ARMY', nation: 'AU' } }, { diggers: { place: 'AU' } }, { map })

    expect(card('diggers', view, {})!.notes).toContain('enters Australia, New Guinea only')
  })

  it('says how two values behind a stroke are read (N0.2)', () => {
    const view = tableWith(counters, {})

    expect(card('carrier', view, {})!.text).toBe('6/3: a die of 6 or less hits, of 3 or less twice.')
    expect(card('heavy', view, {})!.text).toBe('')
  })

  it('calls a bomber that can fight in a dogfight by both names (N1.5)', () => {
    const view = tableWith(counters, {})

    expect(card('group', view, {})!.what).toBe('United States: fighter-bombers')
    expect(card('heavy', view, {})!.what).toBe('United States: bombers')
    expect(described(tableOf(view), 'group', {})).toContain('United States fighter-bombers')
  })
})

describe('groups that are lost', () => {
  const counters: Record<string, Partial<Counter>> = { a: { kind: 'LBA', type: 'BOMBER' }, b: { kind: 'LBA', type: 'BOMBER' } }
  const labels = (fields: number): string[] => {
    const view = tableWith(
      counters,
      {},
      {
        battle: {
          airfields: { US: fields, JA: 0 },
          rooms: {},
          ships: {},
          planes: {},
          foxhole: [],
          beach: [],
          transports: { JA: [], US: [] },
        },
      },
    )
    const list = ['a', 'b'].map((aircraft): Decision => ({ type: 'LoseAircraft', aircraft }))
    return bundles(
      list.map((one) => choice(one, view, {})),
      view,
      {},
    ).map(({ label }) => label)
  }

  it('go by one button where all of them are lost, and one by one where some stay', () => {
    expect(labels(0)).toEqual(['Lose them all (2)'])
    expect(labels(1)).toEqual([])
  })
})

describe('the log', () => {
  const fact = (type: string, body: object): Told => ({ seq: 1, type, body: JSON.stringify(body), words: '' }) as Told

  it('gathers by area who may not move, whatever the reason', () => {
    expect(gathers(fact('HeldBack', { forces: ['x'], area: 'WI', why: 'alone there', rule: 'N5.1' }))).toEqual({
      what: 'areas of Japan where forces may not move',
      item: '[WI] (alone there)',
    })
  })

  it('counts the ships that come back from port, and leaves their names to whoever opens the line', () => {
    expect(gathers(fact('InPort', { forces: ['a', 'b'], to: 'P1' }))!.item).toBe('2 to [P1]')
  })

  it('tells what was bought, and income, but not each price', () => {
    const paid = (why: string): boolean => silent(fact('SupplyIs', { seat: 0, change: -2, supply: 4, why }))

    expect(['for a purchase', 'for a scout', 'for the sortie of [x]'].map(paid)).toEqual([true, true, true])
    expect(['income', 'given to the other commander'].map(paid)).toEqual([false, false])
  })
})
