/** Midway for the page: its board, its aids and its words. The rules stay on the server. */

import type { Title } from '../title'
import Board from './Board.svelte'
import { card } from './card'
import Face from './Face.svelte'
import { gathers } from './gathers'
import { plan } from './plan'
import { scene } from './scene'
import Side from './Side.svelte'
import { SIDES, tableOf } from './reading'
import { bundles, chapter, choice, prompt, silent, weight, where } from './words'

export const title: Title = {
  name: 'midway',
  Board,
  card,
  Face,
  size: (view, aspect) => plan(tableOf(view), aspect),
  Side,
  aid: () => import('./Aid.svelte'),
  aim: [
    { words: 'Find and sink the enemy carriers: a side whose carriers are all sunk has lost.', rule: 'M13.1' },
    { words: 'In a duel seven damage on the only carrier is enough, if the other has less.', rule: 'M13.2' },
    { words: 'Otherwise points decide at the end: 15 for a carrier sunk, else her damage.', rule: 'M13.5' },
    { words: 'Planes go round: from the deck to Moving, Ready, Attacking, and home again to land. Plan your deck ahead.', rule: 'M8' },
  ],
  sides: [...SIDES],
  choice,
  bundles,
  prompt,
  where,
  chapter,
  silent,
  gathers,
  weight,
  scene,
  score: (view, side) => {
    const table = tableOf(view)
    return `${table.points[SIDES[side] ?? 'JP']} points`
  },
}
