import { describe, expect, it } from 'vitest'
import { joinedMoves, type Move, movesOf } from '../protocol/moves'
import type { Frame, Told } from '../protocol/wire'
import { forced, news } from './news'
import { decider, lastDeed, reach } from './undoable'

/** A match of two seats, written as moves: who was asked, and what was seen of it. */
function moves(...list: { asked?: number[] | null; facts?: string[]; back?: number; sealed?: boolean }[]): Move[] {
  let upto = 0
  return list.map(({ asked = [], facts = ['GroupMoved'], back, sealed = true }, place) => {
    const after = upto
    const told = facts.map(
      (type): Told => ({ seq: ++upto, type, command: `c${place}`, body: JSON.stringify({ back_to: back }), words: type }) as Told,
    )
    if (sealed) upto++
    return { after, upto, asked, gone: [], facts: told, sealed }
  })
}

const START = { facts: ['Started', 'SetUp'] }

describe('what can be taken back', () => {
  it('is nothing before the first decision', () => {
    expect(reach(moves(START), [0], true)).toBeNull()
  })

  it('is one’s own last decision', () => {
    const list = moves(START, { asked: [0] }, { asked: [0] })

    expect(reach(list, [0], true)).toEqual({ seat: 0, backTo: list[2]!.after })
  })

  it('is nothing alone when another decided since, and asking all the same', () => {
    const list = moves(START, { asked: [0] }, { asked: [1] })

    expect(reach(list, [0], true)).toBeNull()
    expect(reach(list, [0], false)).toEqual({ seat: 0, backTo: list[1]!.after })
    expect(reach(list, [1], true)).toEqual({ seat: 1, backTo: list[2]!.after })
  })

  it.each(['Rolled', 'Drew', 'RolledUnseen', 'ModesRevealed', 'TimeOutClaimed'])('is nothing across %s', (type) => {
    const list = moves(START, { asked: [0] }, { asked: [0], facts: ['GroupMoved', type] })

    expect(reach(list, [0], true)).toBeNull()
    expect(reach(list, [0], false)).toBeNull()
  })

  it('does not mind notices', () => {
    const list = moves(START, { asked: [0] }, { asked: [1], facts: ['DrawOffered'], sealed: false })

    expect(reach(list, [0], true)?.seat).toBe(0)
  })

  it('is nothing before a correction, and what was decided since', () => {
    const list = moves(START, { asked: [0] }, { asked: [0] }, { asked: [1], facts: ['CorrectionAnswered', 'Undone'], back: 5 })
    const consent = list.at(-1)!
    for (const fact of consent.facts) fact.body = JSON.stringify({ back_to: 5, consent: true })

    expect(reach(list, [0], true)).toBeNull()
    expect(reach(list, [0], false)).toBeNull()
    expect(lastDeed(list, [0])).toMatchObject({ move: list[1], bar: 'consent' })
    const since = { ...list[1]!, after: consent.upto, upto: consent.upto + 2 }
    expect(reach([...list, since], [0], true)).toEqual({ seat: 0, backTo: consent.upto })
  })

  it('is the one before after an undo', () => {
    const list = moves(START, { asked: [0] }, { asked: [0] }, { asked: [0], facts: ['Undone'], back: 5, sealed: false })

    expect(list[1]).toMatchObject({ after: 3, upto: 5 })
    expect(reach(list, [0], true)).toEqual({ seat: 0, backTo: 3 })
  })

  it('is tried where several were asked, unless it is known who decided', () => {
    const list = moves(START, { asked: [0, 1] })

    expect(reach(list, [1], true)).toEqual({ seat: 1, backTo: 3 })
    expect(reach(list, [0, 1], true, () => 1)?.seat).toBe(1)
    expect(reach(list, [1], true, () => 0)).toBeNull()
    expect(reach(moves(START, { asked: null }), [1], true)?.seat).toBe(1)
  })
})

describe('who has decided of several who were asked at once', () => {
  const chosen = (side: number | undefined, gone: number[]): Move =>
    ({ after: 3, upto: 5, asked: [0, 1], gone, facts: [{ seq: 4, body: JSON.stringify({ side }) }], sealed: true }) as unknown as Move
  const sideOf = (seat: number): number => seat

  it('is the one who is asked no longer, of whose side it tells', () => {
    expect(decider(chosen(0, [0]), sideOf)).toBe(0)
  })

  it.each([
    ['of the other side', chosen(1, [0])],
    ['of no side', chosen(undefined, [0])],
    ['and both are asked no longer', chosen(0, [0, 1])],
    ['and both are still asked', chosen(0, [])],
  ])('is not known where it tells %s', (_, move) => {
    expect(decider(move, sideOf)).toBeUndefined()
  })

  describe('and nothing of it is seen', () => {
    const unseen = (asked: number[] | null, gone: number[] = []): Move => ({ after: 3, upto: 5, asked, gone, facts: [], sealed: true })
    const last = (move: Move, ours: number[]): number | undefined =>
      lastDeed([...moves(START), move], ours, (one) => {
        const seat = decider(one, sideOf, ours)
        return seat === undefined ? undefined : { seat, what: '' }
      })?.seat

    it.each([[[]], [[0]]])('is another: before one has decided there is nothing to take back', (gone) => {
      expect(last(unseen([0, 1], gone), [1])).toBeUndefined()
    })

    it('is who alone is asked no longer, if he plays here', () => {
      expect(last(unseen([0, 1], [1]), [1])).toBe(1)
      expect(last(unseen([0, 1], [0, 1]), [1])).toBeUndefined()
    })

    it('is who alone was asked, or one of those who play here', () => {
      expect(last(unseen([1]), [1])).toBe(1)
      expect(last(unseen([0, 1]), [0, 1])).toBe(0)
      expect(last(unseen(null), [1])).toBe(1)
    })
  })

  it('has nothing to do with a seat that still has to: it can take nothing back', () => {
    const list = [...moves(START), chosen(0, [0])]

    expect(lastDeed(list, [1], (move) => ({ seat: decider(move, sideOf)!, what: '' }))).toBeNull()
  })
})

