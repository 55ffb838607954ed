/** What the one who plays sees of a moment and does with it: what can be chosen, what is picked on the way to a
 * decision, what glows, and the line that says who must do what. Knows choices and ids, no title and no rule. */

import type { Asked, TableView } from '../protocol/wire'
import type { Bundle, Choice, Decision } from '../titles/title'
import { news } from '../words/news'
import { outcome } from '../words/outcome'
import { lead, pick, targets, together } from '../words/picking'
import { idsIn } from '../words/sentence'
import type { Session } from './session.svelte'
import type { Watching } from './watching.svelte'

const NO_IDS: ReadonlySet<string> = new Set()

interface Clicked {
  for: Asked | null
  ids: readonly string[]
  also: readonly string[]
}

export class Playing {
  /** Ids clicked so far on the way to an answer. */
  readonly chosen: readonly string[]
  /** The table, with what is chosen and held back. */
  readonly view: TableView
  /** Choices of which nobody is to know how many there were are held back, and go out as one. */
  readonly keeps: boolean
  readonly choices: Choice[]
  readonly bundles: Bundle[]
  readonly picked: ReadonlySet<string>
  readonly glowing: ReadonlySet<string>
  /** The ids of the last command's facts. */
  readonly recent: ReadonlySet<string>
  readonly where: { turn: string; step: string; side: number | null }
  /** How the match ended, or ''. */
  readonly ended: string
  readonly text: string
  /** What holds for the one who plays until he says otherwise. */
  readonly standing: { words: string; rule: string } | null
  /** What was decided by the clock, or answered to an offer, just now. */
  readonly news: string

  private readonly way: readonly string[]
  /** What was clicked, and for which question: with the next one it is past. */
  private clicked = $state.raw<Clicked>({ for: null, ids: [], also: [] })
  /** Picked beside the first of them, to go the same way. */
  private readonly also: readonly string[]

  constructor(
    private readonly session: Session,
    watching: Watching,
  ) {
    this.view = $derived(session.view)
    this.keeps = $derived(watching.title?.hidden?.(this.view) ?? false)
    this.choices = $derived.by(() => {
      const { prompt } = session
      const { title, names } = watching
      return prompt && title ? prompt.options.map((option) => title.choice(option as Decision, this.view, names)) : []
    })
    this.bundles = $derived(watching.title && this.choices.length ? watching.title.bundles(this.choices, this.view, watching.names) : [])
    this.chosen = $derived(this.clicked.for === session.prompt ? this.clicked.ids : [])
    this.also = $derived(this.clicked.for === session.prompt ? this.clicked.also : [])
    this.way = $derived(this.chosen.length ? this.chosen : lead(this.choices))
    this.picked = $derived(new Set([...this.way, ...this.also]))
    // While a decision is on its way the board stays as it was: it is drawn anew once, with what came of it.
    this.glowing = $derived(session.bundle ? NO_IDS : targets(this.choices, this.way))
    this.recent = $derived.by(() => {
      const { facts } = session.active.folded
      const last = facts.at(-1)
      const own = facts.slice(-60).filter((fact) => fact.command === last?.command)
      return own.length ? new Set(own.flatMap((fact) => idsIn(fact.words))) : NO_IDS
    })
    this.where = $derived(watching.title?.where(this.view) ?? { turn: '', step: '', side: null })
    this.ended = $derived(outcome(this.view.match, watching.sides))
    this.text = $derived(this.line(watching))
    this.standing = $derived((this.view.match.title && watching.title?.standing?.(this.view)) || null)
    this.news = $derived(this.ended ? '' : news(session.active.folded.moves, watching.known(this.view.match)))
  }

  get busy(): boolean {
    return this.session.deciding || this.session.bundle !== ''
  }

  async decide(choice: Choice): Promise<void> {
    const { prompt } = this.session
    const { ok } = await this.session.decide(choice, this.keeps)
    if (!ok && prompt === this.session.prompt) this.leave()
  }

  pick(id: string): void {
    if (this.busy) return
    const next = pick(this.choices, this.way, id)
    if (!('choice' in next)) this.set(next.picked, next.picked[0] === this.way[0] ? this.also : [])
    else if (this.also.length) void this.gather(together(next.choice, this.also))
    else void this.decide(next.choice)
  }

  /** Picks several that go the same way; one that is picked already is let go. */
  join(ids: readonly string[]): void {
    if (this.busy) return
    const before = [...this.chosen.slice(0, 1), ...this.also]
    const [only, ...more] = ids
    const now = !more.length && before.includes(only!) ? before.filter((id) => id !== only) : [...new Set([...before, ...ids])]
    this.set(now.slice(0, 1), now.slice(1))
  }

  gather(bundle: Bundle): Promise<void> {
    return this.session.gather(bundle, () => this.choices, this.keeps)
  }

  leave(): void {
    if (!this.busy) this.set([], [])
  }

  private set(ids: readonly string[], also: readonly string[]): void {
    this.clicked = { for: this.session.prompt, ids, also }
  }

  private line(watching: Watching): string {
    const { title } = watching
    const { match, asked } = this.view
    const { prompt } = this.session
    if (!title || !match.title) return 'Opening the match …'
    if (this.ended) return this.ended
    if (!match.started) return 'The match has not begun.'
    if (match.paused) return 'The match is paused.'
    if (prompt) return title.prompt(prompt, this.view)
    const { seats } = watching.known(match)
    const who = asked.map((seat) => seats[seat] ?? `seat ${seat}`).join(' and ')
    return who ? `${who} ${asked.length > 1 ? 'decide' : 'decides'}. ${this.where.step}` : 'The dice are falling …'
  }
}
