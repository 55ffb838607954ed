/** Figures of a campaign as its panel shows them: who has the initiative, points, headquarters and what they can afford. */

import type { SideId } from '../reading'
import type { Headquarters, Means, Operation, Table, War } from '../shown'

/** Who has the Strategic Initiative, and by how much; null: nobody (P19.1). */
export function holder({ initiative }: Pick<War, 'initiative'>): { side: SideId | null; by: number } {
  return { side: initiative > 0 ? 'JP' : initiative < 0 ? 'AL' : null, by: Math.abs(initiative) }
}

/** Points of the game so far: those of locations, of damage, and together (P33.2). */
export function pointsOf({ places, damage }: Pick<War, 'places' | 'damage'>, side: SideId): Record<'places' | 'damage' | 'total', number> {
  return { places: places[side], damage: damage[side], total: places[side] + damage[side] }
}

/** So many Activation Points of one headquarters cost nothing more; with the next its Operation cost falls due (P20.2.5). */
const THRESHOLD = 10
/** The most Activation Points of Levels 1 and 2 (P20.3). */
const LEVELS = [10, 25] as const

/** The most Activation Points that a headquarters could pay with its points, and the Level of such an Operation. */
export function affords(points: number, { op_cost }: Pick<Headquarters, 'op_cost'>): { activation: number; level: number } {
  const activation = points > THRESHOLD ? Math.max(THRESHOLD, points - op_cost) : points
  return { activation, level: activation ? 1 + LEVELS.filter((most) => activation > most).length : 0 }
}

export interface Post extends Headquarters {
  id: string
  /** Its Command Points; undefined of the other side's. */
  points: number | undefined
  /** What they are of the most that it may have, in per cent. */
  full: number
  /** Places that it reaches now. */
  linked: number | undefined
  /** It leads the Operation under way. */
  leads: boolean
}

/** The headquarters of a side as a reader knows them. */
export function posts(table: Table, side: SideId): Post[] {
  const { war, own } = table
  const means = own?.side === side ? own.means : undefined
  return Object.entries(war?.headquarters ?? {})
    .filter(([, one]) => one.side === side)
    .map(([id, one]) => {
      const points = means ? (means.points[id] ?? 0) : undefined
      const full = Math.min(100, Math.round((100 * (points ?? 0)) / Math.max(1, one.most)))
      return { ...one, id, points, full, linked: means?.links[id]?.length, leads: war?.operation?.hq === id }
    })
}

/** What the Conditions are called (P21.1). */
export const CONDITIONS: Readonly<Record<string, string>> = { S: 'Surprise Attack', I: 'Intercept', A: 'Ambush' }

/** How long an Operation has lasted, and whether it costs more by now (P20.2.5). */
export function lasting({ days = 0, planned, condition = '' }: Pick<Operation, 'days' | 'planned' | 'condition'>): {
  days: number
  planned: number
  overtime: boolean
  condition: string
} {
  return { days, planned, overtime: days > planned, condition: CONDITIONS[condition] ?? condition }
}

type Rows<T> = [string, T][]

/** What a side has besides its headquarters: without what is nothing, the Penalty box by the month of return. */
export function reserves({ submarines, penalty, transport, steps }: Pick<Means, 'submarines' | 'penalty' | 'transport' | 'steps'>): {
  submarines: Rows<number>
  penalty: Rows<string>
  transport: Rows<number>
  steps: Rows<number>
} {
  const left = (of: Record<string, number>): Rows<number> => Object.entries(of).filter(([, count]) => count > 0)
  const boxed = Object.entries(penalty).sort(([, one], [, other]) => one.localeCompare(other))
  return { submarines: left(submarines), penalty: boxed, transport: left(transport), steps: left(steps) }
}
