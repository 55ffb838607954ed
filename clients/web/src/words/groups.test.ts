import { describe, expect, it } from 'vitest'
import stepsText from '../fixtures/duel.steps.jsonl?raw'
import { lines as ndjson } from '../protocol/records'
import type { Frame, Told } from '../protocol/wire'
import { title as coralSea } from '../titles/coral_sea'
import { title as midway } from '../titles/midway'
import { title as nimitz } from '../titles/nimitz'
import type { Title } from '../titles/title'
import { lines, summed } from './groups'
import { rollOf, sections } from './log'

let seq = 0
const fact = (type: string, body: object, words: string): Told =>
  ({ seq: ++seq, at: 0, type, words, body: JSON.stringify(body), audience: 3 }) as unknown as Told
const launch = (group: string): Told =>
  fact('GroupMoved', { group, from: 'DECK:KAGA', to: 'MOVING' }, `[${group}] is launched from [DECK:KAGA] to [JP:MOVING]`)
const loss = (group: string, points: number): Told =>
  fact('StrengthLost', { group, points, strength: 2, cause: 'AA' }, `[${group}] loses ${points} SP to anti-aircraft fire: 2 left`)
const roll = (purpose: string, by: number, dice: number[], target: string): Told =>
  fact('Rolled', { index: 0, rule: 'M7.8', purpose, by, sides: 6, dice, target, subject: '', modifiers: [] }, `${purpose} (M7.8)`)
const words = (facts: Told[], title: Title = midway): string[] =>
  sections(facts, title).flatMap(({ entries }) => lines(entries, title).map((line) => line.words || line.entries[0]!.fact.words))

