/** What Pacific War's rulebook shows of battles. The films are written by `tests/films.py`. */

import type { Figures, Part } from '../../rules/figures'
import BattleFigure from './battle/BattleFigure.svelte'
// What figures are drawn with is loaded by then, and named here it is not cut out of the page of a match for them.
import './index'

const CORAL_SEA: Part = [0.17, 0.13, 0.66, 0.74]
const GUADALCANAL: Part = [0.17, 0.17, 0.66, 0.66]

export const figures: Figures = {
  films: () => import('./films.jsonl?raw'),
  pictures: {},
  examples: {
    'P38.3': { caption: 'A carrier strike, and the answer at the same time', part: CORAL_SEA, draws: BattleFigure },
    'P38.4': { caption: 'A naval battle off Guadalcanal at night', part: GUADALCANAL, draws: BattleFigure },
  },
}
