/** What tests of tournaments do: who comes, how one is made, entered and started. */

import { expect, freshHandle, type Known, type Page, signUp } from './passkeys'
import type { Locator } from './table'

/** A part of its page, by its heading. */
export const part = (page: Page, heading: string | RegExp): Locator =>
  page.locator('main section').filter({ has: page.getByRole('heading', { name: heading, exact: typeof heading === 'string' }) })

export interface Someone {
  page: Page
  handle: string
}

/** So many who are signed in, each in a browser of his own. */
export async function persons(known: Known, count: number): Promise<Someone[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const [{ page }, handle] = [await known.browser(), freshHandle()]
      await signUp(page, handle)
      return { page, handle }
    }),
  )
}

/** Makes a tournament by the form, with what a test wishes of it; returns its path. */
export async function made(page: Page, name: string, wish: (form: ReturnType<Page['getByRole']>) => Promise<void>): Promise<string> {
  await page.goto('/tournaments')
  await page.getByRole('button', { name: 'Make a tournament' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Its name').fill(name)
  await form.getByRole('radio', { name: /^Duel/ }).check()
  await wish(form)
  await form.getByRole('button', { name: 'Make it' }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  return new URL(page.url()).pathname
}

export async function enters(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await part(page, 'Entry').getByRole('button', { name: 'Enter' }).click()
  await expect(part(page, 'Entry')).toContainText('You have entered.')
}

export async function starts(page: Page): Promise<void> {
  await page.reload()
  const own = part(page, 'You direct it')
  await own.getByRole('button', { name: /^Start/ }).click()
  await own.getByRole('button', { name: /^Yes, start/ }).click()
  await expect(page.getByText('Under way')).toBeVisible()
}
