/** What a bot of the house would choose in this step: asked for by a click, shown on the board as if it were chosen until
 * it is taken by another, or left. Nothing is decided before that. */

import type { Asked, TableView } from '../protocol/wire'
import type { Choice, Decision } from '../titles/title'
import type { Proposed, Session } from './session.svelte'

interface Found {
  for: Asked
  choices: readonly Choice[]
  /** One may go on choosing after all of them. */
  quiet: boolean
  /** The table after those that are quiet. */
  view: TableView
}

export class Suggestion {
  /** The question for which it is to be seen. */
  private wanted = $state.raw<Asked | null>(null)
  private found = $state.raw<Found | null>(null)
  private asking: Asked | null = null

  constructor(
    private readonly session: Session,
    private readonly choice: (decision: Decision, view: TableView) => Choice | undefined,
  ) {}

  get shown(): boolean {
    return this.wanted !== null && this.wanted === this.session.prompt
  }

  /** What was found for the question that is asked now. */
  get now(): Found | null {
    return this.found?.for === this.session.prompt ? this.found : null
  }

  get seen(): Found | null {
    return this.shown && this.now?.choices.length ? this.now : null
  }

  /** Shows it on the board, as soon as it is known. */
  async look(): Promise<void> {
    const { prompt } = this.session
    this.wanted = prompt
    if (!prompt || this.now || this.asking === prompt) return
    this.asking = prompt
    const proposed = await this.session.propose()
    if (this.asking === prompt) this.asking = null
    if (!proposed) return
    const choices = this.choicesOf(proposed)
    this.found = { for: prompt, choices, quiet: choices.length === proposed.decisions.length, view: proposed.view }
  }

  leave(): void {
    this.wanted = null
  }

  private choicesOf({ decisions, last, view }: Proposed): Choice[] {
    const quiet = decisions.flatMap((one) => this.choice(one, this.session.view) ?? [])
    // To be done with the step is the player's own business.
    const end = last && this.choice(last, view)
    return end && !end.leaves ? [...quiet, end] : quiet
  }
}
