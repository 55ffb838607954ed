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
    length: '30 minutes; an evening for 4 June',
    weight: 2,
    weightWord: 'light rules',
    now: { seat: 1, alone: false, words: 'The duel, you as the United States' },
  },
  coral_sea: {
    about:
      'New Guinea, the Solomons and the sea between, from May 1942. Cards or operations, chosen in secret: convoys, landings and battles, while supplies run short and the decks run out.',
    players: '2 players, hidden hands',
    length: 'a long evening, 3 to 4 hours',
    weight: 4,
    weightWord: 'heavy rules',
    now: { seat: 1, alone: false, words: 'The campaign, you as the Allies' },
  },
  nimitz: {
    about:
      'The whole Pacific, a year at a time. Spend supply, send your fleets across twenty areas, and hold the objectives of the year against a Japan that plays itself by the rules.',
    players: '1 player, or 2, or 2 together',
    length: 'an evening a year, 2 to 3 hours',
    weight: 3,
    weightWord: 'medium rules',
    now: { seat: 0, alone: true, words: '1942, you against the automated side' },
  },
}

/** A title that this page knows nothing of yet. */
const UNKNOWN: Face = {
  about: '',
  players: '2 players',
  length: '',
  weight: 3,
  weightWord: 'medium rules',
  now: { seat: 0, alone: false, words: 'Against a bot' },
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
