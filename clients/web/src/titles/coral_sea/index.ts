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
import { bundles, chapter, choice, free, inTray, passing, purpose, silent, standing, weight, where } from './words'

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
  primer: () => import('./primer'),
  sides: [...SIDES],
  choice,
  bundles,
  hidden: (view) => view.match.options.limited_intelligence === true,
  standing,
  passing,
  where,
  chapter,
  silent,
  gathers,
  purpose,
  weight,
  scene,
  score: (view, side) => `${tableOf(view).points[SIDES[side] ?? 'japan']} VP`,
}
