/** Points of a scenario so far (P1, P33.1), as far as one sees them: what is sunk and which air steps are lost is public, who is
 * crippled is seen of own ships and of those in sight. The count itself is made by the server, at the end. */

import type { TableView } from '../../../protocol/wire'
import { counted } from '../../../words/count'
import { shipOf } from '../battle/units'
import { campaignWords } from '../campaign/words.svelte'
import { type SideId, SIDES, tableOf } from '../reading'
import type { Table } from '../shown'

interface Place {
  side: SideId
  place: string
  points: number
  /** It counts while the side controls it; or while no Japanese ground unit is there; or both. */
  controls: boolean
  empty: boolean
  words: string
}

interface Scoring {
  sunk: Readonly<Record<string, number>>
  crippled: Readonly<Record<string, number>>
  /** So many air steps are a point. */
  steps: number
  places: readonly Place[]
  /** Results by the Japanese points less the Allied ones. */
  levels: readonly (readonly [least: number, result: string])[]
}

export const SCORING: Readonly<Record<string, Scoring>> = {
  E1: {
    sunk: { CV: 12, CVL: 7, CA: 4, CL: 3, DD: 2, AA: 3 },
    crippled: { CV: 5, CVL: 2, CA: 1, CL: 1, DD: 0, AA: 1 },
    steps: 2,
    places: [
      { side: 'JP', place: 'port_moresby', points: 20, controls: true, empty: false, words: 'controls Port Moresby' },
      { side: 'AL', place: 'port_moresby', points: 24, controls: false, empty: true, words: 'no Japanese ashore at Port Moresby' },
    ],
    levels: [
      [22, 'Japanese decisive'],
      [10, 'Japanese marginal'],
      [8, 'draw'],
      [-8, 'Allied marginal'],
      [-Infinity, 'Allied decisive'],
    ],
  },
  E2: {
    sunk: { CV: 12, BB: 6, CA: 4, CL: 3, DD: 2, CVS: 2 },
    crippled: { CV: 6, BB: 3, CA: 2, CL: 1, DD: 0, CVS: 1 },
    steps: 2,
    places: [],
    levels: [
      [76, 'Japanese decisive'],
      [72, 'Japanese marginal'],
      [66, 'draw'],
      [56, 'Allied marginal'],
      [-Infinity, 'Allied decisive'],
    ],
  },
  E3: {
    sunk: { CA: 4, CL: 3, DD: 2, AA: 6 },
    crippled: { CA: 2, CL: 1, DD: 0, AA: 3 },
    steps: 2,
    places: [],
    levels: [
      [12, 'Japanese decisive'],
      [8, 'Japanese marginal'],
      [6, 'draw'],
      [-Infinity, 'Allied marginal'],
    ],
  },
  E4: {
    sunk: { CL: 3, DD: 2, AA: 4 },
    crippled: { CL: 1, DD: 1, AA: 1 },
    steps: 1,
    places: [
      { side: 'JP', place: 'wake', points: 8, controls: true, empty: false, words: 'controls Wake Island' },
      { side: 'AL', place: 'wake', points: 6, controls: true, empty: true, words: 'hold Wake Island, no Japanese there' },
    ],
    levels: [
      [7, 'Japanese decisive'],
      [0, 'Japanese marginal'],
      [-2, 'draw'],
      [-7, 'Allied marginal'],
      [-Infinity, 'Allied decisive'],
    ],
  },
  B1: {
    sunk: { CV: 12, CVL: 7, BB: 8, CA: 4, CL: 3, DD: 2, AA: 3, CVS: 2 },
    crippled: { CV: 5, CVL: 2, BB: 3, CA: 1, CL: 1, DD: 0, AA: 1, CVS: 0 },
    steps: 2,
    places: [
      { side: 'JP', place: 'midway', points: 18, controls: true, empty: false, words: 'controls Midway' },
      { side: 'AL', place: 'midway', points: 32, controls: true, empty: true, words: 'hold Midway, no Japanese there' },
    ],
    levels: [
      [30, 'Japanese decisive'],
      [5, 'Japanese marginal'],
      [0, 'draw'],
      [-22, 'Allied marginal'],
      [-Infinity, 'Allied decisive'],
    ],
  },
}

