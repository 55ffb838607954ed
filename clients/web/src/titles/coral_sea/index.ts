/** Coral Sea for the page: its map, its hand, its aids and its words. The rules stay on the server. */

import type { Title } from '../title'
import Aid from './Aid.svelte'
import Board from './Board.svelte'
import { plan } from './plan'
import Side from './Side.svelte'
import { SIDES, tableOf } from './table'
import Tray from './Tray.svelte'
import { bundles, chapter, choice, free, inTray, prompt, purpose, silent, weight, where } from './words'

export const title: Title = {
  name: 'coral_sea',
  Board,
  size: (_, aspect) => plan(aspect),
  least: 0.62,
  Side,
  Aid,
  Tray,
  inTray,
  free,
  tabs: { board: 'Map', sides: 'Sides', tray: 'Hand' },
  turnWord: 'Sequence',
  sides: [...SIDES],
  choice,
  bundles,
  prompt,
  where,
  chapter,
  silent,
  purpose,
  weight,
  score: (view, side) => `${tableOf(view).points[SIDES[side] ?? 'japan']} VP`,
}
