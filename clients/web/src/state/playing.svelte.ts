/** What the one who plays sees of a moment and does with it: what can be chosen, what is picked on the way to a
 * decision, what glows, and the line that says who must do what. Knows choices and ids, no title and no rule. */

import { serverTime } from '../protocol/time.svelte'
import type { Asked, Refused, TableView, Told } from '../protocol/wire'
import type { Answered } from './follow.svelte'
import type { Bundle, Choice, Company, Decision } from '../titles/title'
import { inShort } from '../words/inshort'
import { forced, news } from '../words/news'
import { lead, left, pick, taken, taking, targets, together } from '../words/picking'
import { idsIn, type Known, nameOf, plain } from '../words/sentence'
import { goesAtOnce, type Kept, LastPick } from './lastpick.svelte'
import { idle, IDLE_MS, onlyBots, Passing, type Stretch } from './passing.svelte'
import type { Session } from './session.svelte'
import { Suggestion } from './suggestion.svelte'
import { TakeBack } from './takeback.svelte'
import { taste } from './tastes.svelte'
import type { Watching } from './watching.svelte'

/** What is said where nobody is asked, and while the board shows what happened. */
export const FALLING = 'The dice are falling …'
const NO_IDS: ReadonlySet<string> = new Set()
/** So many ways to go on are named in the line. */
const FEW = 3
/** With less than this on one's clock nothing is kept for a moment; microseconds. */
const SHORT_US = 30_000_000

/** Refusals that come of being second. */
const FORESTALLED = new Set<Refused['code']>(['stale', 'not_asked'])

interface Clicked {
  for: Asked | null
  ids: readonly string[]
  also: readonly string[]
}

const NOT_CLICKED: Clicked = { for: null, ids: [], also: [] }

export class Playing {
  readonly last = new LastPick()
  readonly suggestion: Suggestion
  readonly takeBack: TakeBack
  readonly passing: Passing
  /** Ids clicked so far on the way to an answer. */
  readonly chosen: readonly string[]
  /** The table, with what is chosen and held back. */
  readonly view: TableView
  /** Choices of which nobody is to know how many there were are held back, and go out as one. */
  readonly keeps: boolean
  readonly choices: Choice[]
  readonly bundles: Bundle[]
  /** Others that one click takes along with what is picked. */
  readonly company: Company[]
  readonly picked: ReadonlySet<string>
  readonly glowing: ReadonlySet<string>
  /** The ids of the last command's facts. */
  readonly recent: ReadonlySet<string>
  readonly where: { turn: string; step: string; side: number | null }
  /** How the match ended, or ''. */
  readonly ended: string
  readonly text: string
  /** What ends the step, or ''. */
  readonly ends: string
  /** What holds for the one who plays until he says otherwise. */
  readonly standing: { words: string; rule: string } | null
  /** Until when the page may pass, or passes, for him: "this battle ends". */
  readonly until: string
  /** What was decided by the clock, or answered to an offer, just now. */
  readonly news: string

  private readonly way: readonly string[]
  /** A decision in a player's words. */
  private readonly said: (one: Decision) => Choice | undefined
  /** The bundle that is looked at, before it is taken. */
  private seen = $state.raw<Bundle | null>(null)
  /** The choice that passes, where the page may take it. */
  readonly pass: Choice | undefined
  /** Whether the page may be told to pass wherever no card answers. */
  readonly mayIdle: boolean
  /** What was clicked, and for which question: with the next one it is past. */
  private clicked = $state.raw<Clicked>(NOT_CLICKED)
  /** Picked beside the first of them, to go the same way. */
  private readonly also: readonly string[]

