import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Whoever speaks to a page says what he reads on a button. Off unless asked for, since axe calls it an experiment. */
const AS_READ = 'label-content-name-mismatch'

/** The rules that a page may keep in one theme and break in the other. */
const THEMED = ['color-contrast', 'link-in-text-block']

/** What axe finds, however slight; `rules` are all, or only those named. */
export async function faults(page: Page, rules: string[] = []): Promise<string[]> {
  // All of a page is in one frame, so that the old way finds the same, and opens no page of its own each time.
  // Of what is sound nothing is told, and of what is not no selector: to write them takes longer than to look.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({
    resultTypes: ['violations'],
    selectors: false,
    rules: { [AS_READ]: { enabled: true } },
  })
  const { violations } = await (rules.length ? axe.withRules(rules) : axe).analyze()
  // The letters on a counter are part of its picture, and no label.
  const drawn = (rule: string, html: string): boolean => rule === AS_READ && html.startsWith('<g ')
  return violations.flatMap((one) =>
    one.nodes
      .filter((node) => !drawn(one.id, node.html))
      .map((node) => `${one.id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`),
  )
}

/** Holds a page to it: everything in the dark, and in the light what the theme changes. */
export async function isAccessible(page: Page, name: string): Promise<void> {
  expect(await faults(page), `${name}, dark`).toEqual([])
  await page.getByRole('button', { name: 'Light theme' }).click()
  expect(await faults(page, THEMED), `${name}, light`).toEqual([])
  await page.getByRole('button', { name: 'Dark theme' }).click()
}
