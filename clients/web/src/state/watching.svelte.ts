/** What every page about one match needs besides the match: its title's folder, names, and who plays. */

import * as http from '../protocol/http'
import { load } from '../titles'
import type { Title } from '../titles/title'
import type { Known } from '../words/sentence'
import type { MatchInfo, MatchView, TitleInfo } from '../protocol/wire'

export class Watching {
  title = $state.raw<Title | null>(null)
  about = $state.raw<TitleInfo | null>(null)
  match = $state.raw<MatchInfo | null>(null)
  /** What the ids of the title are called. */
  names = $state.raw<Record<string, string>>({})
  problem = $state('')

  constructor(
    readonly id: string,
    public token: string,
  ) {}

  private looks = 0

  /** Looks the match up; again when somebody sits down or play begins, for the names. The latest answer counts. */
  async look(): Promise<void> {
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
    if (!title) this.problem = `This page has no board for ${name}.`
  }

  get players(): string[] {
    return this.match?.seats.map((seat) => seat.player) ?? []
  }

  get sides(): string[] {
    return this.about?.sides ?? []
  }

  known(view: MatchView): Known {
    return { names: this.names, sides: this.sides, seats: view.seats.map((seat, number) => this.players[number] || seat.name) }
  }
}