  constructor(
    private readonly session: Session,
    watching: Watching,
  ) {
    const { last } = this
    const known = (): Known => watching.known(session.view.match)
    this.said = (one) => watching.title?.choice(one, session.view, watching.names)
    this.suggestion = new Suggestion(session, (one, view) => watching.title?.choice(one, view, watching.names))
    const silent = (fact: Told): boolean => watching.title?.silent(fact) ?? false
    const { deedAfter: deed } = session
    this.takeBack = new TakeBack(session, last, { silent, deed, known })
    // With what is suggested it is as it would be then.
    this.view = $derived(this.suggestion.seen?.view ?? session.view)
    this.keeps = $derived(this.keepsOf(watching))
    this.choices = $derived(this.options(watching))
    this.bundles = $derived(this.choices.length ? (watching.title?.bundles(this.choices, session.view, watching.names) ?? []) : [])
    const clicked = $derived(this.clicked.for === session.prompt ? this.clicked : NOT_CLICKED)
    this.chosen = $derived(clicked.ids)
    this.also = $derived(clicked.also)
    this.company = $derived(this.companyOf(watching))
    this.way = $derived(this.chosen.length ? this.chosen : lead(this.choices))
    this.picked = $derived(new Set([...this.looked.flatMap((one) => one.path), ...this.held()]))
    // While a decision is on its way the board stays as it was: it is drawn anew once, with what came of it.
    this.glowing = $derived(this.still ? NO_IDS : targets(this.choices, this.way))
    this.recent = $derived(this.marked())
    this.where = $derived(watching.title?.where(this.view) ?? { turn: '', step: '', side: null })
    this.ended = $derived(watching.outcome(this.view.match))
    this.text = $derived(this.line(watching))
    this.ends = $derived(this.ending())
    this.standing = $derived((this.view.match.title && watching.title?.standing?.(this.view)) || null)
    const stretch = $derived(this.stretch(watching))
    this.passing = new Passing(session.match, () => stretch)
    this.pass = $derived(this.passOf(watching))
    this.mayIdle = $derived(this.mayIdleOf(watching))
    this.until = $derived(this.untilOf(watching))
    $effect(() => this.passing.tidy(this.view.match.over))
    $effect(() => this.passSoon())
    this.news = $derived(
      this.ended ? '' : news(session.active.folded.moves, known(), { silent, deed }) || plain(this.forced(watching), known()),
    )
  }

  get busy(): boolean {
    return this.session.deciding || this.session.bundle !== ''
  }

  /** Takes a choice: at once, or a moment later if it could not be undone afterwards. */
  async decide(choice: Choice): Promise<void> {
    this.suggestion.leave()
    if (this.pass) this.passing.answered(this.passing.on ? choice === this.pass : choice.leaves)
    const atOnce = goesAtOnce(choice, this.choices, { quiet: this.session.isQuiet(choice), window: this.pass !== undefined })
    await this.later({ what: choice.label, choices: [choice] }, atOnce, () => this.session.decide(choice, this.keeps))
  }

  /** Takes what was put together beside the board, as one command with what is held back. */
  async send(decisions: readonly Decision[]): Promise<void> {
    if (this.busy || this.last.kept) return
    this.suggestion.leave()
    const choices = decisions.flatMap((one) => this.said(one) ?? [])
    await this.later({ what: inShort(choices), choices }, false, () => this.session.take(choices, false))
  }

  /** Takes what is suggested, at once: it has been seen on the board. Shows it first if it has not. */
  async takeSuggestion(): Promise<void> {
    const { seen } = this.suggestion
    if (!seen) return this.suggestion.look()
    const { choices, quiet } = seen
    await this.later({ what: inShort(choices), choices }, true, () =>
      this.session.take(choices, (this.keeps || this.session.sealed) && quiet),
    )
  }

  /** The page is left: what is derived for it is not kept up any more. */
  private left = false

  private async later(picks: Omit<Kept, 'ms' | 'send'>, atOnce: boolean, decide: () => Promise<Answered>): Promise<void> {
    const { prompt } = this.session
    const asked = JSON.stringify(prompt)
    const send = async (): Promise<void> => {
      // Whoever is asked something else by now has chosen on another table.
      if (JSON.stringify(this.session.prompt) !== asked) return
      const { ok } = await decide()
      if (this.left) return
      this.suggestion.leave()
      if (!ok && prompt === this.session.prompt) this.leave()
    }
    const ms = atOnce || this.short ? 0 : taste.undo * 1_000
    if (ms) this.last.keep({ ...picks, ms, send })
    else await send()
  }

