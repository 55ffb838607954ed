/** Midway for the page: its board, its aids and its words. The rules stay on the server. */

import type { Title } from '../title'
import { counted } from '../../words/count'
import Board from './Board.svelte'
import { card } from './card'
import Face from './Face.svelte'
import { gathers } from './gathers'
import { plan } from './plan'
import { scene } from './scene'
import Side from './Side.svelte'
import { SIDES, tableOf } from './reading'
import { bundles, chapter, choice, silent, standing, weight, where } from './words'

export const title: Title = {
  name: 'midway',
  Board,
  card,
  Face,
  size: (view, aspect) => plan(tableOf(view), aspect),
  Side,
  aid: () => import('./Aid.svelte'),
  primer: () => import('./primer'),
  sides: [...SIDES],
  choice,
  bundles,
  standing,
  where,
  chapter,
  silent,
  gathers,
  weight,
  scene,
  tells: { SEARCH_ASSIGN: 'SearchAssigned', TARGET: 'Targeted' },
  score: (view, side) => {
    const table = tableOf(view)
    return counted(table.points[SIDES[side] ?? 'JP'], 'point')
  },
}
