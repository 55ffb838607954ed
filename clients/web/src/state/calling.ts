/** Whoever looks elsewhere is called when a match waits for him: by a number at the tab and at the app, and if he wishes by a
 * tone and by a notice of the browser. It works while a page is open, for guests too; of several tabs one calls.
 *
 * Deliberately absent: what reaches who has no page open (`people/Told.svelte`), and the sounds of a match in sight. */

import { challenges, waiting } from '../people/matches'
import { titles } from '../protocol/http'
import type { ChallengeInfo, MatchInfo } from '../protocol/wire'
import { keptMatches, read, write } from './keep'
import { me } from './me.svelte'
import { router } from './router.svelte'
import { taste } from './tastes.svelte'

/** What one wishes to be called by, in this browser. Nothing, until he says so. */
export interface Wishes {
  tone: boolean
  notices: boolean
}

/** What a match says of itself: whether something is asked of whoever sits there. */
export interface Asked {
  match: string
  asked: boolean
  /** What is played, in words. */
  title: string
}

const [FIRST_MS, AGAIN_MS] = [3_000, 30_000]
/** For so long after a decision a list may be of before it; and no second tab calls for the same. */
const STALE_MS = 10_000
const ICON = '/mark.svg'
/** The key of the channel by which this browser is pushed to, as `people/push.ts` has it: that is loaded where one changes it. */
const PUSHED = 'pushed'
const SIZE = 64

export const wishes = (): Wishes => ({ tone: false, notices: false, ...read<Partial<Wishes>>('wishes', {}) })
export const wish = (change: Partial<Wishes>): void => write('wishes', { ...wishes(), ...change })

class Calling {
  /** The matches that wait; null until that is known: what waited before is no news. */
  private known: ReadonlySet<string> | null = null
  private at: Asked | null = null
  private readonly decided = new Map<string, number>()
  private shown = 0
  private looks = 0
  private started = false

  start(): void {
    if (this.started) return
    this.started = true
    document.addEventListener('visibilitychange', () => this.badge())
    new MutationObserver(() => this.retitle()).observe(document.querySelector('title')!, { childList: true })
    setTimeout(() => void this.look(), FIRST_MS)
    setInterval(() => void this.look(), AGAIN_MS)
    lookAtPushes()
  }

  private get table(): string {
    const { place } = router
    return place.page === 'match' ? place.match : ''
  }

  private async look(): Promise<void> {
    const number = ++this.looks
    const known = me.person ?? keptMatches().length
    const [found, asked] = known ? [await waiting(''), await challenges()] : [[], []]
    if (number !== this.looks) return
    const by = new Map(asked.map((one) => [one.info.match, one]))
    const now = new Map([...found, ...asked.map(({ info }) => info)].map((one) => [one.match, one]))
    for (const [match, at] of this.decided) {
      if (Date.now() - at > STALE_MS) this.decided.delete(match)
      else now.delete(match)
    }
    const before = this.known
    this.known = new Set([...now.keys(), ...(this.at?.asked ? [this.at.match] : [])])
    // Out of sight it may have no connection, and say nothing any more.
    if (this.at && !this.at.asked && this.at.match === this.table && !document.hidden) (this.known as Set<string>).delete(this.at.match)
    this.badge()
    if (!before) return
    for (const [match, info] of now) {
      if (before.has(match) || !this.known.has(match)) continue
      const names = await titles().catch(() => [])
      this.call(match, names.find((one) => one.name === info.title)?.title ?? info.title, info.state, by.get(match))
    }
  }

  /** Looks now: something has changed. */
  again(): void {
    if (this.started) void this.look()
  }

  /** What the match that is open says of itself comes at once. */
  hear(said: Asked): void {
    this.start()
    const { match, asked, title } = said
    const was = this.known?.has(match) ?? this.at?.match !== match
    this.at = said
    const known = new Set(this.known)
    if (asked) known.add(match)
    else known.delete(match)
    if (this.known) this.known = known
    if (asked) this.decided.delete(match)
    else if (was) {
      this.decided.set(match, Date.now())
      this.claim(match, 0)
    }
    this.badge()
    if (asked && !was) this.call(match, title)
  }

