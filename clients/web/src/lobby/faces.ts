/** What a newcomer is told of each title before its folder is loaded, and what *Play now* begins. */

import type { TitleInfo } from '../protocol/wire'

export interface Face {
  about: string
  players: string
  length: string
  /** 1 to 5, and in a word. */
  weight: number
  weightWord: string
  /** What *Play now* is: the side one takes, and whether the other one plays itself by the rules and has no seat. */
  now: { seat: number; alone: boolean; words: string }
}

const FACES: Record<string, Face> = {
  midway: {
    about:
      'Carrier against carrier, June 1942. Plan your flight decks, keep fighters overhead, and time your strikes: whoever cripples the enemy carriers first has all but won.',
    players: '2 players, or teams of up to 7',
    length: 'Half an hour; 4 June takes an evening',
    weight: 2,
    weightWord: 'Light rules',
    now: { seat: 1, alone: false, words: 'the duel, you as the United States against a bot' },
  },
  coral_sea: {
    about:
      'New Guinea, the Solomons and the sea between, from May 1942. Cards or operations, chosen in secret: convoys, landings and battles, while supplies run short and the decks run out.',
    players: '2 players, hidden hands',
    length: 'A long evening, 3 to 4 hours',
    weight: 4,
    weightWord: 'Heavy rules',
    now: { seat: 1, alone: false, words: 'the campaign, you as the Allies against a bot' },
  },
  nimitz: {
    about:
      'The whole Pacific, a year at a time. Spend supply, send your fleets across twenty areas, and hold the objectives of the year: against a friend, or a Japan that plays itself by the rules.',
    players: '1 player, or 2, or 2 together',
    length: 'An evening for each year, 2 to 3 hours',
    weight: 3,
    weightWord: 'Medium rules',
    now: { seat: 0, alone: true, words: 'the year 1942, you against a Japan that plays itself' },
  },
  pacific_war: {
    about:
      'Battles of 1941 and 1942, hex by hex: find the enemy fleet before it finds yours, strike and be struck at once. Or months of command: Guadalcanal, or the whole war.',
    players: '2 players, hidden fleets and sealed choices',
    length: 'From an hour to weeks',
    weight: 4,
    weightWord: 'Heavy rules',
    now: { seat: 0, alone: false, words: 'the Coral Sea, you as Japan against a bot' },
  },
}

/** A title that this page knows nothing of yet. */
const UNKNOWN: Face = {
  about: '',
  players: '2 players',
  length: '',
  weight: 3,
  weightWord: 'Medium rules',
  now: { seat: 0, alone: false, words: 'against a bot' },
}

export const HEAVIEST = 5

export function faceOf(title: string): Face {
  return FACES[title] ?? UNKNOWN
}

/** The strongest bot of a title; they are named weakest first. */
export function bestBot(title: TitleInfo): string {
  return title.bots.at(-1) ?? ''
}

const BOTS: Record<string, string> = { random: 'a bot that tries anything', automated: 'the automated side', steady: 'a steady bot' }

export function botWords(bot: string): string {
  return BOTS[bot] ?? `bot: ${bot}`
}
