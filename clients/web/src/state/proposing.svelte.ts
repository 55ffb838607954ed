/** Who may propose, from a moment that is looked back on, that the match goes on from there: a seat that is played from here,
 * or the director of its tournament, who plays nothing there. What may be proposed, the server says. */

import { directed, propose } from '../protocol/correcting'
import type { Directed } from '../protocol/wire'
import { seatsOf } from '../people/matches'
import { whole } from '../words/whole'
import { Follow } from './follow.svelte'
import { kept, type Way } from './keep'
import { me } from './me.svelte'

export class Proposing {
  /** As what one may; '' while that is not known, and for all others. */
  may = $state<'' | 'seat' | 'director'>('')
  /** The match as it is now, from when it is asked for: through each seat that is played from here, or as an onlooker. */
  follows = $state.raw<readonly Follow[]>([])
  private own: readonly number[] = []
  private directed: Directed = {}

  constructor(private readonly match: string) {}

  private get ways(): Way[] {
    return kept(this.match)?.ways.filter(({ role }) => role === 'seat') ?? []
  }

  /** Finds out as what one may. Whoever is not signed in and has no link of a seat is asked nothing for. */
  async look(): Promise<void> {
    if (this.ways.length) this.may = 'seat'
    else if (me.person) {
      this.own = await seatsOf(this.match)
      if (this.own.length) this.may = 'seat'
      else {
        this.directed = await directed(this.match).catch(() => ({}))
        if (this.directed.tournament) this.may = 'director'
      }
    }
  }

  /** The fact that the match has come to; 0 while that is not known. */
  get head(): number {
    return this.follows[0]?.folded.upto ?? 0
  }

  /** Why it cannot be followed; or ''. */
  get problem(): string {
    return whole(this.follows[0]?.refusal?.reason ?? '')
  }

  /** Connects as whoever proposes. */
  open(): void {
    const { match } = this
    const linked = this.ways.map(({ token, heir }) => new Follow(match, token, heir, false))
    const others = this.own.length ? this.own.map((seat) => new Follow(match, '', '', false, seat)) : [new Follow(match, '', '', false)]
    this.follows = linked.length ? linked : others
  }

  close(): void {
    for (const one of this.follows) one.close()
    this.follows = []
  }

  /** Proposes to go back to a fact; returns why that was not done, or ''. Where every seat is played from here all agree. */
  async propose(backTo: number, reason: string): Promise<string> {
    const { follows } = this
    const { tournament, pairing } = this.directed
    if (tournament) {
      return propose(tournament, pairing!, backTo, reason).then(
        () => '',
        (why: unknown) => whole((why as Error).message),
      )
    }
    const [first, ...others] = follows
    const answer = await first!.command({ t: 'correct', back_to: backTo })
    if (!answer.ok) return whole(answer.refused.reason)
    if (follows.length === first!.folded.view.match.seats.length) {
      for (const one of others) await one.command({ t: 'answer', what: 'correction', agreed: true, back_to: backTo })
    }
    return ''
  }
}
