/** What one plays for in each scenario of Coral Sea, what to do first, and where to look. */

import type { TableView } from '../../protocol/wire'
import type { Advice, Lesson } from '../title'

const AIM: Advice[] = [
  { words: 'More victory points win: for sites that you control, and for enemy units destroyed.', rule: 'C23.5' },
  { words: 'It ends as soon as a side draws the last card of its deck: every card drawn is time that runs out.', rule: 'C23.1' },
]
const CHOICE: Advice = {
  words: 'In each sequence both choose in secret: Card plays, draws or discards one; Map spends a resource point for an operation.',
  rule: 'C5.2',
}
const SUPPLY: Advice = {
  words: 'An operation starts where a resource point lies, and reaches only units near it. Bring resource points forward by ship.',
  rule: 'C7.1',
}
const REACTION: Advice = {
  words: 'You are often asked whether you play a card. A standing pass answers all windows of one kind until the operation ends.',
  rule: 'C6.9',
}

const CAMPAIGN: Lesson = {
  aim: [
    ...AIM,
    { words: 'Rabaul and Port Moresby count most, 4 each.', rule: 'C23.2', show: ['rabaul', 'port_moresby'] },
    { words: 'Some sites count only with their whole island: a split island counts for nobody.', rule: 'C23.2' },
  ],
  first: [
    CHOICE,
    {
      words: 'Japan has five resource points in Rabaul and its troops beside them: take Lae or Buna while they are lightly held.',
      rule: 'C24.3',
      show: ['rabaul', 'lae', 'buna'],
    },
    {
      words: 'The Allies begin in Port Moresby, Noumea and Australia. Discard cards you cannot use: each brings a resource point.',
      rule: 'C5.6',
      show: ['port_moresby', 'noumea', 'australia'],
    },
  ],
  watch: [
    SUPPLY,
    { words: 'A march through the jungle wears units out before they fight. Landing from ships does not.', rule: 'C8.3' },
    {
      words: 'The initiative wins ties and adds 2. Japan has it until the Allies hold three great sites and have destroyed eight units.',
      rule: 'C20.3',
    },
    REACTION,
  ],
}

const FORTRESS: Lesson = {
  aim: [
    ...AIM,
    {
      words: 'Rabaul and Port Moresby are fortresses. Who takes the enemy’s takes its 4 points.',
      rule: 'C16.5',
      show: ['rabaul', 'port_moresby'],
    },
  ],
  first: [
    CHOICE,
    {
      words: 'The Allies stand at Cape Gloucester with ships in the Bismarck Sea: march on Rabaul and besiege it.',
      rule: 'C16.4',
      show: ['cape_gloucester', 'bismarck_sea', 'rabaul'],
    },
    {
      words: 'Japan sends units inside Rabaul when the enemy enters, and strikes from outside with Horii at Gasmata.',
      rule: 'C16.3',
      show: ['gasmata', 'rabaul'],
    },
  ],
  watch: [
    {
      words: 'A siege costs 4 supply points and a die: more besiegers help, units inside and the strength of the place do not.',
      rule: 'C16.5',
    },
    { words: 'A leader helps the stack that he is with. He is lost with its last unit.', rule: 'C17.2' },
    SUPPLY,
    REACTION,
  ],
}

export function lesson({ match }: TableView): Lesson {
  const { watch, ...rest } = match.scenario === 'fortress' ? FORTRESS : CAMPAIGN
  const hidden: Advice = {
    words: 'With limited intelligence you see only the top of an enemy stack at sea or in a port. Set the top of your own by a click.',
    rule: 'C22.2',
  }
  return { ...rest, watch: match.options.limited_intelligence ? [...watch, hidden] : watch }
}
