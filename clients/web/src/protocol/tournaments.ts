/** Tournaments over HTTP: what all may read, and what a session may do there. */

import { get } from './http'
import { change } from './people'
import type { Invitation, Invitations, MyTournament, MyTournaments, Placed, PlacedIn, Tournament, Tournaments } from './wire'

/** What a new tournament is to be. */
export type Making = Pick<
  Tournament['info'],
  | 'about'
  | 'bots'
  | 'by_itself'
  | 'by_turns'
  | 'clock'
  | 'kind'
  | 'most'
  | 'name'
  | 'open'
  | 'options'
  | 'rated'
  | 'rounds'
  | 'scenario'
  | 'title'
> & { command: string }

/** What a director decides, with the reason that all read. */
export type Ruling = { reason: string } & (
  | { what: 'adjudicate'; pairing: number; points: number }
  | { what: 'forfeit'; pairing: number; loser: 0 | 1 | 2 }
  | { what: 'replay'; pairing: number }
  | { what: 'correct'; pairing: number; back_to: number }
  | { what: 'withdraw'; entrant: number }
  | { what: 'replace'; entrant: number; handle: string }
  | { what: 'call off' }
)

async function read<Answer>(path: string): Promise<Answer> {
  return (await (await get(path)).json()) as Answer
}

/** Those that are open or under way, and the latest that are not; or those of the latter made before a time. */
export const tournaments = (before?: number): Promise<Tournaments> =>
  read(`/api/tournaments${before === undefined ? '' : `?before=${before}`}`)

export const tournament = (id: string): Promise<Tournament> => read(`/api/tournaments/${id}`)

/** Those that one directs, has entered, or is asked to. */
export const mine = async (): Promise<MyTournament[]> => (await read<MyTournaments>('/api/me/tournaments')).tournaments

export const ofPerson = async (handle: string): Promise<Placed[]> => (await read<PlacedIn>(`/api/people/${handle}/tournaments`)).tournaments

export const invited = async (id: string): Promise<Invitation[]> => (await read<Invitations>(`/api/tournaments/${id}/invitations`)).invited

export const make = (what: Making): Promise<Tournament> => change('POST', '/api/tournaments', what)

/** Enters oneself, or a bot of one's own by its handle. */
export const enter = (id: string, bot = ''): Promise<Tournament> => change('POST', `/api/tournaments/${id}/entry`, { bot })

export const withdraw = (id: string, bot = ''): Promise<Tournament> => change('DELETE', `/api/tournaments/${id}/entry`, { bot })

export const start = (id: string): Promise<Tournament> => change('POST', `/api/tournaments/${id}/start`)

export const pair = (id: string): Promise<Tournament> => change('POST', `/api/tournaments/${id}/pair`)

export const rule = (id: string, ruling: Ruling): Promise<Tournament> => change('POST', `/api/tournaments/${id}/rulings`, ruling)

export const invite = async (id: string, handle: string): Promise<Invitation[]> =>
  (await change<Invitations>('POST', `/api/tournaments/${id}/invitations`, { handle })).invited

export const uninvite = async (id: string, handle: string): Promise<Invitation[]> =>
  (await change<Invitations>('DELETE', `/api/tournaments/${id}/invitations/${handle}`)).invited

/** Where a tournament can be taken away as a file. */
export const fileOf = (id: string, form: 'csv' | 'json'): string => `/api/tournaments/${id}/export${form === 'csv' ? '?form=csv' : ''}`
