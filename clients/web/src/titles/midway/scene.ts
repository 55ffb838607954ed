/** Midway as it is shown and heard happening. */

import { bodyOf } from '../../protocol/body'
import type { TableView, Told } from '../../protocol/wire'
import type { Sound, Staging } from '../title'
import type { Fact, GroupMoved } from './facts'
import { boxId, CIRCLES, tableOf } from './reading'
import type { Table } from './shown'

const SOUNDS: Partial<Record<Fact['type'], Sound>> = {
  StrengthLost: 'hit',
  GroupLost: 'hit',
  CarrierDamaged: 'hit',
  CarrierCrippled: 'hit',
  CarrierSunk: 'sinking',
}

const HITS: ReadonlySet<string> = new Set<Fact['type']>(['CarrierDamaged', 'CarrierCrippled', 'CarrierSunk', 'GroupLost', 'StrengthLost'])

/** The table of before with the hits and losses that were told by now: a ship burns when her dice have fallen. */
function ground(before: TableView, after: TableView, told: readonly Told[]): TableView {
  const hits = told.filter(({ type }) => HITS.has(type))
  if (!hits.length) return before
  const [was, then] = [before.table as Table, after.table as Table]
  const [carriers, groups] = [{ ...was.carriers }, { ...was.groups }]
  const ship = (name: string, more: Partial<Table['carriers'][string]>): void => {
    const known = carriers[name]
    if (known) carriers[name] = { ...known, ...more }
  }
  const lost = (ids: readonly string[]): void => {
    for (const id of ids) if (then.groups[id]) groups[id] = then.groups[id]
  }
  for (const one of hits) {
    const fact = bodyOf<Fact>(one)
    if (fact.type === 'CarrierDamaged') ship(fact.ship, { damage: fact.damage })
    else if (fact.type === 'CarrierCrippled') ship(fact.ship, { state: 'crippled' })
    else if (fact.type === 'CarrierSunk') {
      ship(fact.ship, { state: 'sunk', damage: CIRCLES })
      lost(fact.groups)
    } else if (fact.type === 'GroupLost') lost([fact.group])
    else if (fact.type === 'StrengthLost' && groups[fact.group]) {
      groups[fact.group] = { ...groups[fact.group]!, strength: fact.strength }
    }
  }
  return { ...before, table: { ...was, carriers, groups } }
}

export const scene: Staging = {
  ground,
  opens: new Set<Fact['type']>(['FleetFound', 'CarrierDamaged', 'CarrierSunk']),
  passed: new Set<Fact['type']>(['GroupMoved', 'HitsDesignated', 'Targeted', 'Committed', 'SearchAssigned']),
  near: (id, view) => {
    const group = tableOf(view).groups[id]
    if (!group) return [id.replace(/^(DECK|HANGAR):/, '')]
    // The rings of a CAP are one thing, by the name of the first.
    return [boxId(group.side, group.place.replace(/^CAP:.*/, 'CAP:1')), group.place.replace(/^(DECK|HANGAR):/, '')]
  },
  sound: (fact: Told) => {
    if (fact.type === 'GroupMoved') {
      const { from, to } = bodyOf<GroupMoved>(fact)
      return from.startsWith('DECK:') && !to.includes(':') ? 'engines' : ''
    }
    if (fact.type === 'Rolled') return fact.body.includes('"purpose":"AA"') ? 'flak' : 'dice'
    return SOUNDS[fact.type as Fact['type']] ?? ''
  },
}
