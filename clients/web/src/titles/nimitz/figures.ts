/** What Nimitz's rulebook shows of the board. The films are written by `tests/films.py`. */

import type { Figures } from '../../rules/figures'

export const figures: Figures = {
  films: () => import('./films.jsonl?raw'),
  pictures: {
    areas: {
      film: 'scouting',
      lit: ['SI', 'SA'],
      part: [0.22, 0.45, 0.56, 0.55],
      caption:
        'Each area has a plate: Japanese forces stand above it, US forces below. A star marks an objective, a flag an area that is held, a ring one in supply. What is lit up shows its airfields too: how many are used, and how many there are.',
    },
    supply: {
      film: 'N25.4',
      at: 26,
      lit: ['WC', 'HI', 'AK', 'MI'],
      part: [0.37, 0.07, 0.63, 0.9],
      caption:
        'Alaska, Hawaii and Midway Island are held, linked to the West Coast. Samoa is beside Hawaii and in supply, but Japan is ashore there. The Solomon Islands have no neighbour that is held, so supply does not reach them.',
    },
    scouting: {
      film: 'scouting',
      lit: ['JA', 'CI'],
      part: [0, 0.2, 0.6, 0.6],
      caption: 'Two scouts over Japan and one over the Caroline Islands, for 3 SP: these forces get three orders before the US moves.',
    },
    orders: {
      film: 'N25.1',
      at: 44,
      lit: ['CI', 'SI'],
      part: [0, 0.3, 0.6, 0.6],
      caption:
        'OFFENSIVE from the Caroline Islands: five ships have gone to the Solomon Islands, the closest objective where Japan is not ashore.',
    },
    battle: {
      film: 'N25.2',
      at: 20,
      caption:
        'The battle board: the Japanese Ocean and the US Ocean for the carriers, Coastal for gunfire and transports, and the Island with its airfields, foxholes and beaches.',
    },
    escorts: {
      film: 'N25.2',
      at: 12,
      lit: ['42-ja-hiryu', '42-ja-destroyer-gp-1', '42-ja-tone-chikuma'],
      part: [0, 0.065, 0.8, 0.7],
      caption:
        'Hiryu has one escort, the one with the weakest guns. Tone/Chikuma, with the strongest, goes to Coastal beside the transports.',
    },
    hits: {
      film: 'N25.2',
      at: 53,
      lit: ['42-ja-hiryu'],
      part: [0, 0.065, 0.46, 0.215],
      caption: 'Bombs have hit Hiryu. Her value is 1, that of Destroyer Gp 1 beside her is higher, so she takes the second hit too.',
    },
    objectives: {
      film: 'N25.4',
      at: 25,
      lit: ['AK', 'HI', 'MI'],
      part: [0.42, 0, 0.58, 0.52],
      caption:
        'The scale on top of the map shows the objectives held and the level they are worth: with 3 in 1942 the commander is replaced.',
    },
  },
  examples: {
    'N25.1': { caption: 'Japanese orders' },
    'N25.2': { caption: 'A carrier battle at Midway Island' },
    'N25.3': { caption: 'A landing in the Solomon Islands' },
    'N25.4': { caption: 'The end of a turn' },
  },
}
