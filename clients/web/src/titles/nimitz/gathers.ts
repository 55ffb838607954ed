/** What several facts of a kind in a row come to, for one line of the log. */

import { bodyOf } from '../../protocol/body'
import type { Told } from '../../protocol/wire'
import { the } from '../../words/article'
import type { Gathered } from '../title'
import { AREAS } from './atlas'
import type { AirborneOver, ForceMoved, HeldBack, InPort, ShipsPlaced } from './facts'

const WHAT: Record<string, string> = {
  PlanBought: 'battle plans bought',
  PlanDrawn: 'Japanese plans drawn',
  Reserved: 'forces reserved for the invasion of Japan',
  Bought: 'forces bought',
  Repaired: 'forces repaired',
  Reinforced: 'Japanese forces return',
  FlightsReady: 'carriers have their aircraft ready',
  ScoutPlaced: 'scouts placed',
}

const ids = (some: readonly string[]): string => some.map((id) => `[${id}]`).join(', ')

/** Whose they are: ids of forces say it. */
const side = (id: string): string => (/^(\d+-)?ja-/.test(id) ? 'Japanese' : 'US')

/** An area within a sentence, with the article of its name. */
function articled(area: string): string {
  return the(AREAS.find(({ id }) => id === area)?.name ?? '', `[${area}]`)
}

export function gathers(fact: Told): Gathered | null {
  switch (fact.type) {
    case 'ForceMoved': {
      const { force, to } = bodyOf<ForceMoved>(fact)
      return { what: `US forces move to ${articled(to)}`, item: `[${force}]` }
    }
    case 'HeldBack': {
      const { area, why } = bodyOf<HeldBack>(fact)
      return { what: 'areas of Japan where forces may not move', item: `[${area}] (${why})` }
    }
    case 'InPort': {
      const { forces, to } = bodyOf<InPort>(fact)
      return { what: 'US forces return', item: `${forces.length} to ${articled(to)}`, many: forces.length }
    }
    case 'AirborneOver': {
      const { aircraft, area } = bodyOf<AirborneOver>(fact)
      return { what: `${side(aircraft[0] ?? '')} flights to [${area}]`, item: ids(aircraft) }
    }
    case 'ShipsPlaced': {
      const { ships, area } = bodyOf<ShipsPlaced>(fact)
      return { what: `${side(ships[0] ?? '')} groups placed in ${articled(area)}`, item: ids(ships), many: ships.length }
    }
    default: {
      const what = WHAT[fact.type]
      return what ? { what } : null
    }
  }
}