describe('lines of the log', () => {
  it('gather what is done by several in a row, and say how many did what', () => {
    expect(words([launch('A'), launch('B'), launch('C'), launch('D')])).toEqual(['4 groups launched: [A], [B], [C], [D]'])
    expect(words([loss('A', 1), loss('B', 2), loss('A', 1)])).toEqual(['3 losses to anti-aircraft fire: [A] 1 SP ×2, [B] 2 SP'])
    expect(words([loss('A', 1), loss('B', 2), loss('C', 1)])).toEqual(['3 losses to anti-aircraft fire: [A] 1 SP, [B] 2 SP, [C] 1 SP'])
  })

  it('name the first of many, and say how many more there are', () => {
    const named = (count: number): string => words(Array.from({ length: count }, (_, place) => launch(`G${place}`)))[0]!

    expect(named(5)).toBe('5 groups launched: [G0], [G1], [G2], [G3], [G4]')
    expect(named(12)).toBe('12 groups launched: [G0], [G1], [G2], [G3] and 8 more')
  })

  it('leave two as they are, and whatever another kind stands between', () => {
    const facts = [launch('A'), launch('B'), loss('A', 1), launch('C'), launch('D')]

    expect(words(facts)).toEqual(facts.map((one) => one.words))
  })

  it('keep apart what is not of the same kind: launched to attack, and on patrol', () => {
    const patrol = (group: string): Told => fact('GroupMoved', { group, from: 'DECK:KAGA', to: 'CAP:1' }, `[${group}] up`)
    const facts = [launch('A'), launch('B'), launch('C'), patrol('D'), patrol('E'), patrol('F')]

    expect(words(facts)).toEqual(['3 groups launched: [A], [B], [C]', '3 groups launched on combat air patrol: [D], [E], [F]'])
  })

  it('count the forces that return, not the places they return to', () => {
    const back = (forces: string[], to: string): Told => fact('InPort', { forces, to }, `return to [${to}]`)

    expect(words([back(['a', 'b', 'c'], 'HI'), back(['d'], 'AU'), back(['e', 'f'], 'WC')], nimitz)).toEqual([
      '6 US forces return: 3 to the [HI], 1 to [AU], 2 to the [WC]',
    ])
  })

  it('keep apart what two sides do', () => {
    const flight = (id: string): Told => fact('AirborneOver', { aircraft: [id], area: 'CO' }, `[${id}] flies to [CO]`)
    const facts = ['43-us-a', '43-us-b', '43-us-c', '43-ja-a', '43-ja-b', '43-ja-c'].map(flight)

    expect(words(facts, nimitz)).toEqual([
      '3 US flights to [CO]: [43-us-a], [43-us-b], [43-us-c]',
      '3 Japanese flights to [CO]: [43-ja-a], [43-ja-b], [43-ja-c]',
    ])
  })

  it('gather what no title has a word for, if its sentences are the same but for names and numbers', () => {
    const seated = [1, 2, 3].map((side) => fact('SeatTaken', { seat: side }, `A bot sits down: [seat:${side}]`))

    expect(words(seated)).toEqual(['A bot sits down: [seat:1], and 2 more like it'])
    expect(words([...seated.slice(0, 2), fact('SeatTaken', {}, 'Something else')])).toHaveLength(3)
  })

  it('gather draws by side', () => {
    const drawn = ['C1', 'C2', 'C3'].map((card) => fact('CardDrawn', { side: 1, card }, `[allied] draw [${card}]`))

    expect(words(drawn, coralSea)).toEqual(['3 cards drawn by [allied]: [C1], [C2], [C3]'])
  })

  describe('of a way', () => {
    const sail = (from: string, to: string, units = ['CA', 'CV']): Told => {
      const who = units.map((id) => `[${id}]`).join(', ')
      return fact('UnitsMoved', { units, from, to, how: 'sail' }, `${who} ${units.length > 1 ? 'sail' : 'sails'} from [${from}] to [${to}]`)
    }
    const rp = (area: string, count: number, why: string): Told =>
      fact('RpHas', { side: 1, area, count, why }, `[allied] have ${count} resource points at [${area}] (${why})`)

    it('are one that says where it began and ended, and by where it went', () => {
      expect(words([sail('a', 'b'), sail('b', 'c')], coralSea)).toEqual(['[CA], [CV] sail from [a] to [c] by [b]'])
      const long = ['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh'].map((leg) => sail(leg.charAt(0), leg.charAt(1)))

      expect(words(long, coralSea)).toEqual(['[CA], [CV] sail from [a] to [h] by [b], [c], [d], [e] and 2 more'])
    })

    it('are told of one alone, and of the first of a large fleet', () => {
      const legs = (units: string[]): string[] => words([sail('a', 'b', units), sail('b', 'c', units)], coralSea)

      expect(legs(['DD'])).toEqual(['[DD] sails from [a] to [c] by [b]'])
      expect(legs(['U', 'V', 'W', 'X', 'Y', 'Z'])).toEqual(['[U], [V], [W], [X] and 2 more sail from [a] to [c] by [b]'])
    })

    it('hold what is carried along, but not what is there for another reason', () => {
      const carried = [rp('a', 0, 'carried away'), rp('b', 1, 'carried there')]
      const way = [sail('a', 'b'), ...carried, sail('b', 'c'), rp('b', 0, 'carried away'), rp('c', 1, 'carried there')]
      const spent = rp('d', 1, 'spent on the operation')

      expect(words([...way, spent], coralSea)).toEqual(['[CA], [CV] sail from [a] to [c] by [b]', spent.words])
      expect(words([spent, ...carried.slice(0, 1)], coralSea)).toHaveLength(2)
    })

    it('end where others move, or where it does not go on', () => {
      expect(words([sail('a', 'b'), sail('b', 'c', ['DD'])], coralSea)).toHaveLength(2)
      expect(words([sail('a', 'b'), sail('a', 'c')], coralSea)).toHaveLength(2)
    })
  })

  it('never hide what weighs', () => {
    const sunk = ['AKAGI', 'KAGA', 'SORYU'].map((ship) => fact('CarrierSunk', { ship }, `[${ship}] sinks`))

    expect(words(sunk)).toEqual(sunk.map((one) => one.words))
  })

  it('gather dice of one side and one purpose alone, and sum them up', () => {
    const fire = [roll('AA', 0, [4, 1], '4+ hits'), roll('AA', 0, [6], '4+ hits'), roll('AA', 0, [2], '4+ hits')]

    expect(words(fire)).toEqual(['3 rolls of 4 dice, 2 hits'])
    expect(words([...fire.slice(0, 2), roll('AA', 1, [6], '4+ hits')])).toHaveLength(3)
    expect(words([...fire.slice(0, 2), roll('CAP', 0, [6], '4+ hits')])).toHaveLength(3)
  })

  it('lose no entry of a whole match, and keep their order', () => {
    const facts = ndjson<Frame>(stepsText).flatMap((frame) => frame.facts)
    const found = sections(facts, midway)
    const gathered = found.flatMap(({ entries }) => lines(entries, midway))

    expect(gathered.flatMap((line) => line.entries)).toEqual(found.flatMap(({ entries }) => entries))
    expect(gathered.length).toBeLessThan(0.8 * gathered.flatMap((line) => line.entries).length)
  })
})

describe('dice summed up', () => {
  const some = (target: string, ...dice: number[]): string =>
    summed(dice.map((face) => rollOf({ body: JSON.stringify({ dice: [face], target }) })))

  it('say hits where the target does, else how many succeed, else how many there were', () => {
    expect(some('5 or less hits, 2 or less twice', 1, 4, 9)).toBe('3 rolls, 3 hits')
    expect(some('6 is 2 hits', 6, 1, 1)).toBe('3 rolls, 2 hits')
    expect(some('5+ repairs', 5, 1, 6)).toBe('3 rolls, 2 of 3 succeed')
    expect(some('1-2 one turn, 3-5 two', 5, 1, 6)).toBe('3 rolls')
    expect(some('the higher total', 5, 1, 6)).toBe('3 rolls')
  })
})
