import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { MOST } from './beginning'

it('counts how often a match moves as the rules do', () => {
  const rules = readFileSync('../../domain/match/anew.py', 'utf8')

  expect(Number(/^MOST: Final = (\d+)$/m.exec(rules)?.[1])).toBe(MOST)
})