  /** `state`: of the match; `by`: a challenge to it. */
  private call(match: string, title: string, state: MatchInfo['state'] = 'playing', by?: ChallengeInfo): void {
    const inSight = !document.hidden && this.table === match
    if (!this.claim(match, Date.now()) || inSight) return
    const { tone, notices } = wishes()
    // A match that is open sounds by itself where sound is on.
    if (tone && !(taste.sound && this.table === match)) {
      void import('../scenes/sounds').then(({ play }) => play(['bell'], taste.volume))
    }
    if (!notices || !document.hidden) return
    if (by) return void notice('challenged', match, `@${by.by} challenges ${by.to === me.person?.handle ? 'you' : `@${by.to}`} to ${title}`)
    if (state === 'ended') return void notice('rematch', match, `A rematch of ${title} is offered to you`)
    void notice('turn', match, state === 'open' ? `Your seat waits for you in ${title}` : `It is your turn in ${title}`)
  }

  /** Whether no other tab has called for this match just now; from `at` on this one has, 0: none has. */
  private claim(match: string, at: number): boolean {
    const all = read<Record<string, number>>('called', {})
    const free = Date.now() - (all[match] ?? 0) > STALE_MS
    const lately = Object.entries(all).filter(([one, when]) => one !== match && Date.now() - when < STALE_MS)
    if (free || !at) write('called', Object.fromEntries(at ? [...lately, [match, at]] : lately))
    return free
  }

  /** The number of those that wait, but for the one in sight. */
  private badge(): void {
    const waits = [...(this.known ?? [])].filter((match) => document.hidden || match !== this.table).length
    if (waits === this.shown) return
    this.shown = waits
    this.retitle()
    void icon(waits)
    if ('setAppBadge' in navigator) void (waits ? navigator.setAppBadge(waits) : navigator.clearAppBadge()).catch(() => undefined)
  }

  /** Whatever page says its title anew: the number stands before it. */
  private retitle(): void {
    const title = `${this.shown ? `[${this.shown}] ` : ''}${document.title.replace(/^\[\d+\] /, '')}`
    if (title !== document.title) document.title = title
  }
}

/** Has the worker look whether this browser is still pushed to where the server believes (`people/push.ts`). */
function lookAtPushes(): void {
  const pushed = read<string>(PUSHED, '')
  if (pushed && 'serviceWorker' in navigator) void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage({ pushed }))
}

/** The tag of a push that says the same (`server/notices/push.py`): where both are shown, one takes the place of the other. */
export async function tagOf(kind: 'challenged' | 'rematch' | 'turn', match: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${kind} ${match}`))
  return btoa(String.fromCharCode(...new Uint8Array(hash, 0, 24)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

/** Shows a notice of the browser, which leads to the match. No push of a turn comes while a page has the match open: its seat
 * is not away. */
async function notice(kind: 'challenged' | 'rematch' | 'turn', match: string, head: string): Promise<void> {
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  const path = `/match/${match}`
  const shown = { tag: await tagOf(kind, match), icon: '/icon-192.png', data: { path } }
  const worker = 'serviceWorker' in navigator ? await navigator.serviceWorker.getRegistration().catch(() => undefined) : undefined
  // A telephone's browser knows only those of the worker, which opens what is tapped.
  if (worker?.active) return worker.showNotification(head, shown)
  new Notification(head, shown).onclick = () => {
    window.focus()
    router.go(path)
  }
}

/** Draws a number on the icon of the tab; none for 0. */
async function icon(waits: number): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')!
  const picture = new Image(SIZE, SIZE)
  picture.src = ICON
  await picture.decode().catch(() => undefined)
  const canvas = Object.assign(document.createElement('canvas'), { width: SIZE, height: SIZE })
  const pen = canvas.getContext('2d')
  link.type = waits && pen ? 'image/png' : 'image/svg+xml'
  link.href = ICON
  if (!waits || !pen) return
  pen.drawImage(picture, 0, 0, SIZE, SIZE)
  pen.fillStyle = '#ffcf4a'
  pen.beginPath()
  pen.arc(SIZE - 20, 20, 20, 0, 7)
  pen.fill()
  pen.fillStyle = '#101010'
  pen.font = 'bold 32px sans-serif'
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  pen.fillText(waits > 9 ? '+' : String(waits), SIZE - 20, 22)
  link.href = canvas.toDataURL()
}

export const calling = new Calling()
