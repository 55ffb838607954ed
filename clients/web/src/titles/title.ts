/** What a title gives to the page: its board, its aids, and words. Everything else is shared. */

import type { Component } from 'svelte'
import type { TableView } from '../protocol/view'
import type { Asked, Told } from '../protocol/wire'

export type Names = Record<string, string>

export interface Decision {
  type: string
  [field: string]: unknown
}

/** One legal decision as the page shows it. */
export interface Choice {
  decision: Decision
  /** What tells it from the others of its list. */
  key: string
  label: string
  /** What to click on the board, in this order; empty if it is only a button. */
  path: string[]
  /** It ends a stage or declines: shown last and apart. */
  leaves: boolean
}

/** Many small picks behind one button, sent one by one while they stay legal. */
export interface Bundle {
  label: string
  count: number
  next(choices: Choice[]): Choice | undefined
}

/** Where a fact stands in the sequence of play; the log is grouped by it. */
export interface Chapter {
  turn: number
  title: string
  /** The side whose step it is, or null. */
  side: number | null
}

export interface BoardProps {
  view: TableView
  /** Width by height of the window that the board is seen through. */
  aspect: number
  names: Names
  /** Ids that can be picked now. */
  glowing: ReadonlySet<string>
  /** Ids picked already on the way to a decision. */
  picked: ReadonlySet<string>
  /** Ids lit up from the log. */
  lit: ReadonlySet<string>
  /** Ids of the last move. */
  recent: ReadonlySet<string>
  /** Counters are hidden to see what is under them. */
  bare: boolean
  pick(id: string): void
  point(id: string | null): void
}

export interface SideProps {
  view: TableView
  side: number
  names: Names
  lit: ReadonlySet<string>
  point(id: string | null): void
  rule(number: string): void
}

export interface AidProps {
  view: TableView
  names: Names
  rule(number: string): void
}

export interface Title {
  name: string
  /** The board: SVG groups in the units of `size`. */
  Board: Component<BoardProps>
  size(view: TableView, aspect: number): { width: number; height: number }
  /** What a side has, for its panel. */
  Side: Component<SideProps>
  /** Sequence of play and tables. */
  Aid: Component<AidProps>
  /** Ids of sides as the words of facts write them, in order. */
  sides: string[]
  choice(decision: Decision, view: TableView, names: Names): Choice
  bundles(choices: Choice[], view: TableView, names: Names): Bundle[]
  /** The prompt in a player's words. */
  prompt(asked: Asked, view: TableView): string
  /** Where the match stands: "Turn 3, 10:00", "Japan: Carrier Attacks". */
  where(view: TableView): { turn: string; step: string; side: number | null }
  /** The chapter that a fact begins, or null. */
  chapter(fact: Told, before: Chapter | null): Chapter | null
  /** Whether the log passes a fact over, because another says the same. */
  silent(fact: Told): boolean
  /** How much a fact weighs in the log: a ship sunk is `grave`. */
  weight(fact: Told): 'grave' | 'heavy' | ''
  /** What dice were rolled for, in words. */
  purpose(purpose: string): string
  /** A short score of a side, or ''. */
  score(view: TableView, side: number): string
}
