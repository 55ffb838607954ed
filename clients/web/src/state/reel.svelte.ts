/** A match played back: which moment is shown, and moving through it by beat, by step, by turn and by itself. A step is
 * what came of one command; its beats are shown on the table of before, and then the table is as it led to. */

import * as records from '../protocol/records'
import { begun, Film } from '../protocol/film'
import { passage } from '../protocol/passages'
import type { TableView } from '../protocol/wire'
import { type Beat, beatsOf, groundOf, lengths } from '../scenes/beats'
import { hear, heardIn } from '../scenes/hearing'
import type { Shown } from '../scenes/scenes.svelte'
import type { Chapter, Title } from '../titles/title'
import { takenBack } from '../words/facts'
import { idsIn } from '../words/sentence'
import { keepTastes, kept, tastes, type Way } from './keep'
import { router } from './router.svelte'
import { taste } from './tastes.svelte'
import type { Watching } from './watching.svelte'

const STEP_MS = 900

/** A passage: so many facts before its moment, and behind it room for any step, of 4,096 facts at most. */
const PASSAGE = { lead: 500, facts: records.LONGEST }

/** What is fetched to show a moment far away at once: its step, and some behind it. Hardly any step is longer. */
const NEAR = { lead: 1, facts: 200 }

/** What is fetched to go on from there, and for the log, when the moment has stood for so long. */
const AROUND = { lead: 500, facts: 2000 }
const RESTS_MS = 600

/** The eyes that a match is looked back on with: a seat's of this browser, if it has one. */
export function eyes(match: string): Way | undefined {
  const ways = kept(match)?.ways ?? []
  return ways.find((one) => one.role === 'seat') ?? ways[0]
}

const holds = (film: Film, seq: number): boolean => film.seq(0) <= seq && seq <= film.seq(film.length)

export class Reel {
  film = $state.raw<Film | null>(null)
  /** The facts of the match, if it is so long that the film is a passage of it; else 0. */
  long = $state(0)
  /** The step that is shown; 0 is before the first. */
  at = $state(0)
  /** Which of its beats is shown; -1: all is over. */
  place = $state(-1)
  playing = $state(false)
  speed = $state(tastes().speed)
  /** What was wished for last could not be had. */
  lost = $state(false)
  /** Whose eyes: '' one's own, a side, or `all`. */
  as = $state('')
  readonly beats: readonly Beat[]
  readonly scene: Shown | null
  readonly view: TableView | null
  /** The ids of the step's facts. */
  readonly recent: ReadonlySet<string>

