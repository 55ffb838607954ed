/** A match played back: which moment is shown, and moving through it by step, by turn and by itself. */

import * as http from '../protocol/http'
import { Film } from '../protocol/film'
import type { TableView } from '../protocol/wire'
import type { Title } from '../titles/title'
import { idsIn } from '../words/sentence'
import { keepTastes, kept, tastes, type Way } from './keep'
import { router } from './router.svelte'

const STEP_MS = 900

/** The eyes that a match is looked back on with: a seat's of this browser, if it has one. */
export function eyes(match: string): Way | undefined {
  const ways = kept(match)?.ways ?? []
  return ways.find((one) => one.role === 'seat') ?? ways[0]
}

export class Reel {
  film = $state.raw<Film | null>(null)
  at = $state(0)
  playing = $state(false)
  /** Whether the last move was forward. */
  onward = $state(false)
  speed = $state(tastes().speed)
  /** Whose eyes: '' one's own, a side, or `all`. */
  as = $state('')
  readonly view: TableView | null
  /** The ids of the step's facts. */
  readonly recent: ReadonlySet<string>

  constructor(
    private readonly match: string,
    private readonly token: string,
  ) {
    this.view = $derived(this.film?.view(this.at) ?? null)
    this.recent = $derived(new Set(this.film?.step(this.at)?.facts.flatMap((fact) => idsIn(fact.words)) ?? []))
  }

  get ended(): boolean {
    return this.film?.view(this.film.length).match.over ?? false
  }

  get seq(): number {
    return this.film?.seq(this.at) ?? 0
  }

  /** Fetches every step as `as` saw it, and shows the moment of before, at first that of fact `seq`. Raises Error. */
  async fetch(as: string, seq: number): Promise<void> {
    this.as = as
    const before = this.film ? this.seq : seq
    const side = as === 'all' ? 'all' : as === '' ? null : Number(as)
    this.film = new Film(await http.steps(this.match, this.token, side))
    this.at = this.film.place(before)
  }

  /** The facts after this one are those of the step, if it was come to from before it. */
  get since(): number {
    return this.onward ? (this.film?.seq(this.at - 1) ?? 0) : this.seq
  }

  /** Shows step `to`, and names it in the address. */
  go(to: number): void {
    if (!this.film) return
    this.onward = to > this.at
    this.at = Math.max(0, Math.min(this.film.length, to))
    router.rename(this.address(this.as))
  }

  address(as: string): string {
    return `/match/${this.match}/replay${as ? `?as=${as}` : ''}#${this.seq}`
  }

  play(on: boolean): void {
    if (on && this.at === this.film?.length) this.go(0)
    this.playing = on
  }

  faster(speed: number): void {
    this.speed = speed
    keepTastes({ speed })
  }

  /** While it plays, the next step in its time, or when the board has shown this one; returns what calls it off. */
  next(title: Title | null): (() => void) | undefined {
    if (!this.playing || !this.film) return undefined
    if (this.at >= this.film.length) {
      this.playing = false
      return undefined
    }
    const { seq } = this
    const lasts =
      title?.lasts?.(
        this.film.facts.filter((fact) => fact.seq <= seq),
        this.since,
      ) ?? 0
    const timer = setTimeout(() => this.go(this.at + 1), Math.max(STEP_MS, lasts) / this.speed)
    return () => clearTimeout(timer)
  }

  /** Where turns begin, for the slider. */
  marks(title: Title | null): { at: number; label: string }[] {
    const found: { at: number; label: string }[] = []
    for (let place = 1; place <= (this.film?.length ?? 0); place++) {
      for (const fact of this.film?.step(place)?.facts ?? []) {
        const chapter = title?.chapter(fact, null)
        if (chapter && !chapter.title) found.push({ at: place, label: String(chapter.turn) })
      }
    }
    return found
  }
}
