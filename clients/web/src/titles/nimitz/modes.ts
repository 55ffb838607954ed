/** The ways to play Nimitz (N20), as they are offered before its folder is loaded. */

import type { Mode } from '../title'

export const MODES: Mode[] = [
  { value: 1, name: 'Alone, against the automated Japanese side', chairs: 1, sides: [] },
  { value: 2, name: 'Two players: the US against Japan', chairs: 2, sides: ['United States', 'Japan'] },
  {
    value: 3,
    name: 'Two US commanders together against the automated side',
    chairs: 2,
    sides: ['Pacific Ocean Areas', 'South West Pacific'],
  },
]
