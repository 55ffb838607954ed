import { offerNimitz } from './nimitz'
import { chances, duel, expect, GLOWING, offer, type Page, seated, sit, test } from './table'

const STUCK_MS = 30_000

interface Spot {
  x: number
  y: number
  button: boolean
  what: string
}

/** How often what lies on the board is touched rather than a button, which may end a stage. */
const BOARD = 0.85

/** Where a finger may touch, of all that glows: on the board or hand, or a button; null if nothing can be touched. */
function spot(page: Page, chance: number, board: boolean): Promise<Spot | null> {
  return page.evaluate(
    ({ selector, lot, first }) => {
      const parts = [0.5, 0.3, 0.7, 0.12, 0.88]
      const points = parts.flatMap((down) => parts.map((across) => [across, down] as const))
      const spots = [...document.querySelectorAll<HTMLElement>(selector)].flatMap((one) => {
        const box = one.getBoundingClientRect()
        for (const [across, down] of points) {
          const [x, y] = [box.left + box.width * across, box.top + box.height * down]
          if (document.elementFromPoint(x, y)?.closest('[data-glow]') !== one) continue
          return [{ x, y, button: one instanceof HTMLButtonElement, what: one.dataset.id ?? one.dataset.heap ?? one.textContent.trim() }]
        }
        return []
      })
      const wanted = spots.filter(({ button }) => button !== first)
      const among = wanted.length ? wanted : spots
      return among[Math.floor(lot * among.length)] ?? null
    },
    { selector: GLOWING, lot: chance, first: board },
  )
}

/** The turn, as the bar says it. */
const turnOf = async (page: Page): Promise<string> => (await page.locator('header .where b').textContent()) ?? ''

/** Plays by touch until the bar says another turn; what glows where no finger comes would hold it up. */
async function playTurn(page: Page, chance: () => number): Promise<Spot[]> {
  const [touched, begun] = [[] as Spot[], await turnOf(page)]
  let moved = Date.now()
  while ((await turnOf(page)) === begun) {
    const where = await spot(page, chance(), chance() < BOARD)
    if (where) {
      await page.touchscreen.tap(where.x, where.y)
      touched.push(where)
      moved = Date.now()
    } else await page.waitForTimeout(20)
    expect(Date.now() - moved, `something can be touched after ${touched.at(-1)?.what ?? 'nothing'}`).toBeLessThan(STUCK_MS)
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  }
  return touched
}

const TITLES: [title: string, turns: number, begin: (page: Page) => Promise<string>, tags: string[]][] = [
  // In the first turns of two titles there is little to do.
  ['midway', 2, (page) => offer(page, { against: 'solo' }), []],
  ['coral_sea', 6, (page) => offer(page, { against: 'solo', title: 'coral_sea' }), ['@soak']],
  ['nimitz', 1, (page) => offerNimitz(page, 'alone'), ['@soak']],
]

for (const [title, turns, begin, tag] of TITLES) {
  test(`on a telephone a whole turn is played by touch: ${title}`, { tag }, async ({ people }) => {
    const phone = await people.person(true)
    await begin(phone)
    await sit(phone)
    await expect(phone.locator('.prompt.mine')).toBeVisible()

    const chance = chances(5)
    const touched: Spot[] = []
    for (let turn = 0; turn < turns; turn++) touched.push(...(await playTurn(phone, chance)))

    // Not by buttons alone.
    expect(touched.filter(({ button }) => !button).length).toBeGreaterThan(turns)
    await expect(phone.locator('.refused')).toHaveCount(0)
  })
}

test('on a telephone a notice that comes moves nothing, and the board can be moved from under it', async ({ people }) => {
  const [japan, america] = await duel(people)
  await japan.setViewportSize({ width: 390, height: 844 })
  await seated(japan)
  const board = japan.locator('.stage svg > g > g')
  const before = await board.boundingBox()
  await america.getByText('Match', { exact: true }).click()
  await america.getByRole('button', { name: /draw/ }).first().click()
  const notice = japan.getByRole('alert').filter({ hasText: 'offers a draw' })
  await expect(notice).toBeVisible()
  expect(await board.boundingBox()).toEqual(before)

  await japan.mouse.move(200, 500)
  await japan.mouse.down()
  await japan.mouse.move(200, 700, { steps: 4 })
  await japan.mouse.up()
  const [moved, over] = [await board.boundingBox(), await notice.boundingBox()]
  expect(moved!.y, 'all of it is seen').toBeGreaterThanOrEqual(over!.y + over!.height - 2)

  await notice.getByRole('button', { name: 'Decline' }).click()
  await expect(notice).toHaveCount(0)
  await expect.poll(() => board.boundingBox()).toEqual(before)
})
