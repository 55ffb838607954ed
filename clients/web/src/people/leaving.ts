/** Signing out here. */

import { change } from '../protocol/people'
import type { Me } from '../protocol/wire'
import { me } from '../state/me.svelte'
import { quiet } from './push'

/** Ends this browser's session, and its pushes before. */
export async function signOut(): Promise<void> {
  me.leaving = true
  try {
    await quiet()
    await change<Me>('POST', '/api/me/sign-out')
    me.take(null)
  } finally {
    me.leaving = false
  }
}
