/** Nimitz for the page: the Pacific, the battle board, its aids and its words. The rules stay on the server. */

import type { Title } from '../title'
import Board from './Board.svelte'
import { card } from './card'
import Face from './Face.svelte'
import { gathers } from './gathers'
import { plan } from './plan'
import { scene } from './scene'
import Side from './Side.svelte'
import { SIDES, tableOf } from './reading'
import Tray from './Tray.svelte'
import { bundles, chapter, choice, inTray, prompt, purpose, silent, weight, where, why } from './words'

export const title: Title = {
  name: 'nimitz',
  Board,
  card,
  Face,
  size: (_, aspect) => plan(aspect),
  least: 0.88,
  Side,
  aid: () => import('./Aid.svelte'),
  Tray,
  inTray,
  tabs: { board: 'Map', sides: 'Sides', tray: 'Plans' },
  aim: [
    {
      words: 'Hold the objectives of the year, the areas with a star: the scale on top of the map says what their number is worth.',
      rule: 'N18.2',
    },
    {
      words: 'An area is held by forces ashore where no Japanese are, in supply from the West Coast; point at it to see the way.',
      rule: 'N1.10',
    },
    {
      words:
        'Each turn: spend supply points, move, and fight where both sides are. Too few objectives, or Hawaii not held, and all is lost at once.',
      rule: 'N17.2',
    },
  ],
  sides: [...SIDES],
  choice,
  bundles,
  prompt,
  where,
  chapter,
  silent,
  gathers,
  purpose,
  weight,
  scene,
  why,
  score: (view, side) => {
    const table = tableOf(view)
    return side ? (table.raids ? `${table.raids} raiders against it` : '') : `${table.result} · ${table.level || table.result_level}`
  },
}