  /** Nothing but a pass answers here, and who plays against bots alone may leave that to the page for good. */
  get idle(): boolean {
    return this.pass !== undefined && this.mayIdle && idle(this.choices, this.session.active.folded.facts)
  }

  /** Passes for the player who has left it to the page. Against people nothing here looks at what else he could do: the wait
   * is the same. */
  private passSoon(): (() => void) | undefined {
    const { pass } = this
    const soon = taste.passes && this.idle
    if (!pass || !(soon || this.passing.on) || this.busy || this.last.kept || this.chosen.length) return undefined
    const timer = setTimeout(() => void this.passNow(pass), soon ? IDLE_MS : this.passing.wait)
    return () => clearTimeout(timer)
  }

  private async passNow(pass: Choice): Promise<void> {
    const answer = await this.session.decide(pass, this.keeps)
    // In another tab it was answered at the same moment: that is no news to anybody.
    if (!answer.ok && FORESTALLED.has(answer.refused.code)) this.session.forgive()
  }

  private passOf({ title }: Watching): Choice | undefined {
    return title?.passing?.pass(this.choices, this.view)
  }

  private mayIdleOf({ title }: Watching): boolean {
    return title?.passing !== undefined && onlyBots(this.session.view.match, this.session.seats)
  }

  /** All picks of a sealed window have to come as one command. */
  private keepsOf({ title }: Watching): boolean {
    return this.session.prompt?.sealed ?? title?.hidden?.(this.view) ?? false
  }

  private untilOf({ title }: Watching): string {
    return (this.view.match.title && title?.passing?.until(this.view)) || ''
  }

  /** It begins with a fact that the title names; what is taken back ends one, too. */
  private stretch({ title }: Watching): Stretch | null {
    const { seat, folded } = this.session.active
    const bounds = title?.passing?.bounds
    if (seat === null || !bounds) return null
    const first = folded.facts.findLast(({ type }) => type === 'Undone' || bounds.has(type))
    return { seat, since: first?.seq ?? 0 }
  }

  /** What the rules have just decided after a decision from here, if they did. */
  private forced({ title }: Watching): string {
    const last = this.session.active.folded.moves.at(-1)
    const given = last && this.session.givenWith(last)
    return given && title?.tells ? forced(last, given, title.tells) : ''
  }

  /** Whether there is no time to lose. */
  private get short(): boolean {
    const { clocks } = this.view
    const seat = this.session.prompt?.seat
    const left = clocks && seat !== undefined ? clocks.left[seat] : undefined
    return left !== undefined && left - (serverTime.now() - clocks!.at) < SHORT_US
  }

  pick(id: string): void {
    if (this.busy || this.last.kept) return
    const next = pick(this.choices, this.way, id)
    if (!('choice' in next)) this.set(next.picked, next.picked[0] === this.way[0] ? this.also : [])
    else if (this.also.length) void this.gather(together(next.choice, this.also))
    else void this.decide(next.choice)
  }

  /** Picks several that go the same way; one that is picked already is let go. */
  join(ids: readonly string[]): void {
    if (this.busy || this.last.kept) return
    const before = [...this.chosen.slice(0, 1), ...this.also]
    const [only, ...more] = ids
    const now = !more.length && before.includes(only!) ? before.filter((id) => id !== only) : [...new Set([...before, ...ids])]
    this.set(now.slice(0, 1), now.slice(1))
  }

  private companyOf({ title, names }: Watching): Company[] {
    const [only, ...more] = this.chosen
    if (!only || more.length) return []
    const going = new Set([only, ...this.also])
    const found = title?.company?.(only, this.choices, this.session.view, names) ?? []
    return found.filter(({ ids }) => ids.some((id) => !going.has(id)))
  }

  /** Marks on the board what a bundle would take; null: no more. */
  look(bundle: Bundle | null): void {
    this.seen = bundle
  }

  private get looked(): Choice[] {
    return this.seen && this.bundles.includes(this.seen) && !this.busy ? taken(this.seen, this.choices) : []
  }

  private held(): readonly string[] {
    const { kept } = this.last
    if (kept) return kept.choices.flatMap((one) => one.path)
    return [...this.way, ...this.also]
  }

