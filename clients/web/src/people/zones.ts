/** Zones of time, and the eight hours of a person's night. */

import { ownHours } from '../protocol/hours'
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

/** The zone that this browser lives in; UTC where it knows none, or says it by its hours. */
export function ownZone(): string {
  return ownHours(0).zone || 'UTC'
}

/** The language of this browser; none where it says what is not one, such as "en-US@posix". */
export function ownLanguage(): string {
  return /^[A-Za-z0-9-]{1,35}$/.test(navigator.language) ? navigator.language : ''
}

/** All zones, with one that may be known elsewhere only. */
export function zones(chosen: string): string[] {
  return [...new Set(['UTC', chosen, ...Intl.supportedValuesOf('timeZone')])].filter(Boolean).sort()
}
