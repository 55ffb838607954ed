/** Pacific War as it is shown and heard happening. */

import { bodyOf } from '../../protocol/body'
import type { TableView, Told } from '../../protocol/wire'
import { rollOf } from '../../words/log'
import type { Sound, Staging } from '../title'
import type { BaseIs, Fact, RaidsAre, ShipHit, UnitLost } from './facts'
import { tableOf } from './reading'
import type { Ship } from './shown'
import { shipOf } from './battle/units'
import { silent } from './words'

const SOUNDS: Partial<Record<Fact['type'], Sound>> = {
  ShipHit: 'hit',
  UnitLost: 'sinking',
  AirStepsLost: 'hit',
  BaseIs: 'hit',
  GroundStepsLost: 'hit',
  Found: 'bell',
}
const FIRES: ReadonlySet<string> = new Set(['guns', 'torpedoes', 'flak', 'the fort replies', 'bombardment', 'anti-submarine attack'])

/** The table of before with what was hit and sunk by now: a ship burns when her dice have fallen. */
function ground(before: TableView, after: TableView, told: readonly Told[]): TableView {
  const hurt = told.filter(({ type }) => type === 'ShipHit' || type === 'UnitLost')
  if (!hurt.length) return before
  const [was, then] = [tableOf(before), tableOf(after)]
  const ships: Record<string, Ship> = { ...was.ships }
  const lost = { ...was.lost }
  for (const fact of hurt) {
    if (fact.type === 'ShipHit') {
      const { ship, damage, of } = bodyOf<ShipHit>(fact)
      const now = ships[ship] ?? then.ships[ship]
      if (now) ships[ship] = { ...now, damage, crippled: damage * 2 >= of }
    } else {
      const { unit, how } = bodyOf<UnitLost>(fact)
      lost[unit] = how
    }
  }
  const own = was.own && {
    ...was.own,
    ships: Object.fromEntries(
      Object.entries(was.own.ships).map(([id, one]) => [
        id,
        ships[id] ? { ...one, damage: ships[id].damage, crippled: ships[id].crippled } : one,
      ]),
    ),
  }
  return { ...before, table: { ...was, ships, lost, ...(own ? { own } : {}) } }
}

export const scene: Staging = {
  ground,
  opens: new Set<Fact['type']>(['Found', 'UnitLost', 'NotFound', 'InterceptTried', 'WentAshore', 'AdvantageIs', 'LightingIs']),
  passed: new Set<Fact['type']>([
    'Shown',
    'UnitsAre',
    'CameBack',
    'OutOfSight',
    'Looked',
    'CapIs',
    'OrdersGiven',
    'Sailed',
    'MarkerPlaced',
    'MarkerRemoved',
  ]),
  near: (id, view) => {
    const table = tableOf(view)
    const ship = shipOf(table, id)
    const air = table.own?.air[id] ?? table.air[id]
    const troops = table.own?.ground[id] ?? table.ground[id]
    const at = ship ? (ship.tf ?? ship.port) : air ? (shipOf(table, air.home)?.tf ?? air.home) : troops?.hex
    const node = table.tfs[at ?? id]?.node
    return [...(at ? [at] : []), ...(node ? [node] : [])]
  },
  sound: (fact) => {
    if (fact.type === 'RaidsAre') return silent(fact) || !bodyOf<RaidsAre>(fact).raids.length ? '' : 'engines'
    if (fact.type === 'UnitLost') return bodyOf<UnitLost>(fact).how === 'sunk' ? 'sinking' : 'hit'
    // A repair is not heard.
    if (fact.type === 'BaseIs') return bodyOf<BaseIs>(fact).why.includes('hit') ? 'hit' : ''
    if (fact.type === 'Rolled') return FIRES.has(rollOf(fact).purpose) ? 'flak' : 'dice'
    return SOUNDS[fact.type as Fact['type']] ?? ''
  },
}
