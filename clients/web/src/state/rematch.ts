/** The same match again, with sides swapped or kept: whoever asks first offers it and says which, and the others sit down at
 * it by asking. */

import { freshNonce, promiseOf } from '../protocol/nonce'
import { uuid } from '../protocol/uuid'
import type { MatchInfo } from '../protocol/wire'
import { erase, keep, kept, read, tastes, type Way, write } from './keep'
import { linked } from './links'
import { keepNonce } from './progress'
import { freshToken, saidHours } from './seating'
import { keepWay } from './ways'

/** What a seat is asked for with: kept until the answer is here, so that asking twice asks for one thing. */
interface Asked {
  command: string
  token: string
  nonce: string
}

/** Takes one's seats at the rematch of a match that is over, by link or as the person who has them; returns its id. `again`: with
 * the same sides, if nobody has asked before. Raises Error with the server's reason. */
export async function rematch(info: MatchInfo, mine: readonly number[], again = false): Promise<string> {
  const before = kept(info.match)
  const links = before?.ways.filter((one) => one.role === 'seat') ?? []
  const others = mine.filter((seat) => !links.some((one) => one.seat === seat)).map((seat) => ({ token: '', seat }))
  let next = ''
  for (const way of [...links, ...others]) next = await follow(info, way, again)
  keep(next, { title: info.title, scenario: info.scenario, label: info.label, solo: before?.solo ?? false, waits: true })
  return next
}

async function follow({ match }: MatchInfo, { token: by, seat }: Pick<Way, 'seat' | 'token'>, again: boolean): Promise<string> {
  const key = `rematch.${match}.${seat}`
  const { command, token, nonce } = read<Asked | null>(key, null) ?? { command: uuid(), token: freshToken(), nonce: freshNonce() }
  write(key, { command, token, nonce })
  const promise = await promiseOf(nonce)
  const { name } = tastes()
  const ask = { t: 'rematch', match, command, token, promise, name, kind: 'person', again, ...saidHours() } as const
  const found = await linked(match, by, ask, by ? undefined : seat)
  const taken = found.link.seat!
  keepNonce(found.match, taken, nonce)
  keepWay(found.match, { role: 'seat', seat: taken, token })
  erase(key)
  return found.match
}
