/** Signing out here. */

import { change } from '../protocol/people'
import type { Me } from '../protocol/wire'
import { me } from '../state/me.svelte'
import { whole } from '../words/whole'

/** Ends this browser's session; returns why not, or ''. */
export async function signOut(): Promise<string> {
  me.leaving = true
  try {
    await change<Me>('POST', '/api/me/sign-out')
    me.take(null)
    return ''
  } catch (why) {
    return whole((why as Error).message)
  } finally {
    me.leaving = false
  }
}
