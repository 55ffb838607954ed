/** Pages that few visits begin with, kept out of what every visit loads. */

export const RARE = {
  replay: () => import('./Replay.svelte'),
  end: () => import('./End.svelte'),
  rules: () => import('./Rules.svelte'),
  war: () => import('./War.svelte'),
  verify: () => import('./Verify.svelte'),
  you: () => import('./You.svelte'),
  person: () => import('./Person.svelte'),
  trust: () => import('./Trust.svelte'),
  ratings: () => import('./Ratings.svelte'),
  tournaments: () => import('./Tournaments.svelte'),
  tournament: () => import('./Tournament.svelte'),
  privacy: () => import('./Privacy.svelte'),
  unsubscribe: () => import('./Unsubscribe.svelte'),
  mailed: () => import('./Arriving.svelte'),
  provider: () => import('./Arriving.svelte'),
} satisfies Record<string, () => Promise<{ default: unknown }>>

export type Rare = keyof typeof RARE
