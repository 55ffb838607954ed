/** Pacific War for the page: the map, its tray, its aids and its words. The rules stay on the server. */

import type { Title } from '../title'
import Board from './Board.svelte'
import { card } from './card'
import { gathers } from './gathers'
import { plan } from './plan'
import { tableOf } from './reading'
import { scene } from './scene'
import Side from './Side.svelte'
import Tray from './Tray.svelte'
import { bundles, chapter, choice, inTray, silent, weight, where } from './words'

export const title: Title = {
  name: 'pacific_war',
  Board,
  card,
  size: (view, aspect) => plan(tableOf(view).area, aspect),
  least: 0.42,
  Side,
  aid: () => import('./Aid.svelte'),
  Tray,
  inTray,
  tabs: { board: 'Map', sides: 'Sides', tray: 'Units' },
  turnWord: 'Cycle',
  primer: () => import('./primer'),
  sides: ['JP', 'AL'],
  choice,
  bundles,
  // Quiet picks wait until the one that ends them: a task force and its goal, a mission and its steps are one command.
  hidden: () => true,
  where,
  chapter,
  silent,
  gathers,
  weight,
  scene,
  score: (view, side) => {
    const { points } = tableOf(view)
    return points ? `${side ? points.AL : points.JP} points` : ''
  },
}
