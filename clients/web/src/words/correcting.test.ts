import { describe, expect, it } from 'vitest'
import type { Move } from '../protocol/moves'
import type { Told } from '../protocol/wire'
import { covered, coveredWords, decisionWords, isGone, pointAfter, pointOf } from './correcting'
import type { Telling } from './undoable'

const SIDES = ['Japan', 'United States']
const sideOf = (seat: number): number => seat

/** A match of two seats as moves: who was asked, and what was seen of it. */
function moves(...list: { asked?: number[] | null; facts?: string[]; back?: number; sealed?: boolean }[]): Move[] {
  let upto = 0
  return list.map(({ asked = [], facts = [], back, sealed = true }, place) => {
    const after = upto
    // The decision itself is sealed, and comes first but for the claim of a time-out.
    const claim = facts[0] === 'TimeOutClaimed' ? 1 : 0
    const told = facts.map(
      (type, index): Told =>
        ({
          seq: after + 1 + index + (sealed && index >= claim ? 1 : 0),
          index: index + (sealed && index >= claim ? 1 : 0),
          type,
          command: `c${place}`,
          body: JSON.stringify({ back_to: back }),
          words: `${type} of ${place}`,
        }) as Told,
    )
    upto += facts.length + (sealed ? 1 : 0)
    return { after, upto, asked, gone: [], facts: told, sealed }
  })
}

/** Moves that came as one frame. */
function together(list: readonly Move[]): Move {
  return {
    after: list[0]!.after,
    upto: list.at(-1)!.upto,
    asked: null,
    gone: [],
    facts: list.flatMap(({ facts }) => facts),
    sealed: list.some(({ sealed }) => sealed),
  }
}

const START = { facts: ['Started', 'SetUp'], sealed: false }
const reader: Telling = { silent: () => false, deed: () => '', known: () => ({ names: {}, sides: SIDES, seats: ['Anna', 'Ben'] }) }

describe('the decision to go back to before', () => {
  const list = moves(START, { asked: [0], facts: ['Moved'] }, { asked: [1], facts: ['Rolled'] }, { facts: ['DrawOffered'], sealed: false })

  it('is the next one after a moment, and there is none after the last', () => {
    expect(pointAfter(list, 2)).toMatchObject({ backTo: 2, move: list[1] })
    expect(pointAfter(list, 4)).toMatchObject({ backTo: 4, move: list[2] })
    expect(pointAfter(list, 6)).toBeNull()
  })

  it('is the first of the match before it began', () => {
    expect(pointAfter(list, 0)?.backTo).toBe(2)
  })

  it('lies after the claim that the rules decided upon', () => {
    const late = moves(START, { asked: [0], facts: ['TimeOutClaimed', 'Moved'] })

    expect(pointAfter(late, 2)).toMatchObject({ backTo: 3, move: late[1] })
    expect(pointOf(late, 3)?.move).toBe(late[1])
  })

  it('is none of those that were taken back, nor a moment among them one to go on from', () => {
    const again = [...list, ...moves({ facts: ['CorrectionAnswered', 'Undone'], back: 2, sealed: false })]
    const last = again.at(-1)!
    again[again.length - 1] = {
      ...last,
      after: 7,
      upto: 9,
      facts: last.facts.map((fact, index) => ({ ...fact, seq: 8 + index })),
    }

    expect([2, 3, 6, 9].map((moment) => isGone(again, moment))).toEqual([false, true, true, false])
    expect(pointAfter(again, 0)).toBeNull()
    expect(pointOf(again, 2)).toBeNull()
  })
})

describe('what would be taken back', () => {
  const list = moves(
    START,
    { asked: [0], facts: ['Moved', 'Rolled'] },
    { asked: [1], facts: ['Rolled', 'Rolled'] },
    { asked: [0, 1], facts: [] },
    { facts: ['DrawOffered'], sealed: false },
    { asked: [0], facts: ['Moved'] },
  )

  it('is counted by side with the rolls, and notices are not', () => {
    const found = covered(list, 2, sideOf)

    expect(Object.fromEntries(found.decisions)).toEqual({ 0: 2, 1: 1, [-1]: 1 })
    expect(found.rolls).toBe(3)
    expect(coveredWords(found, SIDES)).toBe('4 decisions (2 of Japan, 1 of the United States, 1 of which you do not see whose) and 3 rolls')
  })

  it('is said shortly where it is of one side, and without rolls where none fell', () => {
    expect(coveredWords(covered(list, 8, sideOf), SIDES)).toBe('2 decisions (1 of Japan, 1 of which you do not see whose)')
    expect(coveredWords(covered(list, 10, sideOf), SIDES)).toBe('1 decision of Japan')
  })

  it('has each command of a frame that holds several', () => {
    const [start, ...others] = moves(START, { asked: [0], facts: ['Moved'] }, { asked: [1], facts: ['Moved'] })

    expect(coveredWords(covered([start!, together(others)], 2, sideOf), SIDES)).toBe('2 decisions')
  })

  it('has what was decided in a frame in which something was taken back, and not that', () => {
    const [start, ...others] = moves(
      START,
      { asked: [0], facts: ['Moved', 'Rolled'] },
      { asked: [1], facts: ['Moved'] },
      { facts: ['Undone'], back: 5, sealed: false },
      { asked: [1], facts: ['Rolled'] },
      { facts: ['DrawOffered'], sealed: false },
    )
    const list = [start!, together(others)]

    expect(coveredWords(covered(list, 2, sideOf), SIDES)).toBe('2 decisions and 2 rolls')
    expect(coveredWords(covered(list, 5, sideOf), SIDES)).toBe('1 decision and 1 roll')
    expect(pointOf(list, 2)).toMatchObject({ backTo: 2, move: { facts: others[0]!.facts } })
    expect(pointOf(list, 8)).toMatchObject({ backTo: 8, move: { facts: others[3]!.facts } })
  })

  it('is at least so much where something of a frame of several commands is sealed that may be of yet another', () => {
    const [start, ...others] = moves(START, { asked: [1], facts: [] }, { asked: [0], facts: ['Moved'] }, { asked: [1], facts: [] })

    expect(coveredWords(covered([start!, together(others)], 2, sideOf), SIDES)).toBe('At least 2 decisions')
  })
})

describe('the decision in words', () => {
  const [, one, hidden] = moves(START, { asked: [0], facts: ['Moved', 'Rolled'] }, { asked: [1], facts: [] })

  it('is as it was chosen here, else as the log has it', () => {
    const deed = (seat: number, after: number, until: number): string => (seat === 0 && after === 2 && until === 6 ? 'Launch all' : '')

    expect(decisionWords({ move: one!, backTo: 2 }, { ...reader, deed })).toBe('“Launch all”')
    expect(decisionWords({ move: one!, backTo: 2 }, reader)).toBe('“Moved of 1” and 1 more')
  })

  it('says so where nothing of it is to be seen', () => {
    expect(decisionWords({ move: hidden!, backTo: 5 }, reader)).toBe('a decision of Ben of which nothing is to be seen')
  })
})
