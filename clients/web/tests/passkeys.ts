/** Persons in tests: browsers with an authenticator of their own, which Chromium plays. */

import { test as base, expect, type Locator, type Page } from './table'

/** Where a passkey can be had: the server by its name. An address of digits has none. */
const named = (url: string): string => url.replace('127.0.0.1', 'localhost')

type Credential = Record<string, unknown>

export interface Keys {
  /** The passkeys that it has. */
  all(): Promise<Credential[]>
  /** Gives it those of another, as a password manager does that is on both devices. */
  take(from: Keys): Promise<void>
}

export interface Known {
  /** A browser at an address with a name, and its authenticator. */
  browser(touch?: boolean): Promise<{ page: Page; keys: Keys }>
}

async function authenticator(page: Page): Promise<Keys> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const all = async (): Promise<Credential[]> => {
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
    return credentials as unknown as Credential[]
  }
  return {
    all,
    take: async (from) => {
      for (const credential of await from.all()) {
        await devtools.send('WebAuthn.addCredential', { authenticatorId, credential: credential as never })
      }
    },
  }
}

export const test = base.extend<{ known: Known }>({
  known: async ({ people, server }, use) => {
    // A handle that is free and a page of nobody are answered 404, which Chromium reports.
    people.expectBreaks()
    await use({
      browser: async (touch) => {
        const page = await people.person(touch, named(server.url))
        return { page, keys: await authenticator(page) }
      },
    })
  },
})

/** So that no two tests want the same one. */
export function freshHandle(): string {
  return `admiral_${Math.random().toString(36).slice(2, 10)}`
}

/** Signs up at one's own page, and keeps the codes; returns them. */
export async function signUp(page: Page, handle: string, name = ''): Promise<string[]> {
  await page.goto('/you')
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Your handle').fill(handle)
  await expect(page.getByText('It is free.')).toBeVisible()
  await page.getByRole('button', { name: 'Keep me' }).click()
  await expect(page.getByRole('heading', { name: 'Keep these ten codes' })).toBeVisible()
  const codes = await page.locator('ol > li').allTextContents()
  await page.getByLabel('I have kept them').check()
  await page.getByRole('button', { name: 'Go on' }).click()
  await expect(page.getByRole('heading', { name: name || handle, level: 1 })).toBeVisible()
  return codes
}

/** Signs in with a passkey that the browser has. */
export async function signIn(page: Page, handle: string): Promise<void> {
  await page.goto('/you')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(whoami(page)).toHaveText(handle)
}

/** Who the bar says is signed in. */
export const whoami = (page: Page): Locator => page.locator('header .who .word')

export { expect }
export type { Page }
