/** Words of the house, the same for all titles. */

import type { Term } from './term'

export const HOUSE: readonly Term[] = [
  { name: 'checkpoint', gloss: 'A signed note about all matches that have ended. Who keeps one can tell if the record was changed later.' },
  {
    name: 'commitment',
    gloss: 'A fingerprint of something kept secret for now. Once it is shown, everybody sees that it was not changed.',
  },
  {
    name: 'dispute',
    gloss: 'The server decides a step once more by the rules, with the dice that fell, and shows it beside what happened.',
  },
  { name: 'fact', common: true, gloss: 'One thing that happened: a roll, a move, a loss. Facts have numbers and are never changed.' },
  { name: 'nonce', gloss: 'A random number that each player adds to the dice, so that the server cannot choose them.' },
  { name: 'onlooker', gloss: 'Who watches without a seat. Onlookers see what both sides may see, and nothing more.' },
  {
    name: 'receipt',
    gloss: 'What your browser keeps of each of your decisions. With it you can show that the record is the match you played.',
  },
  { name: 'rematch', gloss: 'The same match again, with sides swapped.' },
  { name: 'replay', common: true, gloss: 'The match step by step, at any moment, during play and after it.' },
  { name: 'seat', common: true, gloss: 'A chair of a side, taken by a person or a bot. The link to a seat opens it: keep it to yourself.' },
  {
    name: 'undo',
    forms: ['take back', 'took back'],
    gloss: 'Takes your last decision back, until dice fall or another decides. After that the others must agree, and never across dice.',
  },
]
