/** Signing out here. */

import { change } from '../protocol/people'
import type { Me } from '../protocol/wire'
import { me } from '../state/me.svelte'
import { whole } from '../words/whole'
import { quiet } from './push'

/** Ends this browser's session, and its pushes before; returns why not, or ''. */
export async function signOut(): Promise<string> {
  me.leaving = true
  try {
    await quiet()
    await change<Me>('POST', '/api/me/sign-out')
    me.take(null)
    return ''
  } catch (why) {
    return whole((why as Error).message)
  } finally {
    me.leaving = false
  }
}
