/** Measures and prints, beside what is allowed. No time is asserted: a busy machine is no fault of the page. */

import { playOut, tokensOf } from './quick'
import { duel, expect, glowing, offer, seated, sit, test, type Page } from './table'

/** Milliseconds a step of the replay may take: a frame of the screen. */
const FRAME = 16

function median(list: number[]): number {
  return [...list].sort((one, two) => one - two)[Math.floor(list.length / 2)]!
}

test('from the click to the other browser’s board', async ({ people }) => {
  const [one, two] = await duel(people)
  const times: number[] = []
  for (const id of ['KAG-D1', 'KAG-T1', 'KAG-T2']) {
    await expect(glowing(one).first()).toBeVisible()
    const changed = two.evaluate(
      (group) =>
        new Promise<number>((done) => {
          const counter = document.querySelector(`.counter[data-id="${group}"]`)!
          const look = new MutationObserver(() => {
            look.disconnect()
            done(performance.timeOrigin + performance.now())
          })
          look.observe(counter, { attributes: true, attributeFilter: ['aria-label', 'style'] })
        }),
      id,
    )
    const clicked = await one.evaluate((group) => {
      document.querySelector(`.counter[data-id="${group}"]`)!.dispatchEvent(new MouseEvent('click', { bubbles: true }))
      return performance.timeOrigin + performance.now()
    }, id)
    times.push((await changed) - clicked)
  }
  console.log(`click to the other browser's board: ${times.map((time) => time.toFixed(1)).join(', ')} ms`)
  expect(times.filter((time) => time > 0)).toHaveLength(3)
})

const STEPS = 600

/** How long each of the first steps of a replay takes, its layout included, in ms. */
function stepTimes(page: Page, steps: number): Promise<number[]> {
  return page.evaluate(async (most) => {
    const took: number[] = []
    for (let step = 0; step < most; step++) {
      const begun = performance.now()
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))
      // Svelte writes the page in a microtask; asking for the layout then counts that too.
      await Promise.resolve()
      await Promise.resolve()
      document.querySelector('.stage')!.getBoundingClientRect()
      took.push(performance.now() - begun)
      if (step % 10 === 0) await new Promise((next) => setTimeout(next))
    }
    return took
  }, steps)
}

for (const [title, scenario] of [
  ['midway', 'historical-4-june'],
  ['coral_sea', 'campaign'],
] as const) {
  test(`the steps of the replay of a long match: ${title}`, async ({ people }) => {
    const page = await people.person()
    const match = await offer(page, { against: 'solo', title, scenario })
    await sit(page)
    await seated(page)
    await page.goto('/verify')
    const { facts } = await playOut(page, match, await tokensOf(page, match), 2, { most: 2_000 })
    await page.goto(`/match/${match}/replay#0`)
    const slider = page.getByRole('slider', { name: 'Moment of the match' })
    await expect(slider).toBeVisible()
    const length = Number(await slider.getAttribute('max'))
    await page.keyboard.press('Home')
    const times = await stepTimes(page, Math.min(length, STEPS))
    console.log(
      `replay of ${title}, ${facts} facts, ${length} steps: median ${median(times).toFixed(2)} ms a step, ${(FRAME / median(times)).toFixed(1)} in a frame, slowest ${Math.max(...times).toFixed(1)} ms`,
    )
    expect(await slider.inputValue()).toBe(String(Math.min(length, STEPS)))
  })
}