export interface Item {
  words: string
  id: string
  points: number
}

export interface Tally {
  /** What the side has sunk and crippled of the other, by name. */
  sunk: Item[]
  crippled: Item[]
  steps: Item | null
  places: (Item & { holds: boolean })[]
  total: number
}

function placeHolds(table: Table, { side, place, controls, empty }: Place): boolean {
  const here = table.locations[place]
  if (!here) return false
  return (!controls || here.control === side) && (!empty || !table.troops.JP.includes(here.hex))
}

/** What a side would score as things stand, as far as the reader sees. */
export function tally(table: Table, side: SideId): Tally {
  const scoring = SCORING[table.scenario]
  if (!scoring) return { sunk: [], crippled: [], steps: null, places: [], total: 0 }
  const theirs = Object.entries(table.roster.ships).filter(([, one]) => one.side !== side)
  const sunk = theirs
    .filter(([id]) => table.lost[id] === 'sunk')
    .map(([id, one]) => ({ id, words: one.name, points: scoring.sunk[one.cls] ?? 0 }))
  const crippled = theirs
    .filter(([id]) => !table.lost[id] && shipOf(table, id)?.crippled)
    .map(([id, one]) => ({ id, words: one.name, points: scoring.crippled[one.cls] ?? 0 }))
  const gone = table.steps_lost[side === 'JP' ? 'AL' : 'JP']
  const steps = gone ? { id: '', words: `${gone} air ${gone === 1 ? 'step' : 'steps'}`, points: Math.floor(gone / scoring.steps) } : null
  const places = scoring.places
    .filter((one) => one.side === side)
    .map((one) => ({ id: one.place, words: one.words, points: one.points, holds: placeHolds(table, one) }))
  const of = (items: readonly Item[]): number => items.reduce((sum, one) => sum + one.points, 0)
  const total = of(sunk) + of(crippled) + (steps?.points ?? 0) + of(places.filter((one) => one.holds))
  return { sunk, crippled, steps, places, total: table.points?.[side] ?? total }
}

/** Who wins a scenario from which lead on, in words (P33.1). */
export function goalOf(scenario: string): string {
  const least = (result: string): number => SCORING[scenario]?.levels.find(([, one]) => one === result)?.[0] ?? 0
  const [decisive, wins, draw] = [least('Japanese decisive'), least('Japanese marginal'), least('draw')]
  const japan = wins > 0 ? `Japan wins with a lead of ${wins}` : 'Japan wins if it is not behind'
  const allies = draw > 0 ? `if Japan leads by less than ${draw}` : draw ? `with a lead of more than ${-draw}` : 'if they lead'
  return `${japan}, decisively with ${decisive}; the Allies win ${allies}.`
}

/** The result if the match ended now. */
export function levelNow(table: Table): string {
  if (table.level) return table.level
  const scoring = SCORING[table.scenario]
  if (!scoring) return ''
  const [japan, allies] = [tally(table, 'JP').total, tally(table, 'AL').total]
  return scoring.levels.find(([least]) => japan - allies >= least)?.[1] ?? ''
}

/** "12 points", or what is known of them. */
export function score(view: TableView, side: number): string {
  const table = tableOf(view)
  const own = SIDES[side]
  // The war is won without points (P33.4).
  const counts = !table.scenario.startsWith('S')
  const points = own && (table.war ? counts && campaignWords(view)?.pointsOf(table.war, own) : SCORING[table.scenario] && tally(table, own))
  return points ? `${counted(points.total, 'point')}${table.points ? '' : ' so far'}` : ''
}
