/** What every page about one match needs besides the match: its title's folder, names, and who plays. */

import * as http from '../protocol/http'
import { load } from '../titles'
import { glossary } from './glossary.svelte'
import type { Title } from '../titles/title'
import { withArticle } from '../words/article'
import { CALLED_OFF } from '../words/facts'
import { type Known, plain } from '../words/sentence'
import type { MatchDetails, MatchView, TitleInfo } from '../protocol/wire'

/** After a failure the server is asked again for what is wanted, ever later; ms. */
const AGAIN_MS = 2_000
const LONGEST_MS = 120_000
/** A name or the label may be hidden by the operator while a page is open: it is looked up again this often, in ms, and
 * when the page comes back into sight. */
const LOOK_MS = 60_000

export class Watching {
  title = $state.raw<Title | null>(null)
  about = $state.raw<TitleInfo | null>(null)
  match = $state.raw<MatchDetails | null>(null)
  /** What the ids of the title are called. */
  names = $state.raw<Record<string, string>>({})
  problem = $state('')

  constructor(
    readonly id: string,
    public token: string,
  ) {}

  private looks = 0
  /** Why the match ended, once the server has said so. */
  private reason = $state('')
  private asked = false
  private left = false

  /** The latest look, which never fails. */
  looking = Promise.resolve()

  /** Looks the match up; again when somebody sits down or play begins, for the names. The latest answer counts. */
  look(): Promise<void> {
    this.looking = this.lookUp()
    return this.looking
  }

  /** Looks again while the page is open and in sight; returns what ends it. */
  keepLooking(): () => void {
    const look = (): void => {
      if (!document.hidden && this.looks) void this.look()
    }
    const timer = setInterval(look, LOOK_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }

  private async lookUp(): Promise<void> {
    const number = ++this.looks
    try {
      const found = await http.match(this.id, this.token)
      if (number !== this.looks) return
      this.match = found
      await this.named(found.title)
      this.problem = ''
    } catch (why) {
      if (number === this.looks) this.problem = (why as Error).message
    }
  }

  async named(name: string): Promise<void> {
    if (this.title?.name === name) return
    const [titles, names, title] = await Promise.all([http.titles(), http.names(name), load(name)])
    this.names = names
    this.about = titles.find((one) => one.name === name) ?? null
    this.title = title
    void glossary.open(name)
    if (!title) this.problem = `This page has no board for ${name}.`
  }

  get players(): string[] {
    return this.match?.seats.map((seat) => seat.player) ?? []
  }

  get handles(): string[] {
    return this.match?.seats.map((seat) => seat.handle) ?? []
  }

  get sides(): string[] {
    return this.about?.sides ?? []
  }

  known(view: MatchView): Known {
    return { names: this.names, sides: this.sides, seats: view.seats.map((seat, number) => this.players[number] || seat.name) }
  }

  /** Who won, in three words. */
  result(winner: number | null | undefined, reason = ''): string {
    if (reason === CALLED_OFF) return 'The match is called off'
    return typeof winner === 'number' ? `${withArticle(this.sides[winner] ?? '')} won` : 'The match is drawn'
  }

  /** How a match ended, or '': who won at once, and why as soon as that is here. */
  outcome(view: MatchView): string {
    return view.over ? `${this.result(view.winner, view.reason)}. ${plain(this.reason, this.known(view))}`.trimEnd() : ''
  }

  /** Asks why the match ended, once it has, until the server has said so or the page is left. */
  async ended(view: MatchView): Promise<void> {
    if (!view.over || this.asked) return
    this.asked = true
    for (let wait = AGAIN_MS; !this.left; wait = Math.min(2 * wait, LONGEST_MS)) {
      const report = await http.report(this.id, this.token).catch(() => null)
      if (report) {
        this.reason = report.reason
        return
      }
      await new Promise((go) => setTimeout(go, wait))
    }
  }

  close(): void {
    this.left = true
  }
}
