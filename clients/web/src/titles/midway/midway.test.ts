import { describe, expect, it } from 'vitest'
import stepsText from '../../fixtures/duel.steps.jsonl?raw'
import { Film } from '../../protocol/film'
import { lines } from '../../protocol/records'
import type { Frame, TableView, Told } from '../../protocol/wire'
import { isTall, plan } from './plan'
import { COUNTER, fanScale, layout, least, NAMED, rows } from './places'
import { tableOf } from './reading'
import { type Decision, DECISIONS } from './shown'
import { scene } from './scene'
import { bundles, choice, standing } from './words'

const film = new Film(lines<Frame>(stepsText))
const last = film.view(film.length)

describe('the plan', () => {
  it.each([0.5, 0.8, 1, 1.3, 1.8])('has a place for every group that is not lost, alone or in a stack, at aspect %d', (aspect) => {
    for (let at = 0; at <= film.length; at++) {
      const table = tableOf(film.view(at))
      const chart = plan(table, aspect)
      const { singles, stacks } = layout(table, chart, least(0.6, isTall(aspect)))
      const present = Object.entries(table.groups).filter(([, group]) => group.place !== 'LOST')

      expect([...singles.keys(), ...stacks.flatMap((stack) => stack.ids)].sort()).toEqual(present.map(([id]) => id).sort())
      expect(stacks.every((stack) => stack.ids.length > 1)).toBe(true)
      for (const { x, y } of [...singles.values(), ...stacks]) {
        expect(x).toBeGreaterThan(0)
        expect(x).toBeLessThan(chart.width)
        expect(y).toBeGreaterThan(0)
        expect(y).toBeLessThan(chart.height)
      }
    }
  })

  it('makes stacks of one kind, and only where counters would be too small to read', () => {
    const { groups } = tableOf(last)
    const crowd = {
      ...tableOf(last),
      groups: Object.fromEntries(Object.entries(groups).map(([id, group]) => [id, { ...group, place: 'MOVING' }])),
    }
    const chart = plan(crowd, 1.2)
    const large = layout(crowd, chart, least(3, false))
    const small = layout(crowd, chart, least(0.6, false))

    expect(large.stacks).toEqual([])
    expect(small.stacks.length).toBeGreaterThan(0)
    for (const { ids } of small.stacks) expect(new Set(ids.map((id) => crowd.groups[id]!.type)).size).toBe(1)
    for (const { scale } of [...small.singles.values(), ...small.stacks]) expect(scale * COUNTER.h * 0.6).toBeGreaterThanOrEqual(26)
  })

  it('fans counters out so large that each names its carrier, as far as a board can be', () => {
    for (const unit of [0.32, 0.5, 0.7, 1, 1.4]) expect(fanScale(unit) * unit).toBeGreaterThanOrEqual(NAMED)
  })

  it('keeps rows inside their box, however many counters there are', () => {
    const rect = { x: 100, y: 50, w: 200, h: 150 }
    for (let count = 1; count <= 29; count++) {
      for (const { x, scale } of rows(rect, count)) {
        expect(x - (COUNTER.w * scale) / 2).toBeGreaterThanOrEqual(rect.x - 1)
        expect(x + (COUNTER.w * scale) / 2).toBeLessThanOrEqual(rect.x + rect.w + 1)
      }
    }
  })
})

describe('choices', () => {
  const view = film.view(7)
  const make = (decision: Decision) => choice(decision, view, { 'KAG-F1': 'Kaga fighters 1', KAGA: 'Kaga' })

  it('say in words what they do, and where to click', () => {
    expect(make({ type: 'LAND', group: 'KAG-F1', ship: 'KAGA' })).toMatchObject({ path: ['KAG-F1', 'KAGA'] })
    expect(make({ type: 'LAUNCH', group: 'KAG-F1', to: 'CAP:1' }).path).toEqual(['KAG-F1', 'JP:CAP:1'])
    expect(make({ type: 'DONE' })).toMatchObject({ path: [], leaves: true })
  })

  it('say what is done with each step that somebody ends', () => {
    const table = tableOf(view)
    for (const { step, name } of table.sequence) {
      const at = { ...view, table: { ...table, steps: [step] } }
      expect(choice({ type: 'DONE' }, at, {}).label, name).toMatch(/^Done ./)
    }
  })

  it('have words for every decision of the game', () => {
    for (const type of DECISIONS) {
      const fields = { group: 'KAG-F1', ship: 'KAGA', plane_type: 'D', search_group: 2, to: 'MOVING' }
      const { label } = make({ type, ...fields } as Decision)
      expect(label.toLowerCase()).not.toBe(type.toLowerCase().replaceAll('_', ' '))
    }
  })

  it('gather a whole deck behind one button, pick by pick', () => {
    const deck = Object.entries(tableOf(last).groups)
      .filter(([, group]) => group.side === 0)
      .slice(0, 3)
    const list = deck.map(([id]) => choice({ type: 'CAP_VS_BOMBERS', group: id }, last, {}))
    const [all] = bundles(list, last, {})

    expect(all?.count).toBe(3)
    expect(all?.next(list)).toBe(list[0])
    expect(all?.next([])).toBeUndefined()
  })
})

