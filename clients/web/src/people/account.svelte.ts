/** The person's page: what the server keeps of whoever is signed in here, and changes to it. */

import { ask, change } from '../protocol/people'
import type { Me } from '../protocol/wire'
import { me } from '../state/me.svelte'
import { whole } from '../words/whole'

export class Account {
  /** Null until the server has said. */
  me = $state.raw<Me | null>(null)
  /** Why it has not. */
  problem = $state('')
  /** Recovery codes that are shown this once. */
  codes = $state.raw<readonly string[]>([])

  async look(): Promise<void> {
    try {
      this.take(await ask())
      this.problem = ''
    } catch (why) {
      this.problem = whole((why as Error).message)
    }
  }

  take(now: Me): void {
    this.me = now
    me.take(now.person)
  }

  /** Changes something of the person. */
  async change(method: 'DELETE' | 'PATCH' | 'POST', path: string, body: object = {}): Promise<void> {
    this.take(await change<Me>(method, path, body))
  }
}
