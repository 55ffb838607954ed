/** What a rulebook shows of the board: pictures, and worked examples to step through. A title lists them in its
 * `figures.ts`; all of it is loaded when somebody reads a rule that has one. */

import type { Component } from 'svelte'
import { Film } from '../protocol/film'
import * as http from '../protocol/http'
import { lines } from '../protocol/records'
import type { Frame, TableView, Told } from '../protocol/wire'
import { load } from '../titles'
import type { Names, Title } from '../titles/title'
import type { Known } from '../words/sentence'

export interface Picture {
  /** A film of the title, and the fact after which it is seen; if not said, the board to begin with. */
  film: string
  at?: number
  /** What is lit up. */
  lit?: string[]
  /** The part of the board that matters, as fractions of it: left, top, width, height. The whole board if not said. */
  part?: Part
  /** What is drawn in place of the board: a hand, a battle. */
  draws?: Component<Drawn>
  caption: string
}

/** What a figure draws from that is not of the board. */
export interface Drawn {
  view: TableView
  names: Names
  facts: readonly Told[]
  lit: ReadonlySet<string>
}

export type Part = readonly [left: number, top: number, width: number, height: number]

export interface Example {
  caption: string
  part?: Part
  /** What is drawn below the board while there is something of it: a battle. */
  draws?: Component<Drawn>
}

export interface Figures {
  /** The file that `tests/films.py` writes, as text. */
  films(): Promise<{ default: string }>
  pictures: Readonly<Record<string, Picture>>
  /** By the name of their film. */
  examples: Readonly<Record<string, Example>>
}

/** What the figures of a title are drawn with. */
export interface Studio {
  title: Title
  names: Record<string, string>
  figures: Figures
  film(name: string): Film | null
}

interface Shot {
  type?: string
  words?: string
  body?: string
  patch: Frame['patch']
}

/** A film from its line in the file: its first frame is the board to begin with, each other one fact more. */
export function filmOf(shots: readonly Shot[]): Film {
  const frames = shots.map(({ type, words = '', body = '', patch }, place): Frame => {
    const fact = { seq: place + 1, at: 0, command: '', index: 0, ver: 0, audience: 7 as const, type: type ?? '', body, words }
    return { t: 'frame', match: '', after: place, upto: place + 1, h: '', facts: type ? [fact] : [], sealed: [], patch, prompts: [] }
  })
  return new Film(frames)
}

/** The names in a film's sentences. */
export function knownIn(film: Film, names: Record<string, string>): Known {
  const { seats } = film.view(film.length).match
  return { names, sides: [names['side:0'] ?? '', names['side:1'] ?? ''], seats: seats.map((seat) => seat.name) }
}

export function read(text: string): Map<string, Film> {
  const found = lines<{ name: string; frames: Shot[] }>(text)
  return new Map(found.map(({ name, frames }) => [name, filmOf(frames)]))
}

const LISTS = import.meta.glob<{ figures: Figures }>('../titles/*/figures.ts')
const studios = new Map<string, Promise<Studio | null>>()

/** Null for a title that has no figures. */
export function studio(name: string): Promise<Studio | null> {
  let found = studios.get(name)
  if (!found) {
    found = opened(name)
    found.catch(() => studios.delete(name))
    studios.set(name, found)
  }
  return found
}

async function opened(name: string): Promise<Studio | null> {
  const list = LISTS[`../titles/${name}/figures.ts`]
  if (!list) return null
  const [{ figures }, title, names] = await Promise.all([list(), load(name), http.names(name)])
  const films = read((await figures.films()).default)
  return title && { title, names, figures, film: (one) => films.get(one) ?? null }
}
