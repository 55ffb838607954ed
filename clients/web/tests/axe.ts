import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** The rules that a page may keep in one theme and break in the other. */
const THEMED = ['color-contrast', 'link-in-text-block']

/** What axe finds that is serious; `rules` are all, or only those named. */
export async function faults(page: Page, rules: string[] = []): Promise<string[]> {
  // All of a page is in one frame, so that the old way finds the same, and opens no page of its own each time.
  // Of what is sound nothing is told, and of what is not no selector: to write them takes longer than to look.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'], selectors: false })
  const { violations } = await (rules.length ? axe.withRules(rules) : axe).analyze()
  return violations
    .filter((one) => one.impact === 'serious' || one.impact === 'critical')
    .flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`))
}

/** Holds a page to it: everything in the dark, and in the light what the theme changes. */
export async function isAccessible(page: Page, name: string): Promise<void> {
  expect(await faults(page), `${name}, dark`).toEqual([])
  await page.getByRole('button', { name: 'Light theme' }).click()
  expect(await faults(page, THEMED), `${name}, light`).toEqual([])
  await page.getByRole('button', { name: 'Dark theme' }).click()
}
