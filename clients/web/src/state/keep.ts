/** What this browser keeps: the ways into one's matches, and tastes; of a match that is played `progress` keeps more.
 * Everything is in localStorage under `fleetfold.…`; another tab's change arrives through `storage` events. */

export interface Way {
  role: 'seat' | 'creator' | 'onlooker'
  token: string
  seat?: number
  /** While a seat is asked for by this link: the token that it is held by once it is taken. */
  heir?: string
  /** The token of the link that the seat was taken by, which opens nothing any more. */
  by?: string
}

export interface Kept {
  match: string
  title: string
  scenario: string
  label: string
  ways: Way[]
  /** Both seats are played from here. */
  solo: boolean
  opened: number
  /** Links to hand out, as the server gave them; only the creator has them. */
  invitations: { role: Way['role']; seat?: number; path: string }[]
  /** Its seat was asked for, and no answer has come so far: it may be somebody else's. */
  asking?: boolean
  /** One has a seat there, and it had not begun when it was last looked at. */
  waits?: boolean
}

const PREFIX = 'fleetfold.'

/** What was kept under a key; what is not there, or cannot be read, is as if it had never been. */
export function read<Value>(key: string, otherwise: Value): Value {
  try {
    const text = localStorage.getItem(PREFIX + key)
    return text === null ? otherwise : (JSON.parse(text) as Value)
  } catch {
    return otherwise
  }
}

/** Keeps a value under a key, if there is room. */
export function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value))
  } catch {
    // Storage is full or forbidden: the page works on without memory.
  }
}

export function erase(key: string): void {
  try {
    localStorage.removeItem(PREFIX + key)
  } catch {
    // Storage is forbidden: nothing was kept.
  }
}

export function keptMatches(): Kept[] {
  return read<string[]>('matches', [])
    .map((id) => kept(id))
    .filter((one): one is Kept => one !== null)
    .sort((one, two) => two.opened - one.opened)
}

export function kept(match: string): Kept | null {
  return read<Kept | null>(`match.${match}`, null)
}

/** A key in the storage, as its events name it. */
export function keyTo(key: string): string {
  return PREFIX + key
}

/** The same of what is kept of a match. */
export function keyOf(match: string, what: 'match' | 'passes' = 'match'): string {
  return keyTo(`${what}.${match}`)
}

export function keep(match: string, change: Partial<Kept>): Kept {
  const before: Kept = kept(match) ?? {
    match,
    title: '',
    scenario: '',
    label: '',
    ways: [],
    solo: false,
    opened: Date.now(),
    invitations: [],
  }
  const after = { ...before, ...change }
  write(`match.${match}`, after)
  const all = read<string[]>('matches', [])
  if (!all.includes(match)) write('matches', [...all, match])
  return after
}

/** The seats of a match that this browser has links of. */
export function seatsIn(one: Kept | null): number[] {
  return one?.ways.flatMap((way) => (way.role === 'seat' && way.seat !== undefined ? [way.seat] : [])) ?? []
}

/** Whether this browser has a seat at a match. */
export function sitsAt(match: string): boolean {
  return Boolean(kept(match)?.ways.some((way) => way.role === 'seat'))
}

export function forget(match: string): void {
  for (const key of ['match.', 'receipts.', 'deeds.', 'seen.', 'heard.', 'notes.', 'passes.']) erase(key + match)
  write(
    'matches',
    read<string[]>('matches', []).filter((id) => id !== match),
  )
}

export interface Tastes {
  theme: '' | 'dark' | 'light'
  sound: boolean
  /** From 0 to 1. */
  volume: number
  pace: 'off' | 'quick' | 'slow'
  name: string
  speed: number
  /** Parts of a table that were folded away or brought back. */
  folded: Partial<Record<'left' | 'right' | 'tray', boolean>>
  /** Seconds for which a pick that ends a step is held back; 0: it is sent at once. */
  undo: number
  /** Words of the game are marked where they stand. */
  marks: boolean
  /** The card of a counter says what its words mean. */
  explains: boolean
  /** Against bots, the page passes where no card in hand answers. */
  passes: boolean
  /** The minute of the day at which one's eight hours of night begin. */
  night: number
  /** The titles of which it was shown here how they are played. */
  begun: readonly string[]
}

const TASTES: Tastes = {
  theme: '',
  sound: false,
  volume: 0.6,
  pace: 'quick',
  name: '',
  speed: 1,
  folded: {},
  undo: 2,
  marks: true,
  explains: false,
  passes: false,
  night: 23 * 60,
  begun: [],
}

export function tastes(): Tastes {
  return { ...TASTES, ...read<Partial<Tastes>>('tastes', {}) }
}

export function keepTastes(change: Partial<Tastes>): void {
  write('tastes', { ...tastes(), ...change })
}
