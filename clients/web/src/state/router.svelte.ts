/** Where the reader is. A tiny history router: paths are parsed here, links are ordinary anchors. */

export type Place =
  | { page: 'lobby' }
  | { page: 'match'; match: string }
  | { page: 'replay'; match: string; seq: number | null; as: string }
  | { page: 'end'; match: string }
  | { page: 'war'; match: string }
  | { page: 'verify'; match: string | null }
  | { page: 'trust' }
  | { page: 'rules'; title: string; anchor: string }
  | { page: 'ratings'; title: string }
  | { page: 'person'; handle: string }
  | { page: 'tournaments' }
  | { page: 'tournament'; id: string }
  | { page: 'you' }
  | { page: 'privacy' }
  | { page: 'unsubscribe' }
  | { page: 'mailed' }
  | { page: 'provider' }
  | { page: 'nowhere' }

/** Pages of which there is one. */
type Plain = 'mailed' | 'privacy' | 'provider' | 'trust' | 'unsubscribe' | 'you'

const MATCH = /^\/match\/([0-9a-f-]{36})(?:\/(replay|end|war|verify))?\/?$/

export function parse(path: string, query: string, fragment: string): Place {
  const hash = fragment.replace(/^#/, '')
  if (path === '/' || path === '') return { page: 'lobby' }
  const plain = /^\/(trust|you|privacy|unsubscribe|mailed|provider)\/?$/.exec(path)?.[1] as Plain | undefined
  if (plain) return { page: plain }
  if (path === '/verify') return { page: 'verify', match: null }
  const rules = /^\/rules\/([a-z_]+)\/?$/.exec(path)
  if (rules) return { page: 'rules', title: rules[1]!, anchor: decodeURIComponent(hash) }
  const ratings = /^\/ratings(?:\/([a-z_]+))?\/?$/.exec(path)
  if (ratings) return { page: 'ratings', title: ratings[1] ?? '' }
  const person = /^\/people\/(\w{1,20})\/?$/.exec(path)
  if (person) return { page: 'person', handle: person[1]!.toLowerCase() }
  const tournament = /^\/tournaments(?:\/([0-9a-f-]{36}))?\/?$/.exec(path)
  if (tournament) return tournament[1] ? { page: 'tournament', id: tournament[1] } : { page: 'tournaments' }
  const found = MATCH.exec(path)
  if (!found) return { page: 'nowhere' }
  const [, match, sub] = found
  if (sub === 'end' || sub === 'war') return { page: sub, match: match! }
  if (sub === 'verify') return { page: 'verify', match: match! }
  if (sub !== 'replay') return { page: 'match', match: match! }
  const seq = /^\d+$/.test(hash) ? Number(hash) : null
  return { page: 'replay', match: match!, seq, as: new URLSearchParams(query).get('as') ?? '' }
}

/** The token of a link to a match, as it stands in the address; or ''. */
export function tokenIn(fragment: string): string {
  return /^#([A-Za-z0-9_-]{20,})$/.exec(fragment)?.[1] ?? ''
}

class Router {
  place = $state.raw<Place>({ page: 'lobby' })
  /** How often the match that is there was opened anew. */
  again = $state(0)

  read(): void {
    this.place = parse(location.pathname, location.search, location.hash)
  }

  private moved(): void {
    this.read()
    // The match may be there already, by another link or by none.
    if (this.place.page === 'match' && tokenIn(location.hash)) this.again++
  }

  go(address: string): void {
    const { pathname, search, hash } = new URL(address, location.href)
    // Within a page the browser goes itself: it marks the place, goes there once more, and notes each place once.
    if (hash && pathname === location.pathname && search === location.search) location.hash = hash
    else if (address === location.pathname + location.search + location.hash) return
    else history.pushState(null, '', address)
    this.read()
    if (!location.hash) scrollTo(0, 0)
  }

  /** Changes the address without a new entry in the history and without reading it again. */
  rename(address: string): void {
    if (address !== location.pathname + location.search + location.hash) history.replaceState(history.state, '', address)
  }

  start(): void {
    addEventListener('popstate', () => this.moved())
    document.addEventListener('click', (event) => this.followed(event))
    this.read()
  }

  /** A plain click on a link of our own is followed without loading the page anew. */
  private followed(event: MouseEvent): void {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const anchor = (event.target as Element | null)?.closest('a')
    if (!anchor || anchor.target || anchor.hasAttribute('download') || anchor.origin !== location.origin) return
    if (anchor.pathname.startsWith('/api/')) return
    event.preventDefault()
    this.go(anchor.pathname + anchor.search + anchor.hash)
  }
}

export const router = new Router()