describe('the search', () => {
  const view = film.view(7)
  const { groups } = tableOf(view)
  const [one, two, three] = Object.keys(groups).filter((id) => groups[id]!.type === 'D') as [string, string, string]
  const unfound = (found: { JP: boolean; US: boolean }): string => standing({ ...view, table: { ...tableOf(view), found } })?.words ?? ''

  it('asks about a group that is marked, with buttons that need not name it', () => {
    const search = choice({ type: 'SEARCH_ASSIGN', group: one, search_group: 2 }, view, {})

    expect(search).toMatchObject({ path: [one], button: true, short: 'Search group 2' })
    expect(search.label.toLowerCase()).toContain('search group 2')
  })

  it('lays together who flies together, of whatever type', () => {
    const chart = plan(tableOf(view), 1.2)
    const table = { ...tableOf(view), groups: { ...groups } }
    for (const id of Object.keys(groups)) table.groups[id] = { ...groups[id]!, side: 1, place: 'MOVING' }
    for (const id of [one, two, three]) table.groups[id] = { ...table.groups[id]!, search_group: id === three ? 2 : 1 }
    const { singles, stacks } = layout(table, chart, least(1, false))

    expect(stacks.map(({ ids }) => ids)).toContainEqual([one, two])
    expect(singles.has(three)).toBe(true)
  })

  it('says who flies with which group so far', () => {
    const table = tableOf(view)
    const searching = { ...groups, [one]: { ...groups[one]!, search_group: 1 }, [two]: { ...groups[two]!, search_group: 3 } }
    const now = { ...view, table: { ...table, groups: searching, found: { JP: true, US: false } } } as unknown as TableView

    expect(standing(now)?.words).toBe('Search groups so far: 1 D · 2 – · 3 D · 4 –.')
  })

  it('says until then which fleet is not found', () => {
    expect(unfound({ JP: true, US: false })).toContain('The Japanese fleet is not found')
    expect(unfound({ JP: false, US: true })).toContain('The American fleet is not found')
    expect(unfound({ JP: false, US: false })).toContain('Neither fleet')
    expect(unfound({ JP: true, US: true })).toBe('')
  })
})

describe('the table of a scene', () => {
  const told = (type: string, body: object): Told => ({ seq: 1, type, body: JSON.stringify({ type, ...body }), words: '' }) as Told
  const [ship] = Object.keys(tableOf(last).carriers)
  const [group, gone] = Object.keys(tableOf(last).groups)
  const start = Array.from({ length: film.length }, (_, at) => film.view(at)).find((view) => tableOf(view).carriers[ship!])!
  const shown = (...facts: Told[]): ReturnType<typeof tableOf> => tableOf(scene.ground!(start, last, facts, false))

  it('shows hits and losses when they were told, and not before', () => {
    expect(shown()).toEqual(tableOf(start))

    const hit = told('CarrierDamaged', { ship, hits: 7, damage: 7 })
    const lost = told('StrengthLost', { group, points: 1, strength: 4, cause: 'AA' })
    expect(shown(hit).carriers[ship!]).toMatchObject({ damage: 7, state: 'operational' })
    expect(shown(hit, told('CarrierCrippled', { ship })).carriers[ship!]).toMatchObject({ damage: 7, state: 'crippled' })
    expect(shown(lost).groups[group!]!.strength).toBe(4)
    expect(shown(told('GroupLost', { group: gone, points: 1, cause: 'AA' })).groups[gone!]).toEqual(tableOf(last).groups[gone!])
    expect(shown(told('CarrierSunk', { ship, hits: 9, groups: [gone] })).carriers[ship!]).toMatchObject({ damage: 10, state: 'sunk' })
  })

  it('knows what a group lies on: its box, its carrier, the CAP', () => {
    const place = (where: string): string[] => {
      const groups = {
        ...(start.table as { groups: object }).groups,
        [group!]: { ...tableOf(start).groups[group!], side: 'JP', place: where },
      }
      return scene.near!(group!, { ...start, table: { ...(start.table as object), groups } })
    }

    expect(place('READY')[0]).toBe('JP:READY')
    expect(place('HANGAR:KAGA')).toContain('KAGA')
    expect(place('CAP:3')[0]).toBe('JP:CAP:1')
  })
})
