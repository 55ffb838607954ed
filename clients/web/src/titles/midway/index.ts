/** Midway for the page: its board, its aids and its words. The rules stay on the server. */

import type { Title } from '../title'
import Aid from './Aid.svelte'
import Board from './Board.svelte'
import { plan } from './plan'
import Side from './Side.svelte'
import { SIDES, tableOf } from './table'
import { bundles, chapter, choice, prompt, purpose, silent, weight, where } from './words'

export const title: Title = {
  name: 'midway',
  Board,
  size: (view, aspect) => plan(tableOf(view), aspect),
  Side,
  Aid,
  sides: [...SIDES],
  choice,
  bundles,
  prompt,
  where,
  chapter,
  silent,
  purpose,
  weight,
  score: (view, side) => {
    const table = tableOf(view)
    return `${table.points[SIDES[side] ?? 'JP']} points`
  },
}
