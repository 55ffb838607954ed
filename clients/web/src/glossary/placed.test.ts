import { describe, expect, it } from 'vitest'
import { placed, type Rect } from './placed'

const WINDOW = { width: 400, height: 300 }
const GLOSS = { width: 200, height: 60 }
const rect = (left: number, top: number, width = 50, height = 20): Rect => ({ left, top, right: left + width, bottom: top + height })

describe('a gloss', () => {
  it.each([
    ['lies below its word', rect(40, 100), [], { top: 126, left: 40 }],
    ['stays in the window', rect(340, 100), [], { top: 126, left: 194 }],
    ['lies above where there is no room below', rect(40, 250), [], { top: 184, left: 40 }],
    ['leaves a number on the line of its word free', rect(40, 100), [rect(95, 100)], { top: 126, left: 40 }],
    ['goes aside from a number on the line below', rect(40, 100), [rect(60, 125)], { top: 126, left: 116 }],
    ['goes aside to the left where there is no room to the right', rect(330, 100), [rect(340, 125)], { top: 126, left: 134 }],
    ['goes above where there is room on no side', rect(150, 100), [rect(150, 125)], { top: 34, left: 150 }],
  ])('%s', (_, word, numbers, where) => {
    expect(placed(word, numbers, GLOSS, WINDOW)).toEqual(where)
  })
})
