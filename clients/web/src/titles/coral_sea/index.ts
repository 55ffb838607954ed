/** Coral Sea for the page: its map, its hand, its aids and its words. The rules stay on the server. */

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
import { bundles, chapter, choice, free, inTray, prompt, purpose, silent, standing, weight, where } from './words'

export const title: Title = {
  name: 'coral_sea',
  Board,
  card,
  Face,
  size: (_, aspect) => plan(aspect),
  least: 0.62,
  Side,
  aid: () => import('./Aid.svelte'),
  Tray,
  inTray,
  free,
  tabs: { board: 'Map', sides: 'Sides', tray: 'Hand' },
  turnWord: 'Sequence',
  aim: [
    { words: 'More victory points win: for the sites that you control, and for units destroyed.', rule: 'C23.5' },
    { words: 'It ends as soon as a side draws the last card of its deck, so every card drawn is time that runs out.', rule: 'C23.1' },
    {
      words: 'In each sequence both choose in secret: Card plays, draws or discards; Map spends resource points to move and fight.',
      rule: 'C5.2',
    },
  ],
  sides: [...SIDES],
  choice,
  bundles,
  hidden: (view) => view.match.options.limited_intelligence === true,
  prompt,
  standing,
  where,
  chapter,
  silent,
  gathers,
  purpose,
  weight,
  scene,
  score: (view, side) => `${tableOf(view).points[SIDES[side] ?? 'japan']} VP`,
}
