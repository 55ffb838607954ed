/** What several facts of a kind in a row come to in the log: a way sailed in several legs is one line. */

import { bodyOf } from '../../protocol/body'
import type { Told } from '../../protocol/wire'
import type { Gathered } from '../title'
import { campaignLog } from './campaign/words.svelte'
import type { AirStepsLost, DayIs, Found, OutOfSight, Sailed } from './facts'

export function gathers(fact: Told): Gathered | null {
  switch (fact.type) {
    case 'Sailed': {
      const { tf, path } = bodyOf<Sailed>(fact)
      const to = path.at(-1)
      return to ? { what: 'task forces sail', item: `[${tf}] to ${to}` } : null
    }
    case 'Found':
      return { what: 'task forces are Detected', item: `[${bodyOf<Found>(fact).tf}]` }
    case 'OutOfSight':
      return { what: 'task forces go out of sight', item: `[${bodyOf<OutOfSight>(fact).tf}]` }
    case 'AirStepsLost': {
      const { unit, steps } = bodyOf<AirStepsLost>(fact)
      return { what: 'air steps lost', item: `[${unit}] ${steps}`, many: steps }
    }
    case 'DayIs': {
      const { day } = bodyOf<DayIs>(fact)
      return day ? { what: 'days pass', item: `day ${day}` } : null
    }
    default:
      return campaignLog()?.monthGathers(fact) ?? null
  }
}
