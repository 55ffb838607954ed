/** What one plays for in each scenario of Pacific War, what to do first, and where to look. */

import type { TableView } from '../../protocol/wire'
import type { Advice, Lesson } from '../title'
import { goalOf } from './losses/points'

const CYCLE: Advice = {
  words: 'A cycle is two days. It goes through the phases of the bar below the map, from A to O; the present one is marked.',
  rule: 'P5.2',
}
const ADVANTAGE: Advice = {
  words: 'Who has the Advantage moves and strikes first. The other does the same at the end of the cycle, in K and L.',
  rule: 'P27.1',
}
const HIDDEN: Advice = {
  words: 'A task force shows where it is, not what is in it. Only a Detected one can be struck, and all see what it holds.',
  rule: 'P24.4',
}
const SEALED: Advice = {
  words: 'Where both choose at once, nothing is shown until both are done. Give all your picks, then end the choice.',
  rule: 'P0.3.2',
}
const SEARCH: Advice = {
  words: 'Commit a carrier group to search while you move: it costs a step, and finds what patrol planes do not reach.',
  rule: 'P24.2',
}
const CAP: Advice = {
  words: 'Before missions you share out the ready steps: on CAP they guard their hex for the whole cycle, and do not strike.',
  rule: 'P28.1',
}
const STRIKE: Advice = {
  words: 'For a strike name the steps that bomb and the steps that escort. When they have arrived, choose their targets.',
  rule: 'P28.3',
}
const ANSWER: Advice = {
  words: 'A carrier that is struck may strike back at once, if it finds out where the strike comes from. Keep steps for that.',
  rule: 'P28.12',
}
const DECK: Advice = {
  words: 'Two or more ready steps aboard make a carrier easier to hit. Aircraft in the air are not on deck.',
  rule: 'P28.5.1',
}
const CRIPPLED: Advice = {
  words: 'Half its hits make a ship crippled: half its guns, slow, and a carrier flies nothing any more.',
  rule: 'P2.2.1',
}
const RANGE: Advice = {
  words: 'In each of three combat phases you first pick the range, then give every ship its target. The faster side gets its range.',
  rule: 'P29.2',
}
const TORPEDOES: Advice = {
  words: 'Torpedoes do the most harm at short range. Most Japanese ships have two salvos, the Allied ones have one or none.',
  rule: 'P29.2',
}

interface Course {
  aim: readonly Advice[]
  first: readonly Advice[]
  watch: readonly Advice[]
}

