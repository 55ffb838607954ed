/** What several facts of a kind in a row come to, for one line of the log. */

import { bodyOf } from '../../protocol/body'
import type { Told } from '../../protocol/wire'
import type { Gathered } from '../title'
import type { RpHas, UnitPlaced, UnitsMoved } from './facts'

const WHAT: Record<string, string> = {
  CardDrawn: 'cards drawn',
  ChitDrawn: 'chits drawn',
  UnitReorganised: 'units reorganised',
  UnitDepleted: 'units depleted',
  UnitDisorganised: 'units disorganised',
}

/** The side that a sentence begins with. */
function by(fact: Told): string {
  return /^\[(?:japan|allied)\]/.exec(fact.words)?.[0] ?? ''
}

export function gathers(fact: Told): Gathered | null {
  if (fact.type === 'UnitPlaced') {
    const { unit, area } = bodyOf<UnitPlaced>(fact)
    return { what: `units arrive at [${area}]`, item: `[${unit}]` }
  }
  if (fact.type === 'UnitsMoved') {
    const { units, from, to, how } = bodyOf<UnitsMoved>(fact)
    if (how !== 'sail' && how !== 'march') return null
    const [, goes = ''] = / (\w+) from \[[^\]]+\] to \[[^\]]+\]$/.exec(fact.words) ?? []
    return { what: `${units.join(' ')} ${goes}`, leg: { who: units.map((id) => `[${id}]`), goes, from, to } }
  }
  if (fact.type === 'RpHas') {
    const { area, count, why } = bodyOf<RpHas>(fact)
    const along = /^carried (away|there)$/.test(why)
    return { what: `places where ${by(fact)} keeps resource points`, item: `${count} at [${area}]`, along }
  }
  const what = WHAT[fact.type]
  if (!what) return null
  const who = by(fact)
  const ids = [...fact.words.matchAll(/\[[^\]\s]+\]/g)].map(([id]) => id)
  return who ? { what: `${what} by ${who}`, item: ids[1] ?? who } : { what }
}
