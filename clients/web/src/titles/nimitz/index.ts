/** Nimitz for the page: the Pacific, the battle board, its aids and its words. The rules stay on the server. */

import { counted } from '../../words/count'
import type { Title } from '../title'
import Board from './Board.svelte'
import { card } from './card'
import Face from './Face.svelte'
import { company } from './company'
import { gathers } from './gathers'
import { plan } from './plan'
import { scene } from './scene'
import Side from './Side.svelte'
import { SIDES, tableOf } from './reading'
import Tray from './Tray.svelte'
import { bundles, chapter, choice, inTray, purpose, silent, weight, where, why } from './words'

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
  primer: () => import('./primer'),
  sides: [...SIDES],
  choice,
  bundles,
  company,
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
    if (side) return table.raids ? `${counted(table.raids, 'raider')} against it` : ''
    return `${table.result} · ${table.level || table.result_level}`
  },
}
