import { describe, expect, it } from 'vitest'
import type { ComparedFact } from '../protocol/wire'
import { title } from '../titles/midway'
import { askedOf, told } from './disputed'

const line = (seq: number, type: string, same = true): ComparedFact => {
  const saying = { type, words: type, body: '{}', rule: '' }
  return { seq, recorded: saying, found: saying, same }
}

describe('a disputed step', () => {
  const lines = [line(1, 'Decided'), line(2, 'GroupMoved'), line(3, 'StepEnded'), line(4, 'Rolled'), line(5, 'Paused')]

  it('tells what the log tells', () => {
    expect(told({ lines }, title).map(({ seq }) => seq)).toEqual([2, 4])
  })

  it('tells whatever differs', () => {
    expect(told({ lines: [...lines, line(6, 'StepEnded', false)] }, title).map(({ seq }) => seq)).toEqual([2, 4, 6])
  })

  it('marks what was asked about, or what stands before it', () => {
    const shown = told({ lines }, title)

    expect(askedOf(shown, 4)?.seq).toBe(4)
    expect(askedOf(shown, 3)?.seq).toBe(2)
    expect(askedOf(shown, 1)?.seq).toBe(2)
    expect(askedOf([], 1)).toBeUndefined()
  })
})
