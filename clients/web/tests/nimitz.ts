/** What the tests of Nimitz do at its table. */

import { GLOWING, offered, openForm, type Page } from './table'

const MODES = { alone: 1, two: 2, both: 2, commanders: 3 }
const SEATS = { alone: '', two: 'United States', both: '', commanders: 'Pacific Ocean Areas' }

/** Offers a campaign from the lobby; returns its id. `both`: the two sides in one browser. */
export async function offerNimitz(page: Page, mode: keyof typeof MODES, year = '1942'): Promise<string> {
  await openForm(page, 'nimitz')
  await page.locator(`input[name="scenario"][value="${year}"]`).check()
  await page.locator(`input[name="mode"][value="${MODES[mode]}"]`).check()
  if (SEATS[mode]) {
    await page.locator('#against').selectOption('person')
    await page.getByLabel('I play').selectOption({ label: SEATS[mode] })
  }
  if (mode === 'both') await page.locator('#against').selectOption('solo')
  return offered(page)
}

export const WHERE = '.where'

/** The board as it reads, whatever glows: areas and closed stacks with what lies in them. */
export function standing(page: Page): Promise<string[]> {
  return page
    .locator('.stage :is(.area, .stack)')
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')!.replace(/; \d+ to choose from$/, '')).sort())
}

/** Clicks one thing that glows: in the tray, on the board, or a button; what ends a step in one of five. */
export async function clickOne(page: Page, chance: () => number): Promise<boolean> {
  const places = [`.tray ${GLOWING}`, `.stage ${GLOWING}`, `.prompt ${GLOWING}`]
  const order = chance() < 0.3 ? [places[2]!, places[1]!, places[0]!] : places
  for (const place of order) {
    const all = page.locator(place)
    const count = await all.count()
    if (!count) continue
    await all
      .nth(Math.floor(chance() * count))
      .click({ timeout: 1_000, force: true })
      .catch(() => undefined)
    return true
  }
  return false
}
