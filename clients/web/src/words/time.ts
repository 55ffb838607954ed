/** Times in words. Microseconds since the epoch come in, as the log has them. */

import type { Still } from '../protocol/hours'
import { serverTime } from '../protocol/time.svelte'

/** Below this a clock shows tenths of a second. */
export const TENTHS = 10_000_000

export function duration(microseconds: number): string {
  const seconds = Math.max(0, Math.floor(microseconds / 1_000_000))
  const [days, hours, minutes, rest] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ]
  if (days) return `${days} d ${hours} h`
  if (hours) return `${hours}:${String(minutes).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
  return `${minutes}:${String(rest).padStart(2, '0')}`
}

/** A length of time in words: "less than a minute", "45 min", "3 h 20 min", "12 days". */
export function span(microseconds: number): string {
  const minutes = Math.floor(microseconds / 60_000_000)
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return `${Math.floor(hours / 24)} days`
  if (hours) return `${hours} h ${minutes % 60} min`
  return minutes ? `${minutes} min` : 'less than a minute'
}

/** Time left on a clock: as a duration, and below ten seconds with tenths. */
export function countdown(microseconds: number): string {
  return microseconds > 0 && microseconds < TENTHS ? (Math.floor(microseconds / 100_000) / 10).toFixed(1) : duration(microseconds)
}

const MOMENT = new Intl.DateTimeFormat('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit' })

/** Why a clock stands still, and until when by one's own time: "night there, no time runs until Mon 07:00". */
export function stillWords({ why, until }: Still): string {
  return `${why === 'holiday' ? 'on holiday' : `${why} there`}, no time runs until ${MOMENT.format(until / 1000).replace(',', '')}`
}

/** A minute of the day as the field of a form has it: "23:00". */
export function wallTime(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}

/** The minute of the day that a field says; what says none is 23:00. */
export function minutesOf(text: string): number {
  const [hours, minutes] = text.split(':').map(Number)
  return Number.isInteger(hours) && Number.isInteger(minutes) ? hours! * 60 + minutes! : 23 * 60
}

export function ago(microseconds: number, now: number = serverTime.now()): string {
  const seconds = Math.max(0, (now - microseconds) / 1_000_000)
  if (seconds < 60) return 'just now'
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`
  const days = Math.floor(seconds / 86_400)
  return days === 1 ? '1 day ago' : `${days} days ago`
}

/** A day as a date: "23 November 2026". */
export function day(microseconds: number): string {
  return new Date(microseconds / 1000).toLocaleDateString('en-GB', { dateStyle: 'long' })
}

// Made once: to make one takes longer than to use it, and every line of the log has a time.
const CLOCK = new Intl.DateTimeFormat([], { hour: '2-digit', minute: '2-digit', second: '2-digit' })

export function clockTime(microseconds: number): string {
  return CLOCK.format(microseconds / 1000)
}
