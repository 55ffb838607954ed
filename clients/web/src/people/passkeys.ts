/** Passkeys: asking the browser for one, and saying where there can be none. What is signed, the server says and checks. */

import { change } from '../protocol/people'

/** Why this page can ask for no passkey; `where` the same page can, if there is such a place, else ''. */
export interface Hindered {
  why: string
  where: string
}

const DIGITS = /^(?:\d+\.){3}\d+$|^\[/
const LOOPBACK = /^127\.|^\[::1\]$/

/** What stands in the way of passkeys here; null if nothing does. `said` is the server's reason, or ''. */
export function hindrance(said: string, place: Location = location, secure = isSecureContext): Hindered | null {
  const { hostname, port, pathname } = place
  const digits = 'A passkey belongs to a name, and this page was opened by an address of digits.'
  if (LOOPBACK.test(hostname)) {
    const where = `http://localhost${port ? `:${port}` : ''}${pathname}`
    return { why: digits, where }
  }
  if (DIGITS.test(hostname)) return { why: said || digits, where: '' }
  if (said) return { why: said, where: '' }
  if (!secure) return { why: 'Without encryption (https) a browser gives no passkeys.', where: '' }
  // Some browsers in use lack it, whatever the types say.
  if (!('PublicKeyCredential' in window) || !('parseCreationOptionsFromJSON' in PublicKeyCredential)) {
    return { why: 'This browser has no passkeys, or is too old for them.', where: '' }
  }
  return null
}

type Purpose = { purpose: 'add' | 'sign in' } | { purpose: 'sign up'; handle: string; name: string }

async function options<Kind>(what: Purpose): Promise<Kind> {
  return (await change<{ options: Kind }>('POST', '/api/me/passkeys/options', what)).options
}

/** Makes a passkey; as the server takes it. Raises Error with a reason for whoever clicked. */
export async function made(what: Purpose): Promise<unknown> {
  const asked = await options<PublicKeyCredentialCreationOptionsJSON>(what)
  return signed(() => navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(asked) }))
}

/** Signs with a passkey that is there; likewise. */
export async function shown(): Promise<unknown> {
  const asked = await options<PublicKeyCredentialRequestOptionsJSON>({ purpose: 'sign in' })
  return signed(() => navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(asked) }))
}

const REASONS: Record<string, string> = {
  NotAllowedError: 'No passkey was used: it was called off, or it took too long.',
  InvalidStateError: 'This device has a passkey of yours already.',
  SecurityError: 'The browser gives no passkeys at this address.',
  NotSupportedError: 'This device can make no passkey.',
}

async function signed(ask: () => Promise<Credential | null>): Promise<unknown> {
  const credential = await ask().catch((why: unknown) => {
    const { name, message } = why as DOMException
    throw new Error(REASONS[name] ?? message)
  })
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The browser gave no passkey.')
  return credential.toJSON()
}

const SYSTEMS = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'Mac'],
  [/CrOS/, 'Chromebook'],
  [/Linux/, 'Linux'],
] as const

/** What a passkey that is made here is called at first. */
export function deviceName(agent = navigator.userAgent): string {
  return SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1] ?? 'Passkey'
}
