import { expect, it } from 'vitest'
import type { Told } from '../../protocol/wire'
import { ofChit } from './chit'

let seq = 0
const fact = (type: string, body: object = {}): Told => ({ seq: ++seq, type, body: JSON.stringify({ type, ...body }), words: '' }) as Told
const roll = fact('Rolled', { dice: [10], modifiers: [{ reason: 'heavy', amount: 2 }] })
const check = fact('CheckRolled', { unit: 'tf-62', die: 10, modifier: 2, cohesion: 7, passed: false })
const began = fact('BattleBegan')
const shown = fact('ChitRevealed', { chit: 'gunnery' })

it('C12.9 is the check after it, with its modifiers', () => {
  const { check: found, cancelled } = ofChit([began, shown, roll, check])

  expect(found).toMatchObject({ unit: 'tf-62', die: 10, reasons: [{ reason: 'heavy', amount: 2 }] })
  expect(cancelled).toBe(false)
})

it('C12.7 is not the check of the chit before', () => {
  expect(ofChit([began, shown, roll, check, fact('ChitRevealed', { chit: 'gunnery' })]).check).toBeNull()
})

it('C21.1 is nothing once a card has cancelled it, until the next is played', () => {
  const facts = [began, shown, fact('ChitCancelled', { chit: 'gunnery' })]

  expect(ofChit(facts)).toEqual({ check: null, cancelled: true })
  expect(ofChit([...facts, fact('ChitRevealed', { chit: 'gunnery' })]).cancelled).toBe(false)
  expect(ofChit([...facts, began]).cancelled).toBe(false)
})
