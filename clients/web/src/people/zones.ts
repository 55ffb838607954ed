/** Zones of time, and the eight hours of a person's night. */

import { tastes } from '../state/keep'

const NIGHT_HOURS = 8

/** The hours at which a night may begin, those in the evening first. */
export const NIGHTS = Array.from({ length: 24 }, (_, hour) => (hour + 18) % 24)

/** The night that is proposed to who signs up: what this browser said of its guest, from a full hour on. */
export function proposedNight(): number {
  return Math.floor(tastes().night / 60)
}

export function nightOf(hour: number): string {
  return `${hour}:00 to ${(hour + NIGHT_HOURS) % 24}:00`
}

/** The zone that this browser lives in. */
export function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
}

/** All zones, with one that may be known elsewhere only. */
export function zones(chosen: string): string[] {
  return [...new Set(['UTC', chosen, ...Intl.supportedValuesOf('timeZone')])].filter(Boolean).sort()
}
