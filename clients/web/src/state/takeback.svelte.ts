/** Taking back, always in one place: the pick that is kept, a choice that is held back, one's own last decision, or, where
 * others have decided since, the question whether it may be. It says what, and where it cannot be, why. */

import type { Move } from '../protocol/moves'
import type { Deed } from '../words/deeds'
import { coveredSince, covers } from '../words/retold'
import { plain } from '../words/sentence'
import { decider, lastDeed, reach, type Reach, type Telling, told } from '../words/undoable'
import type { Answered } from './follow.svelte'
import type { LastPick } from './lastpick.svelte'
import type { Session } from './session.svelte'

interface Way {
  /** What the button does: `undo` at once, `ask` the others, or nothing. */
  does: 'undo' | 'ask' | ''
  /** What it takes back, in words; or ''. */
  what: string
  /** Why it is not simply undone. */
  why: string
}

const PAUSED: Way = { does: '', what: '', why: 'Nothing can be taken back while the match is paused.' }
const NOTHING: Way = { does: '', what: '', why: 'Nothing to take back: you have decided nothing yet.' }
const SINCE = {
  chance: 'dice have fallen, or something was drawn or laid open, since',
  clock: 'the clock has decided since',
  others: 'another has decided since',
  consent: 'the match was corrected since',
}

export class TakeBack {
  readonly way: Way
  /** Why it cannot be done, for whoever has tried by key; until the match goes on. */
  readonly said: string
  /** Who has agreed to take something back, and what in words; an offer that the match has moved on from is void. */
  readonly offer: { by: readonly number[]; what: string }
  private tried = $state(-1)

  constructor(
    private readonly session: Session,
    private readonly last: LastPick,
    telling: Telling,
  ) {
    this.offer = $derived(this.offered(telling))
    this.way = $derived(this.look(telling))
    this.said = $derived(this.tried === session.active.folded.upto && this.way.does !== 'undo' ? this.way.why : '')
  }

  private offered(telling: Telling): { by: readonly number[]; what: string } {
    const { facts, moves, view } = this.session.active.folded
    const { undo, undo_to: to } = view.match
    const [by] = undo
    if (by === undefined || reach(moves, [by], false)?.backTo !== to) return { by: [], what: '' }
    return { by: undo, what: plain(covers(by, to, coveredSince(to, facts), telling), telling.known()) }
  }

  private look(telling: Telling): Way {
    const { session } = this
    const { kept } = this.last
    if (kept) return { does: 'undo', what: kept.what, why: '' }
    if (session.holding) return { does: 'undo', what: session.lastHeld, why: '' }
    const { moves, view } = session.active.folded
    if (view.match.paused) return PAUSED
    const going = view.match.started && !view.match.over
    const deed = going ? lastDeed(moves, session.seats, (move) => this.whose(move)) : null
    if (!deed) return NOTHING
    const what = deed.what || told(deed.move, telling) || 'your last decision'
    if (this.reach(true)) return { does: 'undo', what, why: '' }
    const since = SINCE[deed.bar || 'others']
    if (!this.reach(false) || session.seats.length >= view.match.seats.length) {
      return { does: '', what: '', why: `It stands: ${since}. (${what})` }
    }
    if (session.seats.includes(this.offer.by[0] ?? -1)) {
      return { does: '', what: '', why: `You have asked to take it back. (${what})` }
    }
    return { does: 'ask', what, why: `Taken back only if the others agree: ${since}. (${what})` }
  }

  /** What of ours can be taken back, alone or with the consent of the others; null if surely nothing. */
  private reach(alone: boolean): Reach | null {
    const { session } = this
    const { moves, view } = session.active.folded
    if (!view.match.started || view.match.over || view.match.paused) return null
    return reach(moves, session.seats, alone, (move) => this.whose(move)?.seat)
  }

  /** Whose a move was, if it was given here or can be told from what is seen of it. */
  private whose(move: Move): Deed | undefined {
    const { session } = this
    const here = session.deedOf(move)
    if (here) return here
    const seat = decider(move, (one) => session.active.folded.view.match.seats[one]?.side, session.seats)
    return seat === undefined ? undefined : { seat, what: '' }
  }

  /** Whether the others can be asked: they can where one may undo alone, too. */
  get mayAsk(): boolean {
    return this.offer.by.length === 0 && this.reach(false) !== null
  }

  ask(): Promise<Answered> {
    return this.send('ask')
  }

  /** By the button. */
  async act(): Promise<void> {
    if (this.last.kept) this.last.drop()
    else if (this.session.holding) await this.session.unhold(this.session.holding - 1)
    else if (this.way.does) await this.send(this.way.does)
  }

  /** By the key: what asks others is said first, and done when the key is pressed again. */
  async key(): Promise<void> {
    const { upto } = this.session.active.folded
    if (this.way.does === 'undo' || (this.way.does === 'ask' && this.tried === upto)) await this.act()
    else this.tried = upto
  }

  /** Takes back the last decision of ours, or asks the others whether it may be. */
  private send(how: 'undo' | 'ask'): Promise<Answered> {
    const seat = this.reach(how === 'undo')?.seat
    const follow = this.session.follows.find((one) => one.seat === seat) ?? this.session.active
    return follow.command(how === 'ask' ? { t: 'offer', what: 'undo' } : { t: 'undo' })
  }
}
