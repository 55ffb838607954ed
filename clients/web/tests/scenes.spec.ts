import { playOn } from './quick'
import { expect, type Locator, offer, paced, type Page, seated, sit, test, type Watched } from './table'

const lastSeq = async (page: Page): Promise<number> => Number(await page.locator('.log .seq').last().textContent())

/** The battle of 4 June with both sides at one page, played until bombers are told which carrier to attack. */
async function strike(people: Watched): Promise<{ page: Page; match: string }> {
  const page = await people.person()
  const match = await offer(page, { against: 'solo', scenario: 'historical-4-june' })
  await sit(page)
  await seated(page)
  const { asked } = await playOn(page, match, 4, { most: 3_000, asks: 'TARGET' })
  expect(asked).not.toBeNull()
  await paced(page, 'slow')
  await page.goto(`/match/${match}`)
  await seated(page)
  return { page, match }
}

/** The list of decisions while there are some and none is under way. Both at once: while the frame of the other side is here
 * first, nobody is asked for a moment. */
const open = (page: Page): Locator => page.locator('[role="combobox"][aria-disabled="false"][placeholder*=" legal "]')

/** Takes the first of what can be decided, again and again, until this is so. */
async function decides(page: Page, until: () => Promise<boolean>): Promise<void> {
  while (!(await until())) {
    await expect(open(page)).toBeVisible()
    const before = await lastSeq(page)
    for (const key of ['Escape', '/', 'Enter']) await page.keyboard.press(key)
    await expect.poll(async () => (await until()) || (await lastSeq(page)) !== before).toBe(true)
  }
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
}

/** What the card of a scene and the button that skips it lie on. */
const covered = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const boxOf = (one: Element): DOMRect => (one.querySelector('.paper') ?? one).getBoundingClientRect()
    const over = (one: DOMRect, two: DOMRect): boolean =>
      Math.min(one.right, two.right) - Math.max(one.left, two.left) > 1 && Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 1
    const [card, skip] = ['.happening', '.skip'].map((one) => document.querySelector(`.stage ${one}`)!)
    const pieces = [...document.querySelectorAll('.stage :is(.counter, [data-glow]), [data-over]')]
    const pairs = [[card, skip], ...pieces.flatMap((piece) => [card, skip].map((one) => [piece, one]))] as [Element, Element][]
    return pairs
      .filter(([one, two]) => over(boxOf(one), boxOf(two)))
      .map(([one, two]) => `${two.className} on ${one.getAttribute('aria-label') ?? ''}`)
  })

const animation = (die: Locator): Promise<string> => die.evaluate((one) => getComputedStyle(one).animationName)

test('a strike is seen where it happens, in play and in replay, and nobody waits for it', async ({ people }) => {
  const { page, match } = await strike(people)
  const card = page.locator('.stage .happening', { has: page.locator('.dice') })
  const shown = async (): Promise<boolean> => (await card.count()) > 0
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await decides(page, shown)

  await test.step('dice, what for, what they need, and what came of it, beside the ship', async () => {
    await expect(card).toContainText(/anti-aircraft fire.*4\+ hits\s*→ \d+ hits?/s)
    expect(await card.locator('.dice svg').count()).toBeGreaterThan(5)
    expect(await animation(card.locator('.dice svg').first())).toMatch(/fall/)
    const ship = await card.locator('.subject').innerText()
    const [ring, hull, box, stage] = await Promise.all(
      ['.layer .ring', `.stage .ship[aria-label^="${ship},"]`, '.stage .happening', '.stage'].map((one) => page.locator(one).boundingBox()),
    )
    // Smoke that drifts from her makes the ship's box larger than what the ring was laid around.
    expect(ring!.x + ring!.width / 2).toBeGreaterThan(hull!.x)
    expect(ring!.x + ring!.width / 2).toBeLessThan(hull!.x + hull!.width)
    expect(ring!.y + ring!.height / 2).toBeGreaterThan(hull!.y)
    expect(ring!.y + ring!.height / 2).toBeLessThan(hull!.y + hull!.height)
    expect(box!.x).toBeGreaterThanOrEqual(stage!.x)
    expect(box!.y).toBeGreaterThanOrEqual(stage!.y)
    expect(box!.x + box!.width).toBeLessThanOrEqual(stage!.x + stage!.width)
    expect(box!.y + box!.height).toBeLessThanOrEqual(stage!.y + stage!.height)
  })

  await test.step('neither it nor what skips it lies on a piece, on what glows, or on the other', async () => {
    expect(await covered(page)).toEqual([])
  })

  const seq = await lastSeq(page)
  await test.step('the next question is answered while it is shown, which ends it', async () => {
    await expect(open(page)).toBeVisible()
    await expect(card).toHaveCount(1)
    await page.keyboard.press('/')
    await expect(card).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect.poll(() => lastSeq(page)).toBeGreaterThan(seq)
  })

  await test.step('still pictures for those who want no motion; Space goes on', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await decides(page, shown)
    expect(await animation(card.locator('.dice svg').first())).toBe('none')
    await expect(page.getByRole('button', { name: 'Skip' })).toBeVisible()
    await page.keyboard.press('Space')
    await expect(card).toHaveCount(0)
  })

  await test.step('with the pace off the log tells of dice, and nothing is shown on the board', async () => {
    await page.getByRole('button', { name: 'Scenes, sound and words' }).click()
    await page.getByRole('radio', { name: 'Not shown' }).check()
    await page.keyboard.press('Escape')
    await page.evaluate(() => {
      const look = new MutationObserver(() => {
        if (document.querySelector('.stage .layer')) document.body.dataset.seen = 'yes'
      })
      look.observe(document.body, { subtree: true, childList: true })
    })
    const rolls = await page.locator('.log .roll').count()
    await decides(page, async () => (await page.locator('.log .roll').count()) > rolls)
    await expect(page.locator('body')).not.toHaveAttribute('data-seen')
  })

  await test.step('in the replay it is found by its fact, gone through by beats, and passed by decisions', async () => {
    await page.goto(`/match/${match}/replay#${seq}`)
    const slider = page.getByRole('slider', { name: 'Moment of the match' })
    await expect(card).toContainText('anti-aircraft fire')
    const step = Number(await slider.inputValue())
    await page.keyboard.press('Shift+ArrowRight')
    await expect(card).toHaveCount(0)
    await expect(slider).toHaveValue(`${step}`)
    await page.keyboard.press('Shift+ArrowLeft')
    await expect(slider).toHaveValue(`${step - 1}`)
    await page.keyboard.press('ArrowRight')
    await expect(card).toContainText('anti-aircraft fire')
    await expect(slider).toHaveValue(`${step}`)
    await page.keyboard.press('ArrowLeft')
    await expect(card).toHaveCount(0)
    await expect(slider).toHaveValue(`${step - 1}`)
  })
})
