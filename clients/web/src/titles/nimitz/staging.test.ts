import { expect, test } from 'vitest'
import type { Beat, Blow, Shot } from './fray'
import { staged } from './staging'
import type { Table } from './shown'

const shot = (id: string): Shot => ({ seq: 1, id, side: 'US', dice: [1], sides: 10, target: '', why: '' })
const blow = (id: string, fate: Blow['fate'], side: Blow['side'] = null): Blow => ({ seq: 1, id, side, fate })
const beat = (kind: string, area: Beat['area'], shots: Shot[], blows: Blow[]): Beat => ({
  from: 1,
  seq: 1,
  kind,
  area,
  shots,
  blows,
  over: false,
})

const before = {
  forces: { kaga: { place: 'MI' }, kongo: { place: 'MI' }, base: { place: 'MI' } },
  battle: {
    ships: { kaga: 'JO', kongo: 'JO' },
    foxhole: ['base'],
    beach: [],
    transports: { US: [], JA: [] },
    airfields: { JA: 2 },
    planes: { sbd: { home: 'big-e' }, tbd: { home: 'big-e' }, zero: { home: 'kaga' } },
  },
} as unknown as Table
const beats = [
  beat('Dogfight', 'JO', [shot('zero')], [blow('tbd', 'destroyed')]),
  beat('Bomb runs', 'JO', [shot('sbd')], [blow('kaga', 'destroyed'), blow('kongo', 'damaged')]),
  beat('Bomb runs', 'IS', [], [blow('airfield', 'hit', 'JA'), blow('base', 'destroyed')]),
]

test('what a beat destroys lies there while it is shown, in the area where it fights', () => {
  const { battle } = staged(before, beats, 0)

  expect(battle!.planes).toEqual({ sbd: { home: 'big-e' }, tbd: { home: 'big-e', at: 'JO' }, zero: { home: 'kaga', at: 'JO' } })
})

test('in the next beat it is gone, and what that one strikes is whole yet', () => {
  const { battle, forces } = staged(before, beats, 1)

  expect(Object.keys(battle!.planes)).toEqual(['sbd', 'zero'])
  expect(battle!.planes.sbd).toEqual({ home: 'big-e', at: 'JO' })
  expect(battle!.ships).toEqual({ kaga: 'JO', kongo: 'JO' })
  expect(forces.kongo).toEqual({ place: 'MI' })
})

test('in the last it is struck; airfields are counted, and the table of before is not touched', () => {
  const { battle, forces } = staged(before, [...beats, beat('Infantry', 'IS', [], [])], 3)

  expect(battle!.ships).toEqual({ kongo: 'JO' })
  expect(forces).toEqual({ kongo: { place: 'MI', damaged: true } })
  expect([battle!.airfields, battle!.foxhole]).toEqual([{ JA: 1 }, []])
  expect(before.battle!.airfields).toEqual({ JA: 2 })
})
