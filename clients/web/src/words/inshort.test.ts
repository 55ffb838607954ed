import { describe, expect, it } from 'vitest'
import type { Choice } from '../titles/title'
import { inShort } from './inshort'

const choice = (type: string, label: string, ...path: string[]): Choice => ({ decision: { type }, key: label, label, path, leaves: false })
const launch = (what: string, to = 'MOVING'): Choice =>
  choice('LAUNCH', `Launch ${what} ${to === 'CAP' ? 'on combat air patrol' : 'to attack'}, 4 SP`, what, to)
const buy = (what: string, price: number): Choice => choice('Purchase', `Buy ${what} for ${price} SP`, what)

const lose = (what: string, left: number): Choice => choice('LOSE', `${what} loses 1 of ${left} SP`, what)

describe('several choices in short', () => {
  it.each([
    ['', []],
    ['Launch Kaga fighters 1 to attack, 4 SP', [launch('Kaga fighters 1')]],
    ['Launch Kaga fighters 1 and 2 to attack', [launch('Kaga fighters 1'), launch('Kaga fighters 2')]],
    ['Launch Kaga fighters 1 and bombers 2 to attack', [launch('Kaga fighters 1'), launch('Kaga bombers 2')]],
    ['Launch A, B and 2 more to attack', ['A', 'B', 'C', 'D'].map((what) => launch(what))],
    [
      'Bring VF-6 second division, VB-6 second division and 2 more up on deck',
      ['VF-6', 'VB-6', 'VS-6', 'VT-6'].map((what) => choice('UP', `Bring ${what} second division up on deck`, what)),
    ],
    ['Draw A card and B card', ['A', 'B'].map((what) => choice('Draw', `Draw ${what} card`, what))],
    ['Launch A and B to attack · Launch C on combat air patrol', [launch('A'), launch('C', 'CAP'), launch('B')]],
    ['Buy A for 5 and B for 4 SP', [buy('A', 5), buy('B', 4)]],
    ['3 plan points for 1 SP ×2', ['1', '2'].map(() => choice('BuyPoints', '3 plan points for 1 SP'))],
    ['A loses 1 of 5 SP', [lose('A', 5)]],
    ['A ×2 and B', [lose('A', 5), lose('B', 3), lose('A', 4)]],
    ['A ×2', [lose('A', 5), lose('A', 4)]],
    ['A to 1 · A to 2 · A to 3 and 2 more', ['1', '2', '3', '4', '5'].map((area) => choice('Move', `A to ${area}`, 'A', area))],
  ])('are %j', (said, choices) => {
    expect(inShort(choices)).toBe(said)
  })
})
