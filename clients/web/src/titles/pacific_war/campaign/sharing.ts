/** What is put together before it is sent as one command: Command Points for headquarters (P10.3), and a bid (P18.1). */

import type { Choice } from '../../title'
import type { Decision } from '../shown'
import type { Post } from './figures'

export interface Share extends Post {
  /** What it can be given at most, with all that is there. */
  room: number
}

/** The headquarters that may be given points, with their room; empty where it is not one purse that is shared out. */
export function shares(choices: readonly Choice[], posts: readonly Post[]): { purse: string; hqs: Share[] } {
  const given = choices.flatMap(({ decision }) => {
    const one = decision as Decision
    return one.type === 'allocate_cp' ? [one] : []
  })
  const purse = given[0]?.purse ?? ''
  if (given.some((one) => one.purse !== purse)) return { purse: '', hqs: [] }
  const ids = new Set(given.map(({ hq }) => hq))
  const hqs = posts.filter(({ id }) => ids.has(id)).map((post) => ({ ...post, room: Math.max(0, post.most - (post.points ?? 0)) }))
  return { purse, hqs }
}

/** What a proposal gives to each of some headquarters, read off its label: "As proposed: South Pacific Area 29, …". */
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

/** The decisions by which points are shared out, the last of which ends the step. */
export function allotting(purse: string, given: Readonly<Record<string, number>>): Decision[] {
  const each = Object.entries(given).flatMap(([hq, points]): Decision[] =>
    points
      ? [
          { type: 'allocate_cp', purse, hq },
          { type: 'command_points', points },
        ]
      : [],
  )
  return [...each, { type: 'done' }]
}

/** A bid; of a headquarters that was picked already the amount alone. */
export function bidding(hq: string, amount: number, picked: boolean): Decision[] {
  return [...(picked ? [] : [{ type: 'bid_from', hq } as const]), { type: 'bid', amount }]
}
