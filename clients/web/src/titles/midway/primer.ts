/** What one plays for in each scenario of Midway, what to do first, and where to look. */

import type { TableView } from '../../protocol/wire'
import type { Advice, Lesson } from '../title'

const CIRCUIT: Advice = {
  words: 'Planes go round: deck, Moving, Ready, Attacking, home again, Waiting to Land. What is launched now attacks two turns later.',
  rule: 'M3.7',
}
const DECKS: Advice = {
  words: 'A carrier with planes on deck can launch next turn, one with a clear deck can land. It cannot do both: plan the deck ahead.',
  rule: 'M9.1',
}
const PATROL: Advice = {
  words: 'In Ready to Attack the enemy’s combat air patrol meets you. Send escorts: it must match them before it reaches your bombers.',
  rule: 'M6.4',
}

const DUEL: Lesson = {
  aim: [
    { words: 'Do seven damage to the only enemy carrier while yours has less: that ends the battle at once.', rule: 'M13.2' },
    { words: 'If that has not happened after eight turns, damage counts: more points win.', rule: 'M13.4' },
  ],
  first: [
    { words: 'Nobody has to search. Launch what stands on Kaga’s deck.', rule: 'M8.3', show: ['DECK:KAGA'] },
    { words: 'Enterprise has a clear deck: in planning bring up what shall fly next turn.', rule: 'M9.4', show: ['DECK:ENTERPRISE'] },
  ],
  watch: [
    CIRCUIT,
    DECKS,
    { words: 'Keep fighters on combat air patrol over your carrier.', rule: 'M6.1', show: ['JP:CAP:1', 'US:CAP:1'] },
    PATROL,
  ],
}

const BATTLE: Lesson = {
  aim: [
    { words: 'Sink the enemy carriers: a side whose carriers are all sunk has lost.', rule: 'M13.1' },
    { words: 'Otherwise points decide after twelve turns: 15 for a carrier sunk, else her damage.', rule: 'M13.5' },
  ],
  first: [
    {
      words:
        'United States: the Japanese fleet must be found first. Until then no American plane goes on from Moving to Attack. Launch at least four bomber groups.',
      rule: 'M12.1',
      show: ['US:MOVING'],
    },
    {
      words:
        'With four bomber groups in Moving the search can begin: its button stands beside your prompt when you move planes. A line under your prompt says so until the fleet is found.',
      rule: 'M12.2',
    },
    {
      words: 'The die names one of four search groups, and only that one goes on at once. The rest follow a turn later.',
      rule: 'M12.6',
    },
    {
      words: 'Japan: the planes back from Midway wait to land. Land them on clear decks first, then arm a strike.',
      rule: 'M4.4',
      show: ['JP:WAITING'],
    },
  ],
  watch: [CIRCUIT, DECKS, PATROL],
}

export function lesson({ match }: TableView): Lesson {
  const { first, ...rest } = match.scenario === 'duel' ? DUEL : BATTLE
  const both: Advice = {
    words: 'In this match Japan has to search as well, in its own step.',
    rule: 'M15.10',
    show: ['JP:MOVING'],
  }
  return { ...rest, first: match.options.japanese_search ? [...first, both] : first }
}
