/** A match played back: which moment is shown, and moving through it by beat, by step, by turn and by itself. A step is
 * what came of one command; its beats are shown on the table of before, and then the table is as it led to. */

import * as http from '../protocol/http'
import { begun, Film } from '../protocol/film'
import type { TableView } from '../protocol/wire'
import { type Beat, beatsOf, groundOf, lengths } from '../scenes/beats'
import { hear, heardIn } from '../scenes/hearing'
import type { Shown } from '../scenes/scenes.svelte'
import type { Chapter, Title } from '../titles/title'
import { idsIn } from '../words/sentence'
import { keepTastes, kept, tastes, type Way } from './keep'
import { router } from './router.svelte'
import { taste } from './tastes.svelte'
import type { Watching } from './watching.svelte'

const STEP_MS = 900

/** The eyes that a match is looked back on with: a seat's of this browser, if it has one. */
export function eyes(match: string): Way | undefined {
  const ways = kept(match)?.ways ?? []
  return ways.find((one) => one.role === 'seat') ?? ways[0]
}

export class Reel {
  film = $state.raw<Film | null>(null)
  /** The step that is shown; 0 is before the first. */
  at = $state(0)
  /** Which of its beats is shown; -1: all is over. */
  place = $state(-1)
  playing = $state(false)
  speed = $state(tastes().speed)
  /** Whose eyes: '' one's own, a side, or `all`. */
  as = $state('')
  readonly beats: readonly Beat[]
  readonly scene: Shown | null
  readonly view: TableView | null
  /** The ids of the step's facts. */
  readonly recent: ReadonlySet<string>

  constructor(
    private readonly match: string,
    private readonly watching: Watching,
  ) {
    this.beats = $derived(this.beatsAt(this.at))
    this.scene = $derived(this.shown())
    this.view = $derived(this.scene?.view ?? this.film?.view(this.at) ?? null)
    this.recent = $derived(new Set(this.film?.step(this.at)?.facts.flatMap((fact) => idsIn(fact.words)) ?? []))
  }

  private get title(): Title | null {
    return this.watching.title
  }

  private beatsAt(at: number): readonly Beat[] {
    const { film, title } = this
    return film && title && at > 0 && at <= film.length ? beatsOf(film.past(at), film.seq(at - 1), title) : []
  }

  private shown(): Shown | null {
    const { film, title, at, beats, place } = this
    const beat = beats[place]
    if (!film || !title || !beat) return null
    const [facts, since] = [begun(film.past(at), beat.seq), film.seq(at - 1)]
    return {
      view: groundOf(beat, [film.view(at - 1), film.view(at)], facts, since, title),
      facts,
      upto: beat.seq,
      since,
      beat,
      number: place + 1,
      of: beats.length,
    }
  }

  get ended(): boolean {
    return this.film?.view(this.film.length).match.over ?? false
  }

  get seq(): number {
    return this.scene?.upto ?? this.film?.seq(this.at) ?? 0
  }

  /** The fact by which the moment is named. */
  get named(): number {
    return this.scene?.beat.from ?? this.seq
  }

  /** Fetches every step as `as` saw it, and shows the moment of before, at first that of fact `seq`. Raises Error. */
  async fetch(as: string, seq: number): Promise<void> {
    this.as = as
    const before = this.film ? this.named : seq
    const side = as === 'all' ? 'all' : as === '' ? null : Number(as)
    this.film = new Film(await http.steps(this.match, this.watching.token, side))
    this.show(before)
  }

  /** Shows the moment of a fact, and names it in the address. */
  look(seq: number): void {
    this.show(seq)
    router.rename(this.address(this.as))
  }

  /** Shows the moment of fact `seq`: the beat that it is in, or else the end of its step. */
  show(seq: number): void {
    if (!this.film) return
    this.at = this.film.place(seq)
    this.place = seq === this.film.seq(this.at) ? -1 : this.beats.findIndex((beat) => beat.from <= seq && seq <= beat.seq)
  }

  /** Shows the end of step `to`, and names it in the address. */
  go(to: number): void {
    this.turn(to, -1)
  }

  /** The next beat, or the end of the step after its last. */
  on(): void {
    if (this.place >= 0) this.turn(this.at, this.place + 1 < this.beats.length ? this.place + 1 : -1)
    else if (this.at < (this.film?.length ?? 0)) this.turn(this.at + 1, this.beatsAt(this.at + 1).length ? 0 : -1)
  }

  back(): void {
    if (this.place > 0) this.turn(this.at, this.place - 1)
    else if (this.place < 0 && this.beats.length) this.turn(this.at, this.beats.length - 1)
    else this.turn(this.at - 1, -1)
  }

  /** The end of the step before; of this one if that is not shown yet. */
  step(by: 1 | -1): void {
    if (this.place < 0) this.go(this.at + by)
    else this.go(by > 0 ? this.at : this.at - 1)
  }

  private turn(to: number, place: number): void {
    if (!this.film) return
    this.at = Math.max(0, Math.min(this.film.length, to))
    this.place = place
    if (this.scene && this.title) {
      const { beat, facts } = this.scene
      hear(
        heardIn(
          facts.filter(({ seq }) => seq >= beat.from),
          this.title,
        ),
      )
    }
    router.rename(this.address(this.as))
  }

  address(as: string): string {
    return `/match/${this.match}/replay${as ? `?as=${as}` : ''}#${this.named}`
  }

  play(on: boolean): void {
    if (on && this.at === this.film?.length) this.go(0)
    this.playing = on
  }

  faster(speed: number): void {
    this.speed = speed
    keepTastes({ speed })
  }

  /** While it plays, the next beat or step in its time; returns what calls it off. */
  next(): (() => void) | undefined {
    if (!this.playing || !this.film) return undefined
    if (this.at >= this.film.length && this.place < 0) {
      this.playing = false
      return undefined
    }
    const lasts = this.place < 0 ? STEP_MS : (lengths(this.beats, taste.pace)[this.place] ?? 0)
    const timer = setTimeout(() => (taste.pace === 'off' ? this.step(1) : this.on()), lasts / this.speed)
    return () => clearTimeout(timer)
  }

  /** Where turns begin, for the slider. */
  marks(): { at: number; label: string }[] {
    const found: { at: number; label: string }[] = []
    let chapter: Chapter | null = null
    for (let place = 1; place <= (this.film?.length ?? 0); place++) {
      for (const fact of this.film?.step(place)?.facts ?? []) {
        const next: Chapter | null = this.title?.chapter(fact, chapter) ?? null
        if (!next) continue
        const label = next.named?.replace(/:.*/, '') ?? String(next.turn)
        // What a turn is called may be known only later in it.
        if (next.named && next.turn === chapter?.turn) found.at(-1)!.label = label
        else if (!next.title) found.push({ at: place, label })
        chapter = next
      }
    }
    return found
  }
}
