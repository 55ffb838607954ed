/** Ships and air units as this reader sees them: what is printed with how they stand, their own side's where that is known. */

import type { SideId } from '../reading'
import type { Air, Ship, Table } from '../shown'

/** What a side is called as a heading. */
export const SIDE_WORDS: Readonly<Record<SideId, string>> = { JP: 'Japan', AL: 'Allies' }

export const CLASS_NAMES: Readonly<Record<string, string>> = {
  CV: 'fleet carrier',
  CVL: 'light carrier',
  CVE: 'escort carrier',
  CVS: 'seaplane tender',
  BB: 'battleship',
  BC: 'battlecruiser',
  CA: 'heavy cruisers',
  CL: 'light cruisers',
  DD: 'destroyers',
  AA: 'transports',
}
/** What kinds of air units are called. */
export const AIRCRAFT: Readonly<Record<string, string>> = {
  '1E': 'one-engined aircraft',
  '2E': 'two-engined aircraft',
  '4E': 'four-engined aircraft',
  CVG: 'carrier air group',
  LRA: 'long-range search aircraft',
  TR: 'transport aircraft',
}
/** As players look for them: what weighs most first. */
export const CLASSES = Object.keys(CLASS_NAMES)

const LIGHT = new Set(['CA', 'CL', 'DD'])

export function isLight(cls: string): boolean {
  return LIGHT.has(cls)
}

export function shipOf({ own, ships }: Pick<Table, 'own' | 'ships'>, id: string): Ship | undefined {
  return own?.ships[id] ?? ships[id]
}

export function airOf({ own, air }: Pick<Table, 'own' | 'air'>, id: string): Air | undefined {
  return own?.air[id] ?? air[id]
}

/** The ships of a task force by slot, as far as they are known. */
export function inside({ own, tfs }: Pick<Table, 'own' | 'tfs'>, tf: string): { core: readonly string[]; screen: readonly string[] } {
  const { core = [], screen = [] } = own?.fleets[tf] ?? tfs[tf] ?? {}
  return { core, screen }
}

/** A class of ships of which two are one piece is named by both; the second goes where there is little room. */
export function shortName(name: string): string {
  return name
    .replace(/^Destroyer Divisions? /, 'DesDiv ')
    .replace(/^(Transport|Amphibious) Group /, (_, kind: string) => (kind === 'Transport' ? 'Transports ' : 'Amphib. '))
    .replace(/ \(.*\)$/, '')
    .replace(/ Air Group$/, '')
    .replace(/ Air Force (fighters|bombers)$/, ' $1')
    .replace('Marine Aircraft Group', 'MAG')
    .replace('Marine Fighting Squadron', 'VMF')
    .replace(/^(\d+\w\w) Air Flotilla/, '$1 AF')
}

/** The half of a value that a crippled ship has (P2.2.1). */
export function halved(value: number | undefined, crippled: boolean): number {
  return crippled ? Math.floor((value ?? 0) / 2) : (value ?? 0)
}

export function other(side: SideId): SideId {
  return side === 'JP' ? 'AL' : 'JP'
}
