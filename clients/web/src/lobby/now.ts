import type { TitleInfo } from '../protocol/wire'
import { offerMatch } from '../state/offering'
import { bestBot, faceOf } from './faces'

/** Offers a title as whoever meets it plays it first, against the best bot or alone; the match's id. */
export function playNow(title: TitleInfo): Promise<string> {
  const { seat, alone } = faceOf(title.name).now
  return offerMatch({
    title: title.name,
    scenario: title.default_scenario,
    options: {},
    label: '',
    pace: 'live',
    byTurns: false,
    hidden: false,
    clock: null,
    bots: alone ? {} : { [1 - seat]: bestBot(title) },
    seats: alone ? 'all' : [seat],
  })
}
