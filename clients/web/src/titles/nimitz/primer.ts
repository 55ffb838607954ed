/** What one plays for in each campaign of Nimitz and in each way to play it, what to do first, and where to look. */

import type { TableView } from '../../protocol/wire'
import type { Advice, Lesson } from '../title'

/** Turns, objectives, how many are a victory, and how many are too few to go on (N3.1, N1.12, N18.2, N17.2). */
const YEARS: Record<string, { turns: number; objectives: number; wins: number; lost: number }> = {
  1942: { turns: 6, objectives: 8, wins: 5, lost: 3 },
  1943: { turns: 6, objectives: 10, wins: 6, lost: 4 },
  1944: { turns: 6, objectives: 14, wins: 9, lost: 6 },
  1945: { turns: 4, objectives: 16, wins: 15, lost: 6 },
}

const HELD: Advice = {
  words: 'An area is held with forces ashore where no Japanese are, in supply from the West Coast. Point at it to see the way.',
  rule: 'N1.10',
  show: ['WC'],
}
const HAWAII: Advice = { words: 'Never lose Hawaii: the campaign is lost with it.', rule: 'N17.1', show: ['HI'] }

const OF_YEAR: Record<string, Advice[]> = {
  1942: [
    {
      words: 'You are weaker at first. Guard Hawaii, Midway and New Caledonia before you attack.',
      rule: 'N1.12',
      show: ['HI', 'MI', 'NC'],
    },
  ],
  1943: [{ words: 'Both sides are even. Take the islands one by one, each beside one that you hold.', rule: 'N1.10' }],
  1944: [
    {
      words: 'Take the Marianas and hold them: bombers from there fly against Japan itself.',
      rule: 'N19.2',
      show: ['MA'],
    },
    { words: 'You begin with five objectives held. From turn 2 on more than six must be held.', rule: 'N17.2' },
  ],
  1945: [
    {
      words: 'There are four turns only. Forces put by in Hawaii or on the West Coast for the invasion of Japan count as objectives, too.',
      rule: 'N19.4',
      show: ['HI', 'WC'],
    },
    { words: 'Japanese forces on Okinawa and Iwo Jima get no orders: they stay and defend.', rule: 'N19.1', show: ['OK', 'IJ'] },
  ],
}

const FIRST: Advice[] = [
  { words: 'Spend supply points: buy and repair forces, and keep some for scouts and battle plans.', rule: 'N4.2' },
  { words: 'A scout has an area get its Japanese order before your move: then you know what comes.', rule: 'N5.3' },
  { words: 'Movement is free and of any distance, each force once a turn. Then fight where both sides are.', rule: 'N6.4' },
]

const MODES: Record<number, Advice> = {
  1: { words: 'Nobody plays Japan: rolls decide its orders. Open “why” in the log to see how it chose.', rule: 'N20.1' },
  2: { words: 'Japan is played: its orders are rolled and bind, and its player chooses what the rules leave open.', rule: 'N20.2' },
  3: {
    words: 'Two commanders share the US side: supply points are split, and each moves what is in the areas of his theatre.',
    rule: 'N20.3',
  },
}

function aimOf(year: string): Advice[] {
  const { turns, objectives, wins, lost } = YEARS[year]!
  return [
    {
      words: `Hold at least ${wins} of the ${objectives} objectives, the areas with a star, after ${turns} turns. For Japan: keep the US below that.`,
      rule: 'N18.2',
    },
    { words: `With ${lost} or fewer at the end of a turn the campaign is lost at once.`, rule: 'N17.2' },
  ]
}

const LINKED: Advice[] = [
  { words: 'All four campaigns, one after the other; 35 objectives in all are a historical result.', rule: 'N18.3' },
  { words: 'Each begins anew. A campaign that is lost ends the war.', rule: 'N18.3' },
]

export function lesson({ match, table }: TableView): Lesson {
  const linked = match.scenario === 'linked'
  const year = linked ? String((table as { year?: number } | null)?.year || 1942) : match.scenario
  const mode = MODES[Number(match.options.mode)]
  return {
    aim: [...(linked ? LINKED : []), ...aimOf(year), HELD, HAWAII],
    first: [...FIRST],
    watch: [...OF_YEAR[year]!, ...(mode ? [mode] : [])],
  }
}
