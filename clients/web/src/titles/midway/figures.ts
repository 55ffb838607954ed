/** What Midway's rulebook shows of the board. The films are written by `tests/films.py`. */

import type { Figures } from '../../rules/figures'

const CIRCUIT = ['MOVING', 'READY', 'ATTACKING', 'HOME', 'WAITING']

export const figures: Figures = {
  films: () => import('./films.jsonl?raw'),
  pictures: {
    boxes: {
      film: 'historical-4-june',
      lit: CIRCUIT.map((box) => `JP:${box}`),
      part: [0.255, 0, 0.49, 0.316],
      caption:
        'Japan’s boxes. A strike goes out along the upper row and comes home along the lower one; here the strike that bombed Midway waits to land. The American boxes mirror these.',
    },
    cap: {
      film: 'E1',
      lit: ['JP:CAP:1', 'US:READY'],
      part: [0.25, 0.314, 0.5, 0.686],
      caption:
        'Two Japanese groups fly in the centre of their CAP box and one in the last ring. They may attack the American wave in Ready to Attack.',
    },
    damage: {
      film: 'E2',
      at: 21,
      lit: ['AKAGI'],
      part: [0, 0, 0.27, 0.26],
      caption:
        'Seven of Akagi’s ten circles are marked: she is crippled, and the planes on her deck and in her hangar stay where they are.',
    },
    duel: {
      film: 'duel',
      lit: ['DECK:KAGA', 'KAGA'],
      caption: 'The duel before its first turn: Kaga with a full deck, Enterprise with all her planes in the hangar.',
    },
    historical: {
      film: 'historical-4-june',
      caption: 'The morning of 4 June: the Japanese decks are clear for the returning strike, Enterprise and Hornet are ready to launch.',
    },
  },
  examples: {
    E1: { caption: 'CAP against an escorted wave' },
    E2: { caption: 'An attack wave, a crippled carrier and her repair' },
    E3: { caption: 'The American search' },
    E4: { caption: 'The landing limit, and a carrier that sinks with planes aboard' },
  },
}
