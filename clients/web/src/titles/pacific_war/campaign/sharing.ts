/** What is put together before it is sent as one command: Command Points for headquarters (P10.3), and a bid (P18.1). */

import type { Choice } from '../../title'
import type { Decision } from '../shown'
import type { Post } from './figures'

export interface Share extends Post {
  /** What it can be given at most, with all that is there. */
  room: number
}

/** One purse, and the headquarters that may be given points from it. */
export interface Purse {
  id: string
  hqs: Share[]
}
/** What headquarters are given, by purse. */
export type Given = Readonly<Record<string, Readonly<Record<string, number>>>>

/** The purses that are shared out now: in the war the Allies have two (P10.3). */
export function purses(choices: readonly Choice[], posts: readonly Post[]): Purse[] {
  const found = new Map<string, Set<string>>()
  for (const { decision } of choices) {
    const one = decision as Decision
    if (one.type === 'allocate_cp') found.set(one.purse, (found.get(one.purse) ?? new Set()).add(one.hq))
  }
  return [...found].map(([id, ids]) => ({
    id,
    hqs: posts.filter((post) => ids.has(post.id)).map((post) => ({ ...post, room: Math.max(0, post.most - (post.points ?? 0)) })),
  }))
}

/** What a headquarters is given from all purses but one. */
export function besides(given: Given, purse: string, hq: string): number {
  return Object.entries(given).reduce((sum, [id, each]) => sum + (id === purse ? 0 : (each[hq] ?? 0)), 0)
}

/** What a proposal gives to each of some headquarters, read off its label: "As proposed: South Pacific Area 29, …"; of two
 * purses each with its nation before its name: "American South Pacific Area 20, Commonwealth …". */
export function proposed(label: string, named: Readonly<Record<string, string>>): Record<string, number> {
  const parts = label.replace(/^[^:]*: /, '').split(', ')
  const of = (name: string): number => {
    const part = parts.find((one) => one.startsWith(`${name} `) && /^\d+$/.test(one.slice(name.length + 1)))
    return part ? Number(part.slice(name.length + 1)) : 0
  }
  return Object.fromEntries(Object.entries(named).map(([id, name]) => [id, of(name)]))
}

/** As one is given more the others keep what they have: it gets no more than is left. */
export function withGiven(
  now: Readonly<Record<string, number>>,
  hq: string,
  wanted: number,
  room: number,
  all: number,
): Record<string, number> {
  const others = Object.entries(now).reduce((sum, [id, count]) => sum + (id === hq ? 0 : count), 0)
  return { ...now, [hq]: Math.max(0, Math.min(wanted, room, all - others)) }
}

export function sum(given: Readonly<Record<string, number>>): number {
  return Object.values(given).reduce((all, one) => all + one, 0)
}

/** So many points may go into the pool of a later Operation. */
export function poolable(choices: readonly Choice[]): number {
  const offered = choices.map(({ decision }) => decision as Decision)
  return Math.max(0, ...offered.map((one) => (one.type === 'allocate_fop' ? one.n : 0)))
}

/** The decisions by which points are shared out, the last of which ends the step. */
export function allotting(given: Given, pool = 0): Decision[] {
  const first: Decision[] = pool ? [{ type: 'allocate_fop', n: pool }] : []
  const each = Object.entries(given).flatMap(([purse, hqs]) =>
    Object.entries(hqs).flatMap(([hq, points]): Decision[] =>
      points
        ? [
            { type: 'allocate_cp', purse, hq },
            { type: 'command_points', points },
          ]
        : [],
    ),
  )
  return [...first, ...each, { type: 'done' }]
}

/** A bid; of a headquarters that was picked already the amount alone. */
export function bidding(hq: string, amount: number, picked: boolean): Decision[] {
  return [...(picked ? [] : [{ type: 'bid_from', hq } as const]), { type: 'bid', amount }]
}
