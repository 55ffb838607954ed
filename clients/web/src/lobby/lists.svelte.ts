/** The matches that the lobby lists: those that are pushed, those that are looked for, and one's own; and sitting down at
 * one of them. */

import * as http from '../protocol/http'
import type { ChallengeInfo, MatchInfo, Refused } from '../protocol/wire'
import { forget, keepTastes, keptMatches, tastes } from '../state/keep'
import { me } from '../state/me.svelte'
import { router } from '../state/router.svelte'
import type { LobbyLine } from './line.svelte'
import type { Mine } from './own'

interface Seat {
  match: string
  seat: number
}

/** Whoever types is not asked about every letter, nor is the server. */
const TYPED_MS = 250
/** So many are shown at first, and so many more each time. */
const SHOWN = 30
/** While something is looked for, what is pushed has it looked for again, at most this often. */
const AGAIN_MS = 2_000

const LATE_WORDS = 'Somebody else sat down there a moment before you.'
const LATE = new Set<Refused['code']>(['seat_taken', 'started'])

const NONE: readonly number[] = []

export class Lists {
  state = $state<MatchInfo['state']>('open')
  text = $state('')
  title = $state('')
  pace = $state<'' | 'live' | 'turns'>('')
  /** The seat for which a name is asked. */
  naming = $state.raw<Seat | null>(null)
  /** The seat that is being taken. */
  joining = $state.raw<Seat | null>(null)
  /** What somebody who clicked is told. */
  said = $state('')
  mine = $state.raw<Mine[]>([])
  /** Those that wait for one's answer. */
  calls = $state.raw<ChallengeInfo[]>([])
  asking = $state(false)
  looked = $state(false)
  problem = $state('')
  readonly narrowed: boolean
  readonly shown: MatchInfo[]
  /** There are more than are shown, or may be. */
  readonly more: boolean
  private limit = $state(SHOWN)
  /** The server has told of all that was looked for. */
  private whole = $state(true)

  private found = $state.raw<MatchInfo[]>([])
  private readonly pushed: MatchInfo[]
  private number = 0
  /** How often the line had told of challenges. */
  private told = 0

  constructor(private readonly line: LobbyLine) {
    this.pushed = $derived([...(line.pushed?.values() ?? [])].sort((one, two) => two.last - one.last))
    this.narrowed = $derived(Boolean(this.text.trim() || this.title || this.pace))
    const list = $derived(this.searched ? this.found : this.all(this.state))
    this.shown = $derived(list.slice(0, this.limit))
    this.more = $derived(list.length > this.limit || (this.searched && !this.whole && list.length > 0))
    $effect(() => {
      const wait = this.text ? TYPED_MS : 0
      void [this.state, this.title, this.pace]
      this.limit = SHOWN
      if (!this.searched) {
        this.looked = line.pushed !== null
        return
      }
      const timer = setTimeout(() => void this.look(), wait)
      return () => clearTimeout(timer)
    })
    $effect(() => {
      if (!line.pushed || !this.searched) return
      const timer = setTimeout(() => void this.look(), AGAIN_MS)
      return () => clearTimeout(timer)
    })
    $effect(() => {
      if (line.pushed) void this.own()
    })
    // Whoever still writes his name is told when there is nothing left to sit down at.
    $effect(() => {
      if (!this.naming || !line.pushed || line.pushed.get(this.naming.match)?.joinable.length) return
      this.said = line.pushed.has(this.naming.match) ? LATE_WORDS : 'That offer is gone.'
      this.naming = null
    })
  }

  /** Whether the list is asked for, because what is pushed does not say it all. */
  private get searched(): boolean {
    return this.narrowed || this.state === 'ended'
  }

  all(state: MatchInfo['state']): MatchInfo[] {
    return this.pushed.filter((one) => (state === 'open' ? one.joinable.length && !this.seatsOf(one.match).length : one.state === state))
  }

  count(state: MatchInfo['state']): number {
    return this.all(state).length
  }

  seatsOf(match: string): readonly number[] {
    return this.mine.find((one) => one.match === match)?.seats ?? NONE
  }

  waits(match: string): boolean {
    return this.mine.some((one) => one.match === match && one.waits)
  }

  /** Sits down at a match that is open to all, once there is a name to sit down by. */
  async join(info: MatchInfo, seat: number, name = tastes().name, asked = Boolean(name || me.person)): Promise<void> {
    const { match } = info
    this.said = ''
    this.naming = asked ? null : { match, seat }
    if (!asked) return
    this.joining = { match, seat }
    keepTastes({ name })
    const { joinSeat } = await import('../state/seating')
    const answer = await joinSeat(info, seat, name)
    this.joining = null
    if (answer.ok) {
      router.go(`/match/${match}`)
      return
    }
    const { code, reason } = answer.refused
    this.said = LATE.has(code) ? LATE_WORDS : `You could not sit down: ${reason}.`
    this.line.ask()
    if (this.searched) void this.look()
  }

  widen(): void {
    this.text = ''
    this.title = ''
    this.pace = ''
  }

  forget(match: string): void {
    forget(match)
    this.mine = this.mine.filter((one) => one.match !== match)
  }

  /** Shows more, asking for those before the last one if need be. */
  async further(): Promise<void> {
    this.limit += SHOWN
    if (!this.searched || this.found.length > this.limit) return
    const more = await this.ask(String(this.found.at(-1)?.last ?? ''))
    const known = new Set(this.found.map((one) => one.match))
    const others = more.filter((one) => !known.has(one.match))
    this.found = [...this.found, ...others]
    this.whole = !others.length
  }

  private async look(): Promise<void> {
    const number = ++this.number
    try {
      const found = await this.ask('')
      if (number !== this.number) return
      this.found = found
      this.whole = found.length < SHOWN
      this.looked = true
      this.problem = ''
    } catch (why) {
      this.problem = (why as Error).message
    }
  }

  private async ask(before: string): Promise<MatchInfo[]> {
    this.asking = true
    try {
      return await http.matches({ state: this.state, q: this.text.trim(), title: this.title, pace: this.pace, before })
    } finally {
      this.asking = false
    }
  }

  /** Looks at one's own matches again, and at what one is challenged to. */
  async own(anew = this.line.yours !== this.told): Promise<void> {
    this.told = this.line.yours
    if (me.person || keptMatches().length) {
      const { calls, own } = await import('./own')
      this.calls = await calls(anew)
      this.mine = await own(this.line.pushed, this.joining?.match)
    } else {
      this.mine = []
    }
  }
}
