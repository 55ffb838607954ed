/** What Pacific War's rulebook shows of battles. The films are written by `tests/films.py`. */

import type { Figures } from '../../rules/figures'

export const figures: Figures = {
  films: () => import('./films.jsonl?raw'),
  pictures: {},
  examples: {},
}
