/** What a title gives to the page: its board, its aids, and words. Everything else is shared. */

import type { Component, Snippet } from 'svelte'
import type { Chapter as Chaptered, TableView, Told } from '../protocol/wire'
import type { Known } from '../words/sentence'

export type Names = Record<string, string>

/** A decision of any title; what it says beside its type only its title's folder knows. */
export interface Decision {
  type: string
}

/** The type of a decision that the page does not know yet, from a server that was updated under it. As the default of a
 * switch it also has the compiler see that every type known is a case. */
export function typeOf(unknown: never): string {
  const { type }: Decision = unknown
  return type
}

/** A way to play a title that has several, chosen by its option `mode`. */
export interface Mode {
  value: number
  name: string
  /** How many people or bots play; the automated side has no chair. */
  chairs: number
  /** What the chairs are called, where there are several. */
  sides: string[]
}

/** One legal decision as the page shows it. */
export interface Choice<Own extends Decision = Decision> {
  decision: Own
  /** What tells it from the others of its list. */
  key: string
  label: string
  /** The part of it that its button says, where the question says the rest. */
  short?: string
  /** What to click on the board, in this order; empty if it is only a button. */
  path: string[]
  /** It ends a stage or declines: shown last and apart. */
  leaves: boolean
  /** The button that most would press here; false: it is not, even where it is the only one. */
  main?: boolean
  /** Whether it is a button of the prompt line; if not said, when there is nothing to click on the board. */
  button?: boolean
  /** Its whole path is clicked, even when nothing else is left to choose: what cannot be taken back. */
  whole?: boolean
}

/** Many small picks behind one button, sent one by one while they stay legal. */
export interface Bundle<Own extends Decision = Decision> {
  label: string
  /** As of a choice. */
  short?: string
  count: number
  next(choices: Choice<Own>[]): Choice<Own> | undefined
}

/** Others that may go along with what is picked. */
export interface Company {
  /** "All 3 ships here" */
  label: string
  ids: readonly string[]
}

/** Where a fact stands in the sequence of play; the log is grouped by it. */
export interface Chapter {
  turn: number
  /** What the turn is called where it is not counted, with ids in square brackets; what its last chapter says holds. */
  named?: string
  title: string
  /** The side whose step it is, or null. */
  side: number | null
}

/** Why a side that nobody plays chose as it did. */
export interface Reason {
  rule: string
  question: string
  /** All who stood to choose from, in order. */
  candidates: string[]
  /** Each reason, and who was left after it. */
  steps: { reason: string; left: string[] }[]
  /** The faces that decided; for a draw the places in what was left. */
  die: number[]
  chosen: string[]
}

export interface Gathered {
  /** "groups launched" */
  what: string
  /** "[KAG-F1] 2 SP" */
  item?: string
  /** How many things it tells of, if not one. */
  many?: number
  /** Who goes from where to where, and how: "sail". Legs that follow on each other are one line, which says the whole way. */
  leg?: { who: readonly string[]; goes: string; from: string; to: string }
  /** It belongs to the leg before it, if there is one. */
  along?: boolean
}

/** What is printed on a counter and how it stands, for whoever points at it. */
export interface CardText {
  name: string
  /** What it is: "United States fleet carrier". */
  what: string
  /** How it stands, one thing each: "damaged", "on deck of Akagi". */
  notes: string[]
  /** Its ratings by their names; of a counter with two faces the full one and the
   * damaged one, and which of them holds. */
  ratings: { name: string; value: string; damaged?: string }[]
  turned?: boolean
  /** What it says, where that is a text. */
  text?: string
}

/** The picture of a counter, drawn about its centre, at most 80 units wide. */
export interface FaceProps {
  id: string
  view: TableView
  names: Names
}

