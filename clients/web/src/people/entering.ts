/** Coming in without a passkey: by a link that is mailed, or by the operator's provider of identities. */

import { change } from '../protocol/people'
import type { Leaving, LinkMailed } from '../protocol/wire'

/** Has a link mailed to an address, for whoever asks to sign in by it or to add it; returns for how long it is good. */
export function mailLink(address: string): Promise<LinkMailed> {
  return change<LinkMailed>('POST', '/api/me/mail', { address: address.trim() })
}

/** Leaves this page for the provider's. */
export async function toProvider(): Promise<void> {
  location.assign((await change<Leaving>('POST', '/api/me/oidc')).to)
}
