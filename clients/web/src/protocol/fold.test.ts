import { describe, expect, it } from 'vitest'
import stepsText from '../fixtures/duel.steps.jsonl?raw'
import viewText from '../fixtures/duel.view.json?raw'
import { Film } from './film'
import { filledIn, type Folded, foldFrame, foldView, joined, NOTHING } from './fold'
import { lines } from './records'
import type { Frame, View } from './wire'

const frames = lines<Frame>(stepsText)
const last = JSON.parse(viewText) as View

function folded(list: readonly Frame[]): Folded {
  let now = NOTHING
  for (const frame of list) {
    const next = foldFrame(now, frame)
    if (typeof next !== 'string') now = next
  }
  return now
}

describe('folding frames', () => {
  it('gives the view at the head', () => {
    const now = folded(frames)

    expect(now.raw).toEqual(last.view)
    expect([now.upto, now.h]).toEqual([last.upto, last.h])
  })

  it('passes over what is old, and says when something is missing', () => {
    const now = folded(frames.slice(0, 10))

    expect(foldFrame(now, frames[9]!)).toBe('old')
    expect(foldFrame(now, frames[11]!)).toBe('hole')
  })

  it('goes on from a whole view as from frames', () => {
    const half = folded(frames.slice(0, 30))
    const seen = foldView(NOTHING, { t: 'view', match: '', upto: half.upto, h: half.h, view: half.raw, prompts: [] })
    let now = seen as Folded
    for (const frame of frames.slice(30)) now = foldFrame(now, frame) as Folded

    expect(now.raw).toEqual(last.view)
  })

  it('takes no view behind what it knows', () => {
    const now = folded(frames.slice(0, 30))
    const early = folded(frames.slice(0, 10))
    const view: View = { t: 'view', match: '', upto: early.upto, h: early.h, view: early.raw, prompts: [] }

    expect(foldView(now, view)).toBe('old')
    expect(foldView(now, { ...view, upto: now.upto })).toMatchObject({ upto: now.upto, facts: now.facts })
  })

  it('fills in what came before the view, and nothing that is still to come', () => {
    const half = folded(frames.slice(0, 30))
    let now = filledIn({ ...half, facts: [], moves: [] }, frames)
    expect([now.facts, now.moves.length]).toEqual([half.facts, 30])

    for (const frame of frames.slice(30)) now = foldFrame(now, frame) as Folded

    expect(now.facts).toEqual(frames.flatMap((frame) => frame.facts))
    expect(now.moves.map((move) => move.upto)).toEqual(frames.map((frame) => frame.upto))
  })

  it('joins facts that came twice', () => {
    const facts = frames.flatMap((frame) => frame.facts)

    expect(joined(facts.slice(0, 50), facts.slice(30))).toEqual(facts)
  })
})

describe('film', () => {
  const film = new Film(frames)

  it('ends at the view at the head', () => {
    expect(film.view(film.length).match.over).toBe(true)
    expect(film.seq(film.length)).toBe(last.upto)
  })

  it('finds the step that shows a fact', () => {
    expect(film.place(0)).toBe(0)
    expect(film.place(last.upto)).toBe(film.length)
    for (let at = 1; at <= film.length; at++) expect(film.place(film.seq(at))).toBe(at)
  })
})
