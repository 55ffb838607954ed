/** Tournaments in words: what they are, how they stand, what came of a pairing. */

import type {
  EntrantInfo,
  PairingInfo,
  Player,
  Predecessor,
  RoundInfo,
  RulingInfo,
  TitleInfo,
  Tournament,
  TournamentInfo,
} from '../protocol/wire'
import { counted } from '../words/count'

export type Kind = TournamentInfo['kind']

export const KINDS: Record<Kind, { name: string; means: string }> = {
  swiss: {
    name: 'Swiss',
    means: 'A few rounds of one match each, against somebody who has done about as well so far. Whoever loses plays on.',
  },
  'round robin': {
    name: 'Round robin',
    means: 'Everybody meets everybody twice, once with each side. The fairest, and the longest: among eight it is 14 matches for each.',
  },
  'knock-out': {
    name: 'Knock-out',
    means: 'Two meet twice, once with each side. Whoever is behind then is out; if they are level they play two more.',
  },
}

export const STATES: Record<TournamentInfo['state'], string> = {
  open: 'Open for entry',
  'under way': 'Under way',
  over: 'Over',
  'called off': 'Called off',
}

/** Points as players write them: "2½", "½", "0". */
export function pointsWords(points: number): string {
  const [whole, half] = [Math.floor(points), points % 1 ? '½' : '']
  return whole || !half ? `${whole}${half}` : half
}

/** A place: "1st", "2nd", "11th". */
export function placeWords(place: number): string {
  const tens = Math.floor(place / 10) % 10
  return `${place}${tens === 1 ? 'th' : (['th', 'st', 'nd', 'rd'][place % 10] ?? 'th')}`
}

/** How many may enter: where all meet twice, there are many matches (`server.tournaments.entering`). */
export const MOST: Record<Kind, number> = { swiss: 128, 'round robin': 24, 'knock-out': 128 }

/** So many may enter if nobody says otherwise: what can be played to its end. */
export const USUAL: Record<Kind, number> = { swiss: 32, 'round robin': 8, 'knock-out': 16 }

/** How many rounds a Swiss has if nobody says: one more each time the entrants double. */
export function usualRounds(entrants: number): number {
  return Math.max(1, Math.ceil(Math.log2(Math.max(2, entrants))))
}

/** The kind with its rounds: "Swiss of 3 rounds", "Round robin". */
export function kindWords({ kind, rounds }: Pick<TournamentInfo, 'kind' | 'rounds'>): string {
  return kind === 'swiss' && rounds ? `Swiss of ${counted(rounds, 'round')}` : KINDS[kind].name
}

/** How far it has come, in a few words. */
export function standsWords(info: TournamentInfo): string {
  const entrants = `${info.entrants} of at most ${info.most} entered`
  if (info.state === 'open') return info.entrants ? entrants : `nobody has entered yet, ${info.most} may`
  if (info.state === 'under way') return `${roundWords(info)}, ${counted(info.entrants, 'player')}`
  return counted(info.entrants, 'player')
}

/** "round 2 of 5"; of a knock-out nobody counts them beforehand. */
export function roundWords({ round, rounds }: Pick<TournamentInfo, 'round' | 'rounds'>): string {
  if (!round) return 'the first round is being paired'
  return rounds ? `round ${round} of ${rounds}` : `round ${round}`
}

export function nameOf(player: Player): string {
  return player.name || player.handle || 'a player'
}

export function titleOf(
  info: Pick<TournamentInfo, 'scenario' | 'title'>,
  titles: readonly TitleInfo[],
): { title: string; scenario: string; sides: string[] } {
  const title = titles.find((one) => one.name === info.title)
  const scenario = title?.scenarios.find((one) => one.id === info.scenario)
  return {
    title: title?.title ?? info.title,
    scenario: scenario?.title ?? info.scenario,
    sides: title?.sides ?? ['first side', 'second side'],
  }
}

