/** The board stays where it is while one picks, whatever the prompt has to say. */

import { offerNimitz } from './nimitz'
import { playOn } from './quick'
import { chances, clickWhatGlows, expect, offer, type Page, seated, sit, test } from './table'

const SIZES = [
  [1440, 900],
  [1280, 720],
  [390, 844],
] as const
/** Picks at each size in the check-in, and in the soak. */
const PICKS = [
  [8, ''],
  [30, ' @soak: through many picks'],
] as const

const TITLES = {
  Midway: [(page: Page) => offer(page, { against: 'solo', scenario: 'historical-4-june' }), { most: 4_000, least: 200, asks: 'LAUNCH' }],
  'Coral Sea': [(page: Page) => offer(page, { against: 'solo', title: 'coral_sea' }), { most: 6_000, least: 400, asks: 'play_card' }],
  Nimitz: [(page: Page) => offerNimitz(page, 'alone'), { most: 6_000, least: 60, asks: 'MoveForce' }],
} as const

/** Notes every place that the board has from now on, and how high the prompt would like to be. */
async function noted(page: Page): Promise<() => Promise<{ places: string[]; prompts: number }>> {
  await page.evaluate(() => {
    const [places, prompts] = [new Set<string>(), new Set<number>()]
    const look = (): void => {
      const stage = document.querySelector('.stage')?.getBoundingClientRect()
      if (stage?.width) places.add([stage.x, stage.y, stage.width, stage.height].map(Math.round).join(' '))
      prompts.add(document.querySelector('.prompt .words')!.clientHeight)
      requestAnimationFrame(look)
    }
    look()
    Object.assign(window, { seenPlaces: places, seenPrompts: prompts })
  })
  return () =>
    page.evaluate(() => {
      const { seenPlaces, seenPrompts } = window as unknown as { seenPlaces: Set<string>; seenPrompts: Set<number> }
      return { places: [...seenPlaces], prompts: seenPrompts.size }
    })
}

for (const [title, [begin, until]] of Object.entries(TITLES)) {
  for (const [picks, marked] of PICKS) {
    test(`the board keeps its place while one picks, on a desk and on a telephone: ${title}${marked}`, async ({ people }) => {
      const page = await people.person()
      const match = await begin(page)
      await sit(page)
      await seated(page)
      await playOn(page, match, 4, until)
      let said = 0
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height })
        await page.goto(`/match/${match}`)
        await page.locator('.prompt.mine').waitFor()
        // It comes late, and once: what this page has seen itself was not missed.
        const dismiss = page.getByRole('button', { name: 'Dismiss' })
        if (width === SIZES[0][0]) await dismiss.click({ timeout: 5_000 }).catch(() => undefined)
        const look = await noted(page)
        const chance = chances(width)

        for (let pick = 0; pick < picks; pick++) {
          await clickWhatGlows(page, chance)
          await page.waitForTimeout(40)
        }

        const { places, prompts } = await look()
        expect(places, `${width} × ${height}`).toHaveLength(1)
        said += prompts
      }
      // Else it had nothing to stand against.
      expect(said, 'prompts of several heights').toBeGreaterThan(SIZES.length)
    })
  }
}
