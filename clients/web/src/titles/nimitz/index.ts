/** Nimitz for the page: the Pacific, the battle board, its aids and its words. The rules stay on the server. */

import type { Title } from '../title'
import Aid from './Aid.svelte'
import Board from './Board.svelte'
import { beatLasts, beatsOf } from './fray'
import { plan } from './plan'
import Side from './Side.svelte'
import { SIDES, tableOf } from './table'
import Tray from './Tray.svelte'
import { bundles, chapter, choice, inTray, prompt, purpose, silent, weight, where, why } from './words'

export const title: Title = {
  name: 'nimitz',
  Board,
  size: (_, aspect) => plan(aspect),
  least: 0.88,
  Side,
  Aid,
  Tray,
  inTray,
  tabs: { board: 'Map', sides: 'Sides', tray: 'Plans' },
  sides: [...SIDES],
  choice,
  bundles,
  prompt,
  where,
  chapter,
  silent,
  purpose,
  weight,
  why,
  lasts: (facts, since) => {
    const beats = beatsOf(facts, since).length
    return beats * beatLasts(beats)
  },
  score: (view, side) => {
    const table = tableOf(view)
    return side ? `${table.raids ? `${table.raids} raiders against it` : ''}` : `${table.result} · ${table.result_level}`
  },
}
