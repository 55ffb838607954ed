import { HOUSE } from './house'
import type { Term } from './term'

export const TERMS: readonly Term[] = [
  {
    name: 'airfield',
    gloss: 'Air support reaches 3 areas from a Japanese one and 4 from an Allied one. It must be under control and working.',
    rule: 'C19.1',
  },
  {
    name: 'Attack card',
    forms: ['yellow'],
    gloss: 'A yellow card: only the side whose operation it is plays it, in a battle that it starts.',
    rule: 'C6.2',
  },
  {
    name: 'battle chit',
    forms: ['chit'],
    gloss: 'Chits decide a battle: each side draws a hand of them in secret and plays one in turn.',
    rule: 'C12.5',
  },
  {
    name: 'bunker',
    gloss: 'A chit of the Japanese defender: the unit that has it checks at −2 for the rest of the battle.',
    rule: 'C12.17',
  },
  {
    name: 'card action',
    gloss: 'Play a green card, draw a card, or discard one for a resource point. One of these must be done.',
    rule: 'C5.6',
  },
  {
    name: 'cargo',
    gloss: 'Own ground units and resource points that are at sea with ships. They take no part in a battle at sea.',
    rule: 'C1.6',
  },
  {
    name: 'cohesion',
    forms: ['cohesion check'],
    gloss: 'A unit passes a check with a die of ten up to its cohesion. Disorder and isolation lower it.',
    rule: 'C12.9',
  },
  {
    name: 'control',
    common: true,
    forms: ['controls'],
    gloss: 'Land belongs to the side that last had a ground unit there alone. Ships never change that.',
    rule: 'C3.7',
  },
  {
    name: 'cup',
    gloss: 'The chits that a side may draw from in this battle. Which are in it depends on where it is fought.',
    rule: 'C12.5',
  },
  { name: 'depleted', gloss: 'The counter is turned to its weaker side. A rebuild makes it full again.', rule: 'C4.3' },
  {
    name: 'disorganised',
    gloss: 'All values of the unit are 1 lower, until it is reorganised. Hit so again in a battle, it is depleted or destroyed.',
    rule: 'C4.2',
  },
  { name: 'organised', gloss: 'Without a disorganised marker: the unit has its printed values.', rule: 'C14.1' },
  {
    name: 'Event',
    gloss: 'A red card, played for nothing while either side conducts an operation.',
    rule: 'C6.2',
  },
  {
    name: 'fortress',
    forms: ['fortresses'],
    gloss: 'It has a garrison of its own and holds up to four units inside. It must be besieged to fall.',
    rule: 'C16.1',
  },
  {
    name: 'friendly port',
    gloss: 'A port that you control and where no enemy unit is. Ships may enter, end and rebuild there.',
    rule: 'C1.5',
  },
  {
    name: 'initiative',
    gloss: 'It adds 2 to the roll for an operation, wins ties, and acts first when both chose Card. Japan begins with it.',
    rule: 'C20.1',
  },
  {
    name: 'isolated',
    gloss: 'Cut off on all sides. The unit checks at −1, cannot recover, and is destroyed where it would retreat.',
    rule: 'C13.6',
  },
  {
    name: 'jungle',
    gloss: 'A march over land wears a stack out at its first step: full units are depleted, depleted ones disorganised.',
    rule: 'C8.3',
  },
  {
    name: 'landing',
    gloss: 'Ground units go ashore from ships once in a move. If the enemy is there, they fight at once.',
    rule: 'C10.4',
  },
  {
    name: 'leader',
    gloss: 'He goes with a unit and helps it in moves or battles. He is lost with the last unit of his stack.',
    rule: 'C17.1',
  },
  {
    name: 'limited intelligence',
    gloss: 'An option: of a stack at sea or in a port the enemy sees the top counter and how many there are.',
    rule: 'C22.2',
  },
  {
    name: 'naval transport',
    forms: ['transport'],
    gloss: 'A stack of ships carries up to three ground units, and a resource point for each ship.',
    rule: 'C10.1',
  },
  {
    name: 'operation',
    common: true,
    gloss: 'Spend a resource point where it lies: it gives 6 supply points to move, fight and recover nearby.',
    rule: 'C7.1',
  },
  { name: 'Operational card', forms: ['green card'], gloss: 'A green card, played as the card action of a sequence.', rule: 'C6.2' },
  {
    name: 'pass',
    forms: ['passes'],
    gloss: 'To play nothing in this window. A standing pass answers all windows of its kind until the operation ends.',
    rule: 'C6.9',
  },
  { name: 'permanent card', gloss: 'It stays beside the map and works to the end of the game.', rule: 'C21.3' },
  { name: 'pool', gloss: 'Units that have not come yet. They come only by cards.', rule: 'C24.5' },
  { name: 'range', gloss: 'How far ships go: 1 for each sea area or port entered, less if they carry troops.', rule: 'C9.2' },
  {
    name: 'reaction window',
    forms: ['window'],
    gloss: 'A moment at which cards may be played. Who is asked depends only on what all can see.',
    rule: 'C6.5',
  },
  { name: 'rebuild', forms: ['rebuilt'], gloss: 'For 1 SP a depleted unit is full again. One unit in an operation.', rule: 'C14.2' },
  { name: 'reorganise', forms: ['reorganised'], gloss: 'For 1 SP a unit loses its disorganised marker, without a die.', rule: 'C14.1' },
  {
    name: 'resource point',
    forms: ['RP'],
    gloss: 'Each pays for one operation, where it lies: in a town or aboard ships. More come by cards and discards.',
    rule: 'C15.1',
  },
  {
    name: 'retreat',
    gloss: 'A beaten unit leaves the battle: on land one area, ships to a port within range. Where it cannot, it is destroyed.',
    rule: 'C13.1',
  },
  {
    name: 'sequence',
    gloss: 'Both sides choose Card or Map in secret, lay it open, and carry it out. The game is a row of these.',
    rule: 'C5.1',
  },
  {
    name: 'siege',
    forms: ['besiege', 'besieged'],
    gloss: 'An enemy outside a fortress besieges it. For 4 SP a die decides whether it falls.',
    rule: 'C16.4',
  },
  {
    name: 'site',
    gloss: 'A place that counts victory points for who controls it. Some count only with their whole island.',
    rule: 'C23.2',
  },
  {
    name: 'stacking',
    gloss: 'To stop in a land area where other own units are costs 2 SP, once for all. Joining at sea is free.',
    rule: 'C11.2',
  },
  {
    name: 'Sudden Death',
    gloss: 'A card that ends the game at once. Victory points are compared; it does not win by itself.',
    rule: 'C21.4',
  },
  { name: 'supply point', forms: ['SP'], gloss: 'An operation has 6 to spend on actions. What is not spent is lost.', rule: 'C7.1' },
  {
    name: 'suppressed',
    gloss: 'An airfield under shore bombardment does not work for its owner until the operation ends.',
    rule: 'C12.16',
  },
  { name: 'Tactics card', gloss: 'A blue card, played for nothing by either side in its battle.', rule: 'C6.2' },
  {
    name: 'Truk Fleet',
    gloss: 'Four Japanese ships that come by card with 3 resource points, and leave when these are spent.',
    rule: 'C18.1',
  },
  {
    name: 'victory point',
    forms: ['VP'],
    gloss: 'For sites under control, enemy units destroyed, and some cards. More of them win.',
    rule: 'C23.5',
  },
  ...HOUSE,
]
