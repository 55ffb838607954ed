/** Who is signed in here. The session itself is a cookie that no script sees; what the server said last is kept, so that a
 * page knows at once, and other tabs hear of it. Whatever speaks over a connection begins anew with every `round`: a
 * connection belongs to whoever was signed in when it was opened. */

import { get } from '../protocol/http'
import { SHOWN_OUT } from '../protocol/socket'
import { erase, keyTo, read, write } from './keep'

export interface Known {
  handle: string
  name: string
}

const KEY = 'me'

class MeNow {
  /** Null: a guest. */
  person = $state.raw(read<Known | null>(KEY, null))
  round = $state(0)
  /** The server has ended the session, and the reader has not put that away. */
  shownOut = $state(false)
  /** One is signing out here and now, and need not be told. */
  leaving = false

  /** Follows what other tabs and the server say, and asks whether the session of last time is still there. Whoever came in by
   * another way than this page, or lost what it keeps, is known again at `/you`. */
  start(): void {
    addEventListener('storage', ({ key }) => {
      if (key === keyTo(KEY)) this.become(read<Known | null>(KEY, null))
    })
    addEventListener(SHOWN_OUT, () => {
      if (!this.person || this.leaving) return
      this.shownOut = true
      this.take(null)
    })
    if (!this.person) return
    get('/api/me').then(
      async (answer) => this.take(((await answer.json()) as { person: Known | null }).person),
      () => undefined, // as it was last
    )
  }

  /** The server has said who is signed in here. */
  take(person: Known | null): void {
    if (person) write(KEY, { handle: person.handle, name: person.name })
    else erase(KEY)
    this.become(person)
  }

  private become(person: Known | null): void {
    const same = person?.handle === this.person?.handle
    this.person = person && { handle: person.handle, name: person.name }
    if (person) this.shownOut = false
    if (!same) this.round++
  }
}

export const me = new MeNow()
