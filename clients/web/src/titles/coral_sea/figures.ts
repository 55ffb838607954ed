/** What Coral Sea's rulebook shows of the board, the hand and the battle. The films are written by `tests/films.py`. */

import type { Figures, Part } from '../../rules/figures'
import FightFigure from './FightFigure.svelte'
import HandFigure from './HandFigure.svelte'

const RABAUL: Part = [0.22, 0.02, 0.3, 0.3]
const GUADALCANAL: Part = [0.55, 0.3, 0.3, 0.3]
const PAPUA: Part = [0, 0.44, 0.36, 0.42]
const SOUTH_EAST: Part = [0.52, 0.3, 0.46, 0.46]

export const figures: Figures = {
  films: () => import('./films.jsonl?raw'),
  pictures: {
    area: {
      film: 'choice',
      lit: ['rabaul'],
      part: RABAUL,
      caption:
        'Rabaul at the start. Its plate is round and red, so Japan controls it; it is worth 4 points and has a port and an airfield. The barrel holds 5 resource points, and of the stack the top counter is seen.',
    },
    sequence: {
      film: 'choice',
      draws: HandFigure,
      caption:
        'The first sequence, at the secret choice. Two of these cards are green, for a card action; the red, the blue and the yellow one wait for their moment in an operation or a battle.',
    },
    landing: {
      film: 'C30.4',
      at: 24,
      lit: ['indispensable_strait', 'guadalcanal_lunga'],
      part: SOUTH_EAST,
      caption: 'The Marines, aboard in the Indispensable Strait with 1 Range left, may land at Lunga: the fleet pauses there.',
    },
    'ground-battle': {
      film: 'C30.4',
      at: 57,
      draws: FightFigure,
      caption:
        'The battle of Lunga: who fights, the chits that each side still holds, the chit that was played and the check that it brought. The bunker takes 2 off the rolls of its unit.',
    },
    'naval-battle': {
      film: 'C30.3',
      at: 39,
      lit: ['ironbottom_sound'],
      part: GUADALCANAL,
      caption: 'A battle in Ironbottom Sound. TF 62 Cruisers have failed a check and lie at Tulagi already, depleted and disorganised.',
    },
    isolated: {
      film: 'C30.4',
      at: 97,
      lit: ['guadalcanal_west'],
      part: GUADALCANAL,
      caption: 'Two Japanese units at Cape Esperance are isolated: Lunga is enemy-occupied, and no Japanese ship lies off the coast.',
    },
    airfield: {
      film: 'C30.4',
      lit: ['guadalcanal_lunga'],
      part: GUADALCANAL,
      caption:
        'Lunga has a Japanese airfield counter: the yellow aircraft. Printed airfields are white; one that does not work is crossed out.',
    },
    victory: {
      film: 'choice',
      part: [0.1, 0.87, 0.54, 0.13],
      caption: 'The victory track below the map, at the start of the campaign: Japan 5, the Allies 23.',
    },
  },
  examples: {
    'C30.1': { caption: 'An operation in the Gulf of Papua', part: PAPUA },
    'C30.3': { caption: 'A naval battle with cargo', part: GUADALCANAL, draws: FightFigure },
    'C30.4': { caption: 'Landing at Lunga, and clearing the island', part: SOUTH_EAST, draws: FightFigure },
  },
}
