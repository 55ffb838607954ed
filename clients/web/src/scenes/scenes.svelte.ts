/** What others see of a command as it happens: the table stays as it was before, beat follows beat, and then the table is
 * as it is. Nobody waits for that: a scene is over with any click or key. */

import { begun } from '../protocol/film'
import type { TableView, Told } from '../protocol/wire'
import { taste } from '../state/tastes.svelte'
import type { Title } from '../titles/title'
import { type Beat, beatsOf, chosen, groundOf, lengths } from './beats'
import { hear, heardIn } from './hearing'

/** A table that is followed live, as of a fact. */
export interface Moment {
  view: TableView
  facts: Told[]
  upto: number
  /** Nothing up to this fact was followed live. */
  head: number
}

interface Scene {
  before: TableView
  after: TableView
  facts: Told[]
  since: number
  beats: readonly Beat[]
  lengths: number[]
}

/** One beat on the table of before. */
export interface Shown {
  view: TableView
  /** Up to those of the beat. */
  facts: Told[]
  upto: number
  since: number
  beat: Beat
  /** Which it is of how many, from 1. */
  number: number
  of: number
}

/** Scenes that may wait; of more the older ones are passed over. */
const MOST_WAITING = 3

export class Scenes {
  now = $state.raw<Shown | null>(null)

  private queue: Scene[] = []
  private at = 0
  private last: Moment | null = null
  private timer: ReturnType<typeof setTimeout> | undefined

  /** The table has come to this moment. What one decided oneself, `mine`, is shown if dice fell. */
  follow(moment: Moment, title: Title | null, mine: (command: string) => boolean): void {
    const { last } = this
    this.last = { ...moment, upto: Math.max(moment.upto, last?.upto ?? 0) }
    if (!last?.upto || !title || moment.upto <= last.upto) return
    const since = Math.max(last.upto, moment.head)
    const news = moment.facts.filter((fact) => fact.seq > since)
    if (!news.length || document.hidden) return
    const own = news.every((fact) => mine(fact.command))
    const shows = taste.pace !== 'off' && !(own && news.every(({ type }) => type !== 'Rolled'))
    const beats = shows ? chosen(beatsOf(moment.facts, since, title), taste.pace) : []
    if (beats.length) {
      this.add({ before: last.view, after: moment.view, facts: moment.facts, since, beats, lengths: lengths(beats, taste.pace) }, title)
    } else hear(heardIn(news, title))
  }

  /** Shows the table as it is. */
  end(): void {
    clearTimeout(this.timer)
    this.queue = []
    this.now = null
  }

  private add(scene: Scene, title: Title): void {
    this.queue.push(scene)
    if (this.queue.length > MOST_WAITING + 1) {
      this.queue = this.queue.slice(-MOST_WAITING)
      this.show(0, title)
    } else if (this.queue.length === 1) this.show(0, title)
  }

  private show(at: number, title: Title): void {
    clearTimeout(this.timer)
    if (at >= (this.queue[0]?.beats.length ?? 0)) {
      this.queue.shift()
      if (this.queue.length) this.show(0, title)
      else this.now = null
      return
    }
    this.at = at
    const { before, after, facts, since, beats, lengths } = this.queue[0]!
    const beat = beats[at]!
    const past = begun(facts, beat.seq)
    this.now = {
      view: groundOf(beat, [before, after], past, since, title),
      facts: past,
      upto: beat.seq,
      since,
      beat,
      number: at + 1,
      of: beats.length,
    }
    hear(
      heardIn(
        facts.filter(({ seq }) => beat.from <= seq && seq <= beat.seq),
        title,
      ),
    )
    this.timer = setTimeout(() => this.show(this.at + 1, title), lengths[at])
  }
}