/** The points of one who plays in a pairing; null before there is a result. */
export function pointsOf(pairing: PairingInfo, entrant: number): number | null {
  return pairing.first === entrant ? pairing.points : pairing.second_points
}

const HOW = { adjudicated: 'adjudicated', forfeit: 'forfeit', withdrawn: 'one of them withdrew' } as const

/** What came of a pairing otherwise than by play, as a label. */
export function howWords({ how }: PairingInfo): string {
  return how && how !== 'played' && how !== 'bye' ? HOW[how] : ''
}

/** Two who meet in a round of a knock-out, with their matches, the points of each, and who went on, if that is known. */
export interface Tie {
  one: number
  other: number | null
  legs: PairingInfo[]
  points: [number, number]
  on: number | null
}

/** The ties of a round, in the order of the bracket. Whoever is paired in the next round went on. */
export function tiesOf(round: RoundInfo, next: RoundInfo | undefined, won: number | null): Tie[] {
  const ties: Tie[] = []
  for (const leg of round.pairings) {
    const both = [leg.first, leg.second]
    let tie = ties.find(({ one, other }) => both.includes(one) && both.includes(other))
    if (!tie) ties.push((tie = { one: leg.first, other: leg.second, legs: [], points: [0, 0], on: null }))
    tie.legs.push(leg)
    tie.points[0] += pointsOf(leg, tie.one) ?? 0
    if (tie.other !== null) tie.points[1] += pointsOf(leg, tie.other) ?? 0
  }
  const later = new Set(next ? next.pairings.flatMap(({ first, second }) => [first, second]) : [won])
  for (const tie of ties) tie.on = [tie.one, tie.other].find((one) => one !== null && later.has(one)) ?? null
  return ties
}

/** What a line of the director's book says; the names of entrants and pairings come from the tournament. */
export function rulingWords(ruling: RulingInfo, all: Tournament): string {
  const name = (number: number | null): string => {
    const found = all.entrants.find((one) => one.number === number)
    return found ? nameOf(found.player) : 'somebody'
  }
  const pairing = all.rounds.flatMap((round) => round.pairings).find(({ number }) => number === ruling.pairing)
  const match = pairing ? `${name(pairing.first)} – ${pairing.second === null ? 'bye' : name(pairing.second)}` : 'a match'
  switch (ruling.what) {
    case 'adjudicated':
      return `${match}: adjudicated${typeof pairing?.points !== 'number' ? '' : `, ${pointsWords(pairing.points)}\u00a0:\u00a0${pointsWords(pairing.second_points ?? 0)}`}`
    case 'forfeited':
      return `${match}: forfeit`
    case 'withdrawn':
      return `${name(ruling.entrant)} withdrew`
    case 'taken out':
      return 'Somebody was taken off the list'
    case 'played anew':
      return `${match}: a new match in its place`
    case 'correction proposed':
      return `${match}: both were asked to go back to an earlier moment`
    case 'correction withdrawn':
      return `${match}: the director withdrew that`
    case 'place offered':
      return `The place of ${name(ruling.entrant)} was offered to somebody else`
    case 'place taken':
      return `${name(ruling.entrant)} took over a place`
    case 'late entry':
      return `${name(ruling.entrant)} entered late`
    case 'called off':
      return 'Called off'
    case 'started':
      return 'Started'
    default:
      return ruling.what
  }
}

/** Who had a place before and has played in it: not who handed it on before a round was his. */
export function predecessors({ late, before }: Pick<EntrantInfo, 'late' | 'before'>): Predecessor[] {
  const start = Math.max(0, late - 1)
  return before.filter(({ until }, number) => until > (before[number - 1]?.until ?? start))
}

/** Whether this is somebody's own entry: himself, or a bot of his. */
export function isOwn(entrant: EntrantInfo, handle: string | undefined): boolean {
  return handle !== undefined && (entrant.player.handle === handle || entrant.owner === handle)
}
