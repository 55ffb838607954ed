/** The months of a campaign (P4, P5.1): their phases, those of an Operation before its battle cycles, and dates in words. */

import { monthName } from '../../../words/months'
import { type Phase, phaseOf, row } from '../cycle/phases'
import type { SideId } from '../reading'
import type { Table, War } from '../shown'

/** A phase of a month or an Operation, as one of the cycle; who acts may be who leads the Operation, the other one, or a side. */
export interface MonthPhase extends Omit<Phase, 'who'> {
  who: Phase['who'] | 'leader' | 'other' | SideId
}

const of = (letter: string, name: string, short: string, who: MonthPhase['who'], rule: string): MonthPhase => ({
  ...row(letter, name, short, 'both', rule),
  id: `5.1.${letter}`,
  who,
})

const INTELLIGENCE = of('B', 'Strategic Intelligence', 'Intel.', 'nobody', 'P7.1')
const TO_COME: readonly MonthPhase[] = [
  of('G', 'Command Points', 'Points', 'both', 'P10.3'),
  of('H', 'Isolation', 'Isolation', 'nobody', 'P12.1'),
  // Each side goes on through them by itself: nobody sees where the other one is.
  { ...of('I', 'Transport to Engineering', 'Transport', 'both', 'P13.1'), letter: 'I–M' },
  of('N', 'Submarine patrols', 'Patrols', 'both', 'P25.1'),
]
const MONTH: readonly MonthPhase[] = [INTELLIGENCE, ...TO_COME]
/** A month of the war (P5.1): Japan's homeland and the shipping that it lives on come before the Command Points. */
const WAR: readonly MonthPhase[] = [
  of('A', 'Weather', 'Weather', 'nobody', 'P6.1'),
  INTELLIGENCE,
  of('C', 'Strategic Bombing', 'Bombing', 'AL', 'P8.2'),
  of('D', 'Japanese Escort', 'Escort', 'JP', 'P9.1'),
  of('E', 'Submarine Priority', 'Priority', 'AL', 'P9.2'),
  of('F', 'Merchant Shipping', 'Shipping', 'nobody', 'P9.3'),
  ...TO_COME,
]
export const OPERATION: readonly MonthPhase[] = [
  of('O', 'Bids', 'Bids', 'both', 'P18.1'),
  of('P', 'Activation', 'Activation', 'leader', 'P20.2'),
  of('Q', 'Operational Intelligence', 'Intel.', 'nobody', 'P21.1'),
  of('R', 'Contact movement', 'Contact', 'leader', 'P23.4'),
  of('S', 'Reaction', 'Reaction', 'other', 'P22.1'),
  of('T', 'Contact movement in answer', 'Answer', 'other', 'P23.5.1'),
]
const BY_ID = new Map([...WAR, ...OPERATION].map((phase) => [phase.id, phase]))

/** The phases of a month: in the war more than in a campaign of some months. */
export const monthOfPhases = (scenario: string): readonly MonthPhase[] => (scenario.startsWith('S') ? WAR : MONTH)

/** The phase of a campaign by its id: of the month, of the Operation or of a cycle. */
export function stepOf(id: string): MonthPhase | undefined {
  return BY_ID.get(/^5\.1\.[J-M]$/.test(id) ? '5.1.I' : id) ?? phaseOf(id)
}

/** Whose phase it is, or null where both act or nobody. */
export function actsIn(phase: MonthPhase | undefined, advantage: SideId | undefined, leader: SideId | undefined): SideId | null {
  if (!phase) return null
  if (phase.who === 'JP' || phase.who === 'AL') return phase.who
  const first = phase.who === 'leader' || phase.who === 'other' ? leader : advantage
  if (!first || phase.who === 'both' || phase.who === 'nobody') return null
  return phase.who === 'leader' || phase.who === 'advantage' ? first : first === 'JP' ? 'AL' : 'JP'
}

/** The month so many months later: `1943-01` of `1942-12`. */
export function later(month: string, count = 1): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const all = 12 * year + number - 1 + count
  return `${Math.floor(all / 12)}-${String((all % 12) + 1).padStart(2, '0')}`
}

/** "day 12"; the first space of the ring is no day (P4.1). */
export function dayName({ day }: Pick<War, 'day'>): string {
  return day ? `day ${day}` : 'month begins'
}

/** Whether a battle cycle of an Operation is under way. */
export function inCycle({ phase }: Pick<Table, 'phase'>): boolean {
  return phase.startsWith('5.2.')
}

/** "August 1942, day 12", in a battle cycle its number and its lighting too. */
export function dateIn(table: Table, war: War): string {
  const cycle = inCycle(table) ? ` · cycle ${table.cycle} · ${table.lighting}` : ''
  return `${monthName(table.month)}, ${dayName(war)}${cycle}`
}