describe('moves', () => {
  it('know who is asked no longer', () => {
    const list = movesOf([
      frame(0, 2, { asked: [0, 1] }, 'a'),
      frame(2, 4, { asked: [1] }, 'b'),
      frame(4, 6, {}, 'c'),
      frame(6, 8, {}, 'd', 'e'),
    ])

    expect(list.map((move) => move.gone)).toEqual([[], [0], [], []])
  })

  const frame = (after: number, upto: number, patch: object, ...commands: string[]): Frame =>
    ({ after, upto, patch, facts: commands.map((command) => ({ command })), sealed: [[upto, '']] }) as unknown as Frame

  it('know who was asked when each was made', () => {
    const list = movesOf([frame(0, 2, { asked: [0] }, 'a'), frame(2, 4, {}, 'b'), frame(4, 6, { asked: null }, 'c'), frame(6, 8, {}, 'd')])

    expect(list.map((move) => move.asked)).toEqual([[], [0], [0], []])
  })

  it('do not know it where a frame holds several commands', () => {
    expect(movesOf([frame(0, 9, {}, 'a', 'b')])[0]?.asked).toBeNull()
  })

  it('are joined with those that came meanwhile', () => {
    const [one, two, three] = movesOf([frame(0, 2, {}, 'a'), frame(2, 4, {}, 'b'), frame(4, 6, {}, 'c')]) as [Move, Move, Move]

    expect(joinedMoves([one, two], [two, three])).toEqual([one, two, three])
  })
})

describe('news', () => {
  const known = { names: {}, sides: ['Japan', 'United States'], seats: ['Red', 'Blue'] }
  const told = (type: string, words: string, body: object = {}): Told => ({ type, words, body: JSON.stringify(body) }) as Told
  const move = (...facts: Told[]): Move => ({ after: 0, upto: 1, asked: [], gone: [], facts, sealed: false })
  const late = move(told('TimeOutClaimed', 'The time of [seat:1] has run out'), told('GroupMoved', 'goes'))

  it('tell of the clock, and of what was declined', () => {
    expect(news([late], known, { silent: () => false, deed: () => '' })).toBe('The time of Blue has run out: the rules decided instead.')
    expect(
      news([move(told('DrawAnswered', '[seat:0] declined the draw', { agreed: false }))], known, { silent: () => false, deed: () => '' }),
    ).toBe('Red declined the draw.')
  })

  it('tell what the rules decided because one choice alone was left, and not what was chosen', () => {
    const tells = { SEARCH_ASSIGN: 'SearchAssigned' }
    const one = told('SearchAssigned', '[A] flies with search group 1')
    const last = told('SearchAssigned', '[B] flies with search group 2')
    const other = told('SearchAssigned', '[C] flies with search group 3')

    expect(forced(move(one), ['SEARCH_ASSIGN'], tells)).toBe('')
    expect(forced(move(one, last), ['SEARCH_ASSIGN'], tells)).toBe('Only one choice was left: [B] flies with search group 2.')
    expect(forced(move(one, last, other), ['ADVANCE'], tells)).toBe('Only one choice was left: [A] flies with search group 1, and 2 more.')
  })

  it('grow old', () => {
    expect(
      news([late, move(told('GroupMoved', 'goes')), move(told('GroupMoved', 'goes'))], known, { silent: () => false, deed: () => '' }),
    ).toBe('')
  })
})

describe('why a decision stands', () => {
  it.each([
    ['', [{ asked: [0] }]],
    ['others', [{ asked: [0] }, { asked: [1] }]],
    ['chance', [{ asked: [0], facts: ['GroupMoved', 'Rolled'] }]],
    ['chance', [{ asked: [0] }, { asked: [1], facts: ['Rolled'] }]],
    ['clock', [{ asked: [0], facts: ['TimeOutClaimed', 'GroupMoved'] }]],
  ])('is %j', (bar, list) => {
    expect(lastDeed(moves(START, ...list), [0])).toMatchObject({ seat: 0, bar })
  })

  it('is that there is none before the first', () => {
    expect(lastDeed(moves(START, { asked: [1] }), [0])).toBeNull()
  })

  it('has the words with which it was chosen', () => {
    expect(lastDeed(moves(START, { asked: [0] }), [0], () => ({ seat: 0, what: 'Launch' }))?.what).toBe('Launch')
  })
})
