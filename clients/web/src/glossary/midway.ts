import { HOUSE } from './house'
import type { Term } from './term'

export const TERMS: readonly Term[] = [
  {
    name: 'AA',
    forms: ['anti-aircraft fire', 'anti-aircraft dice'],
    gloss: 'A carrier fires at the whole wave before it attacks: each 4 or more takes a strength point.',
    rule: 'M7.6',
  },
  {
    name: 'attack wave',
    forms: ['wave'],
    gloss: 'All groups that attack the same carrier in one step. A carrier is attacked by one wave at most.',
    rule: 'M7.4',
  },
  {
    name: 'Attacking',
    gloss: 'The box of the groups that attack this turn. Fighters leave it for home, bombers choose a carrier.',
    rule: 'M7.1',
  },
  {
    name: 'bomber',
    gloss: 'A dive bomber or torpedo bomber group. Only bombers hurt carriers, and they never shoot at fighters.',
    rule: 'M1.3',
  },
  {
    name: 'carrier',
    common: true,
    gloss: 'A ship with ten damage circles. It launches and lands planes until it is crippled.',
    rule: 'M1.2',
  },
  {
    name: 'combat air patrol',
    forms: ['CAP'],
    gloss: 'Fighters over their own fleet. They attack enemy planes in Ready to Attack and move out a ring each time.',
    rule: 'M1.8',
  },
  { name: 'crippled', gloss: 'A carrier with 7 to 9 damage: it cannot launch, land or plan until repairs bring it to 6.', rule: 'M11.2' },
  {
    name: 'damage',
    common: true,
    gloss: 'Each hit marks a circle of the carrier: 7 cripple it, 10 sink it. Repairs take damage off again.',
    rule: 'M1.2',
  },
  {
    name: 'deck',
    forms: ['flight deck'],
    gloss: 'Planes are launched from here, at most 20 SP. While planes stand on it, none can land.',
    rule: 'M9.3',
  },
  {
    name: 'clear deck',
    forms: ['deck is clear'],
    gloss: 'A deck without planes: only then does the carrier take planes in.',
    rule: 'M4.2',
  },
  {
    name: 'dive bomber',
    gloss: 'Each strength point that gets through rolls a die: 5 or 6 is a hit, and 6s are rolled again.',
    rule: 'M7.8',
  },
  {
    name: 'torpedo bomber',
    gloss: 'Each strength point that gets through rolls a die: a 6 is two hits, and 6s are rolled again.',
    rule: 'M7.9',
  },
  {
    name: 'escort',
    gloss: 'Fighters that fly with the attack. The patrol must match their strength before it reaches the bombers.',
    rule: 'M8.5',
  },
  { name: 'fighter', gloss: 'A group for combat air patrol or escort. Fighters never attack carriers.', rule: 'M7.2' },
  {
    name: 'group',
    common: true,
    gloss: 'One counter of planes: fighters, dive bombers or torpedo bombers, with 1 to 5 strength points.',
    rule: 'M1.3',
  },
  { name: 'hangar', gloss: 'Where planes are that are aboard and not on deck. Planning brings them up.', rule: 'M1.6' },
  { name: 'Heading Home', gloss: 'The box after an attack. From here groups go on to Waiting to Land.', rule: 'M5.1' },
  { name: 'launch', gloss: 'Planes leave the deck, to Moving to Attack or, fighters only, on combat air patrol.', rule: 'M8.3' },
  {
    name: 'Moving to Attack',
    forms: ['Moving'],
    gloss: 'The first box of the circuit, for planes just launched. They must find the enemy before they go on.',
    rule: 'M5.1',
  },
  { name: 'operational', gloss: 'A carrier with 6 damage or less: it launches, lands and plans.', rule: 'M1.2' },
  {
    name: 'planning',
    gloss: 'At the end of a turn planes go up on deck or below: a full deck can launch next turn, a clear one can land.',
    rule: 'M9.1',
  },
  {
    name: 'points',
    forms: ['victory points'],
    gloss: '15 for a carrier sunk, otherwise its damage. They decide if neither side is wiped out.',
    rule: 'M13.5',
  },
  {
    name: 'Ready to Attack',
    forms: ['Ready'],
    gloss: 'The box before the attack. Here the enemy patrol attacks your planes.',
    rule: 'M5.1',
  },
  { name: 'repair', gloss: 'Each damaged carrier rolls one die a turn. If it succeeds, one damage is taken off.', rule: 'M10.2' },
  {
    name: 'ring',
    gloss: 'Patrols move outward after each attack, from the centre to the last ring, and then have to land.',
    rule: 'M6.10',
  },
  {
    name: 'search',
    forms: ['search group'],
    gloss: 'American planes must find the Japanese fleet first: four search groups fly, and a die names the one that finds it.',
    rule: 'M12.1',
  },
  {
    name: 'sixes roll again',
    forms: ['sixes rolled again'],
    gloss: 'Sixes against a carrier are rolled once more. Each further 6 is one more hit.',
    rule: 'M7.10',
  },
  {
    name: 'strength point',
    forms: ['SP'],
    gloss: 'The strength of a group, 1 to 5: one die each. Points lost never come back.',
    rule: 'M1.4',
  },
  { name: 'sunk', gloss: 'A carrier with 10 damage. All groups aboard are lost with it.', rule: 'M11.4' },
  {
    name: 'Waiting to Land',
    forms: ['Waiting'],
    gloss: 'Planes that are back over their fleet. They land on any own carrier with a clear deck.',
    rule: 'M4.1',
  },
  ...HOUSE,
]
