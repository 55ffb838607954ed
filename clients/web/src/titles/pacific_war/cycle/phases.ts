/** The battle cycle (P5.2): its phases by their letters, whose they are, and the days that it takes. */

import type { SideId } from '../reading'
import { SIDE_WORDS } from '../battle/units'
import type { Table } from '../shown'

export interface Phase {
  /** `5.2.C`, as the table has it. */
  id: string
  /** `C` */
  letter: string
  name: string
  /** For where there is little room. */
  short: string
  /** Who acts: the Advantage player, the other one, both, or nobody. */
  who: 'advantage' | 'disadvantage' | 'both' | 'nobody'
  /** The rules of the phase, the first one first. */
  rules: readonly string[]
}

export const row = (letter: string, name: string, short: string, who: Phase['who'], ...rules: string[]): Phase => ({
  id: `5.2.${letter}`,
  letter,
  name,
  short,
  who,
  rules,
})

export const PHASES: readonly Phase[] = [
  row('A', 'Lighting', 'Light', 'nobody', 'P26.2', 'P26.3'),
  row('B', 'Advantage', 'Adv.', 'nobody', 'P27.1'),
  row('C', 'Advantage movement', 'Move', 'advantage', 'P23.6', 'P24.2', 'P25.2'),
  row('D', 'Advantage air missions', 'Air', 'advantage', 'P28.2', 'P28.4'),
  row('E', 'Naval battles', 'Naval', 'both', 'P29.1', 'P29.2'),
  row('F', 'Bombardment', 'Bomb.', 'both', 'P29.3'),
  row('G', 'Demolition', 'Demol.', 'both', 'P30.1'),
  row('H', 'Ground combat', 'Ground', 'both', 'P31.1', 'P31.3'),
  row('I', 'Airbase repair', 'Repair', 'nobody', 'P31.7'),
  row('J', 'Rally', 'Rally', 'nobody', 'P31.8'),
  row('K', 'Disadvantage movement', 'Move', 'disadvantage', 'P23.6', 'P24.2', 'P25.2'),
  row('L', 'Disadvantage air missions', 'Air', 'disadvantage', 'P28.2', 'P28.4'),
  row('M', 'Deactivation', 'Deact.', 'both', 'P32.1'),
  row('N', 'Detection removal', 'Hide', 'nobody', 'P32.2'),
  row('O', 'Day marker', 'Day', 'nobody', 'P32.3'),
]

const BY_ID = new Map(PHASES.map((phase) => [phase.id, phase]))

export function phaseOf(id: string): Phase | undefined {
  return BY_ID.get(id)
}

/** The phases of a scenario: an Engagement has no deactivation (P1). */
export function phasesOf(scenario: string): readonly Phase[] {
  return scenario.startsWith('E') ? PHASES.filter(({ letter }) => letter !== 'M') : PHASES
}

/** Whose phase it is, or null where both act or nobody. */
export function sideOf(phase: Phase | undefined, advantage: SideId | undefined): SideId | null {
  if (!advantage || !phase) return null
  if (phase.who === 'advantage') return advantage
  return phase.who === 'disadvantage' ? (advantage === 'JP' ? 'AL' : 'JP') : null
}

/** The first day of each scenario (P1). */
const BEGINS: Readonly<Record<string, readonly [number, number, number]>> = {
  E1: [1942, 5, 5],
  E2: [1941, 12, 7],
  E3: [1942, 8, 9],
  E4: [1941, 12, 10],
  B1: [1942, 6, 3],
}
const DAYS = 2
const DAY_MS = 86_400_000

/** The first day of a cycle: "5 May 1942"; each cycle is two days (P32.3). */
export function dateOf(scenario: string, cycle: number): string {
  const first = BEGINS[scenario]
  if (!first) return ''
  const [year, month, day] = first
  const date = new Date(Date.UTC(year, month - 1, day) + Math.max(0, cycle - 1) * DAYS * DAY_MS)
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
}

/** What the lighting of a cycle means (P26.3). */
export const LIGHTINGS: Readonly<Record<string, string>> = {
  Day: 'Naval battles begin at long range.',
  Dusk: 'Search −1, strikes on ships −1, and a mission misses on one face more. Naval battles begin at medium range.',
  Night: 'Search −4. No combat air patrol, no strikes on ships. Naval battles begin at short range.',
}

/** Who acts in a phase, in words. */
export function actor(phase: Phase, { advantage }: Pick<Table, 'advantage'>): string {
  const side = sideOf(phase, advantage)
  if (side) return SIDE_WORDS[side]
  return { advantage: 'Advantage player', disadvantage: 'the other player', both: 'both', nobody: '' }[phase.who]
}