const COURSES: Readonly<Record<string, Course>> = {
  E1: {
    aim: [
      {
        words:
          'Japan: land at Port Moresby and hold it after three cycles, for 20 points. The Allies: keep it free of Japanese troops, for 24.',
        rule: 'P1.4',
        show: ['port_moresby'],
      },
      { words: `A fleet carrier sunk is 12 points, crippled 5. ${goalOf('E1')}`, rule: 'P33.1' },
    ],
    first: [CYCLE, SEARCH, CAP, STRIKE],
    watch: [HIDDEN, ADVANTAGE, ANSWER, DECK, SEALED],
  },
  E2: {
    aim: [
      {
        words: `Japan: sink the battleships at Pearl Harbor. ${goalOf('E2')}`,
        rule: 'P1.5',
        show: ['pearl_harbor'],
      },
      { words: 'A battleship sunk is 6 points, crippled 3. A Japanese carrier sunk is 12.', rule: 'P33.1' },
    ],
    first: [
      CYCLE,
      { words: 'In the first cycle Japan strikes first, nothing is on CAP over Pearl Harbor, and its flak is surprised.', rule: 'P1.5' },
      STRIKE,
    ],
    watch: [
      HIDDEN,
      ADVANTAGE,
      CAP,
      DECK,
      { words: 'In the second cycle the Allied aircraft at Pearl Harbor may fly.', rule: 'P1.5', show: ['pearl_harbor'] },
    ],
  },
  E3: {
    aim: [
      { words: `Japan: run in by night, and sink cruisers and transports. ${goalOf('E3')}`, rule: 'P1.6' },
      { words: 'A transport group sunk is 6 points, heavy cruisers 4.', rule: 'P33.1' },
    ],
    first: [
      { words: 'Japan: move TF J1 to the Allied ships off Guadalcanal. It may go five hexes.', rule: 'P1.6', show: ['J1', 'guadalcanal'] },
      { words: 'Both say in secret whether they engage. Who evades may get away, the faster the better.', rule: 'P29.1' },
      RANGE,
    ],
    watch: [
      { words: 'Japan has Surprise: in the first phase the Allies neither fire nor pick the range.', rule: 'P29.2' },
      TORPEDOES,
      { words: 'First only the screens fire, then the battleships too, in the third phase all.', rule: 'P29.2' },
      CRIPPLED,
      SEALED,
    ],
  },
  E4: {
    aim: [
      {
        words: 'Japan: take Wake Island in three cycles, for 8 points. The Allies: hold it with no Japanese there, for 6.',
        rule: 'P1.7',
        show: ['wake'],
      },
      { words: `Each air step lost is a point, a transport group sunk 4. ${goalOf('E4')}`, rule: 'P33.1' },
    ],
    first: [
      CYCLE,
      { words: 'No troops may land while the fort has a level: it must be fought or bombed down first.', rule: 'P1.7', show: ['wake'] },
      { words: 'A task force at the port of Wake may engage the fort. Two hits lower it by a level.', rule: 'P29.1.3', show: ['wake'] },
    ],
    watch: [RANGE, ADVANTAGE, { words: 'Troops that land attack with a shift against them in their first cycle.', rule: 'P31.3' }, SEALED],
  },
  B1: {
    aim: [
      {
        words: 'Japan: take Midway in four cycles, for 18 points. The Allies: hold it with no Japanese there, for 32.',
        rule: 'P1.8',
        show: ['midway'],
      },
      { words: `A fleet carrier sunk is 12 points, crippled 5. ${goalOf('B1')}`, rule: 'P33.1' },
    ],
    first: [CYCLE, SEARCH, CAP, STRIKE],
    watch: [
      HIDDEN,
      ADVANTAGE,
      ANSWER,
      DECK,
      { words: 'Keep out of the hexes round an enemy submarine patrol: it attacks what sails through.', rule: 'P25.2' },
      SEALED,
    ],
  },
  C1: {
    aim: [
      {
        words:
          'At each month end places score for who holds them: Rabaul 15 for the Allies; Port Moresby and Espiritu Santo 10 for Japan; Guadalcanal 6 for either.',
        rule: 'P33.2',
        show: ['rabaul', 'port_moresby', 'espiritu_santo', 'guadalcanal'],
      },
      {
        words:
          'Damage done in Operations counts too. After December the Allies win with a lead of 20, decisively with 45; Japan wins if it leads by more than 10.',
        rule: 'P1.9',
      },
    ],
    first: [
      { words: 'Each month you share out Command Points among your headquarters: they pay for all that you activate.', rule: 'P10.3' },
      { words: 'Then both bid for an Operation, in secret. The higher bid leads it, and is the most that it may cost.', rule: 'P18.1' },
      { words: 'Who leads activates units: ships form task forces in port, troops go aboard. The others stay as they are.', rule: 'P20.2' },
      { words: 'Sail day by day, three hexes a day, until you are where you want to fight: then come battle cycles.', rule: 'P23.4' },
    ],
    watch: [
      { words: 'The other side learns in secret how well it is warned: that limits what it may activate in answer.', rule: 'P22.1' },
      { words: 'Past ten Activation Points a headquarters pays its Operation cost as well.', rule: 'P20.2.5' },
      { words: 'Damage moves the Initiative, which decides where both bid the same.', rule: 'P19.3' },
      HIDDEN,
      SEALED,
    ],
  },
}

export function lesson({ match }: TableView): Lesson {
  return COURSES[match.scenario] ?? COURSES.E1!
}
