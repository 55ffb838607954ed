/** The tournament of a page: read now and then while somebody looks, and after each change. */

import * as http from '../protocol/tournaments'
import type { Invitation, MyTournament, Tournament } from '../protocol/wire'
import { me } from '../state/me.svelte'
import { whole } from '../words/whole'
import { isOwn } from './words'

/** How often it is read anew, in milliseconds: matches end in their own time, and what the server is about to do comes soon. */
const [AGAIN, SOON] = [15_000, 2_000]

export class TournamentNow {
  now = $state.raw<Tournament | null>(null)
  /** Why there is nothing to show; or ''. */
  problem = $state('')
  /** Something is being changed. */
  busy = $state(false)
  /** What it is to whoever is signed in; null for others and for guests. */
  mine = $state.raw<MyTournament | null>(null)
  /** Whom its director has asked; empty for others. */
  invited = $state.raw<readonly Invitation[]>([])

  readonly directs = $derived(me.person !== null && this.now?.info.director.handle === me.person.handle)
  /** Whether one rules results here; the server says so for a while after the end, too. */
  readonly rules = $derived(this.directs && (this.now!.info.state === 'under way' || this.now!.info.ruled_until !== null))
  /** One's own entries, those of one's bots among them. */
  readonly own = $derived(this.now?.entrants.filter((one) => isOwn(one, me.person?.handle)) ?? [])

  /** Whether all places are taken: those who have withdrawn have none. */
  readonly full = $derived(
    this.now !== null && this.now.entrants.filter(({ withdrawn }) => withdrawn === null).length >= this.now.info.most,
  )

  constructor(readonly id: string) {}

  async look(): Promise<void> {
    try {
      await this.read()
      this.problem = ''
    } catch (why) {
      // What is shown already stays.
      if (!this.now) this.problem = whole((why as Error).message)
    }
  }

  private async read(): Promise<void> {
    this.now = await http.tournament(this.id)
    if (!me.person) return
    this.mine = (await http.mine()).find(({ info }) => info.id === this.id) ?? null
    if (this.directs) this.invited = await http.invited(this.id)
  }

  /** Reads it again while the page is looked at and something can still happen; returns what ends that. */
  follow(): () => void {
    let looked = Date.now()
    const again = (): void => {
      const { state } = this.now?.info ?? {}
      if (document.hidden || this.busy || (state !== 'open' && state !== 'under way')) return
      if (!this.awaits() && Date.now() - looked < AGAIN) return
      looked = Date.now()
      void this.look()
    }
    const timer = setInterval(again, SOON)
    document.addEventListener('visibilitychange', again)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', again)
    }
  }

  /** Whether the server is about to make matches, or to pair the next round. */
  private awaits(): boolean {
    const { info, rounds } = this.now!
    if (info.state !== 'under way') return false
    const waiting = (rounds.at(-1)?.pairings ?? []).filter(({ how, second }) => how === null && second !== null)
    return waiting.length ? waiting.some(({ match }) => match === null) : info.by_itself
  }

  /** Changes it; returns why that was not done, or ''. */
  async change(act: Promise<Tournament>): Promise<string> {
    return this.did(async () => {
      this.now = await act
    })
  }

  /** Changes whom its director asks; returns why that was not done, or ''. */
  async asking(act: Promise<Invitation[]>): Promise<string> {
    return this.did(async () => {
      this.invited = await act
    })
  }

  private async did(act: () => Promise<void>): Promise<string> {
    this.busy = true
    try {
      await act()
    } catch (why) {
      return whole((why as Error).message)
    } finally {
      this.busy = false
    }
    void this.look()
    return ''
  }
}
