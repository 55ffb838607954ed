/** The table as it is to be seen while combat is shown: as it was before the step, with what the beats so far did to
 * it, each aircraft where it fights. What the step led to in the end is on the board when the showing is over. */

import type { Beat } from './fray'
import type { Battle, Plane, Table } from './shown'

function without<One>(all: Record<string, One>, gone: ReadonlySet<string>): Record<string, One> {
  return Object.fromEntries(Object.entries(all).filter(([id]) => !gone.has(id)))
}

function hurt<One extends { damaged?: boolean }>(all: Record<string, One>, ids: ReadonlySet<string>): Record<string, One> {
  return Object.fromEntries(Object.entries(all).map(([id, one]) => [id, ids.has(id) ? { ...one, damaged: true } : one]))
}

/** Where aircraft fight in this beat, or did last. */
function flown(planes: Record<string, Plane>, beats: readonly Beat[]): Record<string, Plane> {
  const found = { ...planes }
  for (const { area, shots, blows } of beats) {
    for (const { id } of [...shots, ...blows]) if (found[id]) found[id] = { ...found[id], at: area }
  }
  return found
}

/** `before` is the table before the step of these beats; `at` is the beat that is shown. */
export function staged(before: Table, beats: readonly Beat[], at: number): Table {
  const { battle } = before
  if (!battle) return before
  const past = beats.slice(0, at).flatMap(({ blows }) => blows)
  const ids = (fate: string): Set<string> => new Set(past.filter((blow) => blow.fate === fate).map(({ id }) => id))
  const [gone, struck] = [ids('destroyed'), ids('damaged')]
  const left = (list: readonly string[]): string[] => list.filter((id) => !gone.has(id))
  const airfields = { ...battle.airfields }
  for (const { id, side, fate } of past) {
    if (id === 'airfield' && side && fate === 'hit') airfields[side] = Math.max(0, (airfields[side] ?? 0) - 1)
  }
  const now: Battle = {
    ...battle,
    ships: without(battle.ships, gone),
    foxhole: left(battle.foxhole),
    beach: left(battle.beach),
    transports: { US: left(battle.transports.US), JA: left(battle.transports.JA) },
    airfields,
    planes: flown(hurt(without(battle.planes, gone), struck), beats.slice(0, at + 1)),
  }
  return { ...before, battle: now, forces: hurt(without(before.forces, gone), struck) }
}