  /** Whose eyes the film is of. */
  private seen = ''
  /** The moment far away that is on its way. */
  private goal = $state<number | null>(null)
  /** A passage is on its way for another moment: what is shown waits for it. */
  away = $state(false)
  /** How often other eyes were wished for, and another moment. */
  private eyes = 0
  private wishes = 0
  private rest: ReturnType<typeof setTimeout> | undefined

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
    return this.long ? this.watching.match?.state === 'ended' : (this.film?.view(this.film.length).match.over ?? false)
  }

  /** The last step of the match is shown. */
  private get last(): boolean {
    return !this.film || (this.at >= this.film.length && this.film.seq(this.at) >= this.long)
  }

  get seq(): number {
    return this.scene?.upto ?? this.film?.seq(this.at) ?? 0
  }

  /** The fact by which the moment is named. */
  get named(): number {
    return this.scene?.beat.from ?? this.seq
  }

  /** Fetches every step as `as` saw it, of a long match a passage, and shows the moment of before, at first that of fact
   * `seq`; before that the match is looked up. What is there already is fetched again only if a short match has gone on.
   * Raises Error if it cannot be had and nobody has wished for other eyes since; then all stays as it is. */
  async fetch(as: string, seq: number, look: Promise<void> = Promise.resolve()): Promise<void> {
    const there = this.film !== null && as === this.as && as === this.seen
    const number = ++this.eyes
    if (!there) {
      this.as = as
      // What is on its way is of the eyes of before.
      this.wishes++
      clearTimeout(this.rest)
      this.away = this.goal !== null
      this.lost = false
    }
    try {
      await look
      if (number !== this.eyes) return
      const { match, problem } = this.watching
      if (!match) throw new Error(problem)
      this.long = match.facts > records.WHOLE ? match.facts : 0
      if (there && this.film && (this.long || holds(this.film, match.facts))) return
      await this.fill(number, seq)
    } catch (why) {
      if (number !== this.eyes) return
      this.missed()
      throw why
    }
  }

  /** Fetches what is wished for, at first the moment of fact `seq`, until that is what has come. Raises Error. */
  private async fill(number: number, seq: number): Promise<void> {
    const begins = !this.film
    const wanted = (): number => this.goal ?? (this.film ? this.named : seq)
    let film: Film
    let at: number
    do {
      at = wanted()
      film = await this.around(at)
      if (number !== this.eyes) return
    } while (wanted() !== at && !holds(film, wanted()))
    this.put(wanted(), film)
    if (this.goal !== null) this.settle()
    this.lost = false
    if (!begins) router.rename(this.address(this.as))
  }

  /** The passage of a long match around a moment, of any other every step. Raises Error. */
  private async around(seq: number): Promise<Film> {
    const { match, watching, side, long } = this
    if (!long) return new Film(await records.steps(match, watching.token, side))
    return passage(match, watching.token, side, Math.max(0, Math.min(seq, long) - PASSAGE.lead), PASSAGE.facts)
  }

  private get side(): number | 'all' | null {
    return this.as === 'all' ? 'all' : this.as === '' ? null : Number(this.as)
  }

  /** Fetches so many facts from one on; null if something else has been wished for since. Raises Error. */
  private async cut(from: number, facts: number): Promise<Film | null> {
    clearTimeout(this.rest)
    const number = ++this.wishes
    try {
      const film = await passage(this.match, this.watching.token, this.side, Math.max(0, from), facts)
      return number === this.wishes ? film : null
    } catch (why) {
      if (number === this.wishes) throw why
      return null
    }
  }

  /** Does with a passage what it is needed for, if that comes. */
  private elsewhere(passage: Promise<Film | null>, then: (film: Film) => void): void {
    this.lost = false
    this.away = true
    passage.then(
      (film) => film && then(film),
      () => this.missed(),
    )
  }

  /** All stays as it is, and so says the address. */
  private missed(): void {
    this.close()
    this.goal = null
    this.as = this.seen
    this.lost = true
    this.away = false
    this.playing = false
    if (!this.film) return
    router.rename(this.address(this.as))
    router.read()
  }

  /** Fetches what is near a moment or, if its step is too long for that, its passage. Raises Error. */
  private async near(seq: number): Promise<Film | null> {
    const film = await this.cut(seq - NEAR.lead, NEAR.facts)
    return film && film.seq(film.length) < seq ? this.cut(seq - PASSAGE.lead, PASSAGE.facts) : film
  }

  /** A moment of this film was wished for, and nothing else any more. */
  private settle(): void {
    clearTimeout(this.rest)
    this.wishes++
    this.goal = null
    this.away = false
    this.lost = false
    const { film } = this
    if (this.long && film && film.span < AROUND.lead) this.rest = setTimeout(() => void this.widen(), RESTS_MS)
  }

  /** Fetches what is around the moment that is shown. Where that cannot be had, one goes on with what is there. */
  private async widen(): Promise<void> {
    const film = await this.cut(this.named - AROUND.lead, AROUND.facts).catch(() => null)
    if (film) this.put(this.named, film)
  }

  /** Asks for nothing any more. */
  close(): void {
    this.eyes++
    this.wishes++
    clearTimeout(this.rest)
  }

  /** Shows the moment of a fact, and names it in the address. */
  look(seq: number): void {
    this.show(seq)
    router.rename(this.address(this.as))
  }

  /** Shows the moment of fact `seq`: the beat that it is in, or else the end of its step. */
  show(seq: number): void {
    const to = Math.min(seq, this.long)
    if (!this.film || holds(this.film, to) || !this.long) {
      this.put(seq)
      this.settle()
    } else {
      this.goal = to
      this.elsewhere(this.near(to), (film) => {
        this.put(to, film)
        this.settle()
        router.rename(this.address(this.as))
      })
    }
  }

  /** Shows the moment of a fact of this film. With another film that is one change: the table is drawn once. */
  private put(seq: number, film = this.film): void {
    if (!film) return
    if (film !== this.film) {
      this.seen = this.as
      this.eyes++
    }
    this.film = film
    this.at = film.place(seq)
    this.place = seq === film.seq(this.at) ? -1 : this.beats.findIndex((beat) => beat.from <= seq && seq <= beat.seq)
  }

  /** The beginning of the match. */
  first(): void {
    if (this.long) this.look(0)
    else this.go(0)
  }

  /** Its end. */
  end(): void {
    if (this.long) this.look(this.long)
    else this.go(Infinity)
  }

  /** The next beat, or the end of the step after its last. */
  on(): void {
    const first = (): number => (this.beats.length ? 0 : -1)
    if (this.place >= 0) this.go(this.at, () => (this.place + 1 < this.beats.length ? this.place + 1 : -1))
    else if (!this.last) this.go(this.at + 1, first)
  }

  back(): void {
    if (this.place > 0) this.go(this.at, () => this.place - 1)
    else if (this.place < 0 && this.beats.length) this.go(this.at, () => this.beats.length - 1)
    else this.go(this.at - 1)
  }

  /** The end of the step before; of this one if that is not shown yet. */
  step(by: 1 | -1): void {
    if (this.place < 0) this.go(this.at + by)
    else this.go(by > 0 ? this.at : this.at - 1)
  }

  /** Shows step `to`, at its end or at the beat that `beat` finds when it is there, and names it in the address; of a long
   * match, a step of the passage or one beside it. */
  go(to: number, beat = (): number => -1): void {
    if (!this.film) return
    const edge = to < 0 ? 0 : this.film.length
    const seq = this.film.seq(edge)
    if (this.long && Number.isFinite(to) && ((to < 0 && seq > 0) || (to > edge && seq < this.long))) {
      this.goal = null
      this.elsewhere(this.cut(to < 0 ? seq - PASSAGE.facts : seq, PASSAGE.facts), (film) => {
        if (to < 0 ? film.seq(0) >= seq : film.seq(film.length) <= seq) this.missed()
        else {
          this.put(seq, film)
          this.go(film.place(seq) + to - edge, beat)
        }
      })
      return
    }
    this.settle()
    this.at = Math.max(0, Math.min(this.film.length, to))
    this.place = beat()
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

  /** The fact by which the moment is named that is shown, or is on its way. */
  get wished(): number {
    return this.goal ?? this.named
  }

  address(as: string): string {
    return `/match/${this.match}/replay${as ? `?as=${as}` : ''}#${this.wished}`
  }

  play(on: boolean): void {
    if (on && this.last) this.first()
    this.playing = on
  }

  faster(speed: number): void {
    this.speed = speed
    keepTastes({ speed })
  }

  /** While it plays, the next beat or step in its time; returns what calls it off. */
  next(): (() => void) | undefined {
    if (!this.playing || !this.film || this.away) return undefined
    if (this.last && this.place < 0) {
      this.playing = false
      return undefined
    }
    const lasts = this.place < 0 ? STEP_MS : (lengths(this.beats, taste.pace)[this.place] ?? 0)
    const timer = setTimeout(() => (taste.pace === 'off' ? this.step(1) : this.on()), lasts / this.speed)
    return () => clearTimeout(timer)
  }

  /** Where turns begin that stand, for the slider. */
  marks(): { at: number; label: string }[] {
    const found: { at: number; label: string }[] = []
    const gone = takenBack(this.film?.facts ?? [])
    let chapter: Chapter | null = null
    for (let place = 1; place <= (this.film?.length ?? 0); place++) {
      for (const fact of this.film?.step(place)?.facts ?? []) {
        if (gone.has(fact.seq)) continue
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