  /** Takes a bundle; the pick of it that ends the step is kept for a moment, as any other. */
  async gather(bundle: Bundle): Promise<void> {
    const { session } = this
    this.seen = null
    this.suggestion.leave()
    const before = session.holding
    const last = await session.gather(bundle, () => this.choices, this.keeps)
    if (!last) return
    const undone = (): void => void session.unhold(before)
    await this.later({ what: bundle.label, choices: [last], undone }, false, () => session.take([last], false, bundle.label))
  }

  leave(): void {
    if (this.busy) return
    this.last.drop()
    this.set([], [])
  }

  private set(ids: readonly string[], also: readonly string[]): void {
    this.suggestion.leave()
    this.clicked = { for: this.session.prompt, ids, also }
  }

  close(): void {
    this.last.close()
    this.left = true
    this.passing.close()
  }

  /** Nothing on the board can be picked just now. */
  private get still(): boolean {
    return this.session.bundle !== '' || this.last.kept !== null || this.suggestion.seen !== null
  }

  private options({ title, names }: Watching): Choice[] {
    const { prompt, view } = this.session
    return prompt && title ? prompt.options.map((option) => title.choice(option as Decision, view, names, prompt.text)) : []
  }

  private marked(): ReadonlySet<string> {
    const { seen } = this.suggestion
    if (seen) return new Set(seen.choices.flatMap((one) => one.path))
    const { facts } = this.session.active.folded
    const last = facts.at(-1)
    const own = facts.slice(-60).filter((fact) => fact.command === last?.command)
    return own.length ? new Set(own.flatMap((fact) => idsIn(fact.words))) : NO_IDS
  }

  private ending(): string {
    const { seen } = this.suggestion
    if (seen && !seen.quiet) return taking(this.keeps)
    const [end, ...others] = this.choices.filter((one) => one.leaves)
    const shown = !this.last.kept && !this.suggestion.shown && !this.chosen.length
    return shown && end && !others.length && this.choices.length > 1 ? `“${end.label}” ends this.` : ''
  }

  /** What is picked on the way to a decision, and what now. */
  private onTheWay(watching: Watching): string {
    const known = watching.known(this.view.match)
    const open = left(this.choices, this.chosen)
    const [first, ...rest] = this.chosen
    const names = [first!, ...this.also, ...rest].map((id) => nameOf(id, known)).filter((name) => !/^\w+:/.test(name))
    const what = names.length > FEW ? `${names[0]} and ${names.length - 1} more` : names.join(', ')
    if (open.length > FEW) return `${what || 'Picked'}: choose one of ${open.length} that glow.`
    const told = names.length > 0 && open.every(({ label }) => names.every((name) => label.includes(name)))
    return `${told ? 'Choose' : what || 'Picked'}: ${open.map((one) => one.label).join(' · ')}.`
  }

  private line(watching: Watching): string {
    const { title } = watching
    const { match, asked } = this.view
    const { prompt } = this.session
    if (!title || !match.title) return 'Opening the match …'
    if (this.ended) return this.ended
    if (!match.started) return 'The match has not begun.'
    if (match.paused) return 'The match is paused.'
    if (this.last.kept) return `${this.last.kept.what} …`
    const { seen } = this.suggestion
    if (seen) return `Suggested: ${inShort(seen.choices)}.`
    if (this.looked.length) return `${this.seen!.label}: ${inShort(this.looked)}.`
    if (prompt && this.chosen.length) return this.onTheWay(watching)
    if (this.suggestion.shown && this.suggestion.now) return 'Suggested: nothing more in this step.'
    const known = watching.known(match)
    if (prompt) {
      // Whoever plays several seats must know which of them is asked.
      const whose = this.session.seats.length > 1 ? `${match.seats[prompt.seat]?.name ?? ''}: ` : ''
      return whose + plain(title.asks?.(prompt.text) ?? prompt.text, known)
    }
    const { seats } = known
    const who = asked.map((seat) => seats[seat] ?? `seat ${seat}`).join(' and ')
    return who ? `Waiting for ${who}. ${this.where.step}` : FALLING
  }
}