export interface BoardProps {
  view: TableView
  /** Width by height of the window that the board is seen through. */
  aspect: number
  /** Pixels to a unit of the board, before zooming. */
  unit: number
  /** How much closer than at first the board is seen, in halves; a half where it is seen from farther away. */
  zoom: number
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
  /** The window is a telephone's. */
  small: boolean
  /** What the one who plays is asked, with ids in square brackets; '' if nothing. */
  question: string
  /** The facts so far; those after `since` came with the last step. */
  facts: readonly Told[]
  since: number
  /** The last of the facts is just happening, on the table of before: it is told beside the board, or `drawn` by it. */
  happening: '' | 'told' | 'drawn'
  /** Says that the board is of another size than the title's for now; null: of that again. */
  sized(size: { width: number; height: number } | null): void
  pick(id: string): void
  point(id: string | null): void
}

/** What lies before the player beside the board: a hand, piles, a battle. */
export interface TrayProps {
  view: TableView
  names: Names
  /** The facts so far, for the dice that fell last. */
  facts: readonly Told[]
  glowing: ReadonlySet<string>
  picked: ReadonlySet<string>
  lit: ReadonlySet<string>
  /** What can be decided now. */
  choices: readonly Choice[]
  /** What was chosen and is held back: nobody else has heard of it yet. */
  held?: readonly Choice[]
  pick(id: string): void
  /** Picks several that go the same way. */
  join(ids: readonly string[]): void
  /** Takes what was put together in the tray as one command; not where one only looks on. */
  send?: ((decisions: readonly Decision[]) => void) | undefined
  point(id: string | null): void
  /** Shows the board, where on a telephone the tray has its place. */
  toBoard(): void
  rule(number: string): void
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

/** Below the head of a turn of the log: what it came to. */
export interface DigestProps {
  match: string
  token: string
  /** The fact that the turn begins with. */
  since: number
  /** It is not reached yet. */
  later: boolean
  known: Known
  show(seq: number): void
}

/** What somebody has missed, turn by turn, in place of single facts. */
export interface SinceProps extends Omit<DigestProps, 'later'> {
  /** The last fact that he missed. */
  until: number
  /** What is shown while no turn is known. */
  children: Snippet
}

/** A match that has ended, told as a whole. */
export interface WholeProps {
  match: string
  scenario: string
  chapters: readonly Chaptered[]
  known: Known
}

/** What a title whose matches are long says of their turns. */
export interface Chronicle {
  /** Where what is told is kept: it has that of a match fetched, as far as fact `upto`. */
  told: { want(match: string, token: string, upto: number): void }
  Digest: Component<DigestProps>
  Since: Component<SinceProps>
}

/** A sentence for whoever is new here. */
export interface Advice {
  words: string
  rule: string
  /** Ids of where on the board one sees it. */
  show?: readonly string[]
}

/** The scenario at hand: what one plays for, what to do first, what to look out for. */
export interface Lesson {
  aim: readonly Advice[]
  first: readonly Advice[]
  watch: readonly Advice[]
}

/** What can be heard of a fact. */
export type Sound = 'dice' | 'engines' | 'flak' | 'hit' | 'sinking' | 'card' | 'bell' | 'chat'

/** What a title says about scenes (`scenes/`). Facts are known by their types. */
export interface Staging {
  /** What begins a beat of its own though it does not weigh, nor dice fell. */
  opens?: ReadonlySet<string>
  /** What comes of a roll and need not be told beside it. */
  passed?: ReadonlySet<string>
  /** Ids of the places, the nearest first, where something lies that the board may show no mark of its own for. */
  near?(id: string, view: TableView): string[]
  /** Runs of facts that the board itself shows happening, each as one beat. */
  bouts?(facts: readonly Told[], since: number): { from: number; seq: number }[]
  /** The table on which a beat is shown, if not the one before: with what was told up to it, or that of afterwards. */
  ground?(before: TableView, after: TableView, told: readonly Told[], drawn: boolean): TableView
  /** What a fact sounds like, if not like its dice. */
  sound?(fact: Told): Sound | ''
}

export interface Title {
  name: string
  /** The board: SVG groups in the units of `size`. */
  Board: Component<BoardProps>
  size(view: TableView, aspect: number): { width: number; height: number }
  /** On a telephone a unit of the board is at least so many pixels; what does not fit is reached by moving. */
  least?: number
  /** What a counter is, or null for what has no card. Only from what the view holds. */
  card?(id: string, view: TableView, names: Names): CardText | null
  /** The picture on its card. */
  Face?: Component<FaceProps>
  /** Below the board; on a telephone a tab of its own. */
  Tray?: Component<TrayProps>
  /** Ids that are picked in the tray and not on the board. */
  inTray?(id: string, view: TableView): boolean
  /** Ids of what is free and seldom wanted: nobody is called to where it is picked. */
  free?(id: string): boolean
  /** What the parts of the table are called, where `Board`, `Fleets` and `Hand` do not fit. */
  tabs?: { board?: string; sides?: string; tray?: string }
  /** What the log counts, if not turns. */
  turnWord?: string
  /** What a side has, for its panel. */
  Side: Component<SideProps>
  /** What concerns both sides, above their panels, loaded where a scenario has it. */
  common?(scenario: string): Promise<{ default: Component<AidProps> }> | null
  /** What its turns came to, loaded where a scenario is long. */
  chronicle?(scenario: string): Promise<Chronicle> | null
  /** All of it as a page of its own after the end. */
  whole?(scenario: string): Promise<{ default: Component<WholeProps> }> | null
  /** Whether what befell it can be asked for. */
  storied?(id: string, view: TableView): boolean
  /** Sequence of play and tables, loaded when somebody wants them. */
  aid(): Promise<{ default: Component<AidProps> }>
  /** For whoever has not read the rules, loaded when somebody wants it. */
  primer(): Promise<{ lesson(view: TableView): Lesson }>
  /** Ids of sides as the words of facts write them, in order. */
  sides: string[]
  /** One legal decision; `question` is what is asked, with ids in square brackets. */
  choice(decision: Decision, view: TableView, names: Names, question?: string): Choice
  /** A question without what its tray shows as well; with ids in square brackets. */
  asks?(question: string): string
  /** Whether others must not see how many choices a move was made of. */
  hidden?(view: TableView): boolean
  bundles(choices: Choice[], view: TableView, names: Names): Bundle[]
  /** Who lies with the piece that is picked and may go its way, by groups, the smallest first; the piece is in each. */
  company?(picked: string, choices: Choice[], view: TableView, names: Names): Company[]
  /** What holds for the one who looks until he says otherwise, and the rule that says how; or null. */
  standing?(view: TableView): { words: string; rule: string } | null
  /** Where one may be asked again and again only to pass. */
  passing?: {
    /** The types of the facts between which a stretch lies that may be passed through. All see them. */
    bounds: ReadonlySet<string>
    /** The pass among the choices of such a question, or undefined. */
    pass(choices: Choice[], view: TableView): Choice | undefined
    /** "this battle ends" */
    until(view: TableView): string
  }
  /** Where the match stands: "Turn 3, 10:00", "Japan: Carrier Attacks". */
  where(view: TableView): { turn: string; step: string; side: number | null }
  /** The chapter that the first fact of a log lies in, where it does not begin with the match; null if that is not known. */
  within?(seq: number): Chapter | null
  /** The chapter that a fact begins, or null. */
  chapter(fact: Told, before: Chapter | null): Chapter | null
  /** Whether the log passes a fact over, because another says the same. */
  silent(fact: Told): boolean
  /** By the type of a decision that the rules make where one choice alone is left: the fact that tells it. */
  tells?: Readonly<Record<string, string>>
  /** What several facts of a kind in a row come to, as in "4 groups launched: …", and what of this one stands behind
   * the colon if not the first id that it names. */
  gathers?(fact: Told): Gathered | null
  /** How much a fact weighs in the log: a ship sunk is `grave`. */
  weight(fact: Told): 'grave' | 'heavy' | ''
  /** Why an automated side chose so, if a fact tells: shown beside it in the log. */
  why?(fact: Told): Reason | null
  /** How what happens is shown and heard. */
  scene?: Staging
  /** The face of a die, where it is not the number that is recorded. */
  face?(die: number, sides: number): number
  /** What came of a roll, in words, where its target does not tell. The dice are faces. */
  outcome?(roll: { dice: readonly number[]; target: string; purpose: string }): string
  /** What dice were rolled for, in words, where it is not one of the names of the title. */
  purpose?(purpose: string): string
  /** A short score of a side, or ''. */
  score(view: TableView, side: number): string
}
