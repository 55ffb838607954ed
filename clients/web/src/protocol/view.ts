/** What every title's view holds. `table` is the title's own and is read by its folder alone. */

import type { Clock } from './wire'

export interface SeatView {
  name: string
  side: number
}

export interface MatchView {
  title: string
  scenario: string
  options: Record<string, boolean | number | string>
  revision: string
  seats: SeatView[]
  clock?: Clock
  taken: Record<string, 'person' | 'bot'>
  promises: Record<string, string>
  nonces: Record<string, string>
  started: boolean
  resigned: number[]
  draw: number[]
  undo: number[]
  undo_to: number
  over: boolean
  winner?: number
  reason: string
  key: string
}

export interface ClocksView {
  /** Seat to what is left, in microseconds, as of `at`. */
  left: Record<string, number>
  /** Microseconds since the epoch. */
  at: number
}

export interface TableView<Table = unknown> {
  match: MatchView
  asked: number[]
  clocks?: ClocksView
  table: Table
}

export const NO_MATCH: MatchView = {
  title: '',
  scenario: '',
  options: {},
  revision: '',
  seats: [],
  taken: {},
  promises: {},
  nonces: {},
  started: false,
  resigned: [],
  draw: [],
  undo: [],
  undo_to: 0,
  over: false,
  reason: '',
  key: '',
}

/** The view before the first fact; frames start from `{}`, so every reader goes through this. */
export function whole(view: Partial<TableView>): TableView {
  return {
    asked: view.asked ?? [],
    table: view.table ?? {},
    match: { ...NO_MATCH, ...view.match },
    ...(view.clocks ? { clocks: view.clocks } : {}),
  }
}
