/** Pacific War for the page: the map, its tray, its aids and its words. The rules stay on the server. */

import type { Title } from '../title'
import Tray from './battle/Tray.svelte'
import Board from './Board.svelte'
import { card } from './card'
import { gathers } from './gathers'
import { score } from './losses/points'
import Side from './losses/Side.svelte'
import { plan } from './plan'
import { tableOf } from './reading'
import { scene } from './scene'
import type { Table } from './shown'
import { bundles, chapter, choice, face, inTray, outcome, purpose, silent, tells, weight, where, within } from './words'

/** Whether a scenario is one of months: a campaign, or the war. */
const months = (scenario: string): boolean => /^[CS]\d/.test(scenario)
const rostered = ({ roster }: Table, id: string): boolean => id in roster.ships || id in roster.air || id in roster.ground

export const title: Title = {
  name: 'pacific_war',
  Board,
  card,
  size: (view, aspect) => plan(tableOf(view).area, aspect),
  least: 0.42,
  Side,
  common: (scenario) => (months(scenario) ? import('./campaign/Month.svelte') : null),
  chronicle: (scenario) => (months(scenario) ? import('./campaign/story') : null),
  whole: (scenario) => (months(scenario) ? import('./campaign/story/War.svelte') : null),
  storied: (id, view) => rostered(tableOf(view), id),
  aid: () => import('./cycle/Aid.svelte'),
  Tray,
  inTray,
  tabs: { board: 'Map', sides: 'Sides', tray: 'Units' },
  turnWord: 'Cycle',
  primer: () => import('./primer'),
  sides: ['JP', 'AL'],
  choice,
  // More than three shares are too much for the prompt (P10.3); the board below the map has them, and each button says them.
  asks: (question) => question.replace(/(to share out.*) Proposed: ([^,]+,){3}.*/, '$1 The board can be set as proposed.'),
  bundles,
  // Quiet picks wait until the one that ends them: a task force and its goal, a mission and its steps are one command.
  hidden: () => true,
  where,
  within,
  chapter,
  silent,
  gathers,
  tells,
  purpose,
  face,
  outcome,
  weight,
  scene,
  score,
}
