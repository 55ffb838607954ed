import { HEAP } from '../src/titles/coral_sea/plan'
import { offerNimitz } from './nimitz'
import { playOn, type Until } from './quick'
import { measured, namesUnder, underStacks, unnamed } from './sizes'
import { expect, type Offer, offer, type Page, seated, sit, test } from './table'

interface Position {
  /** A title's match, or the year of a campaign of Nimitz. */
  how: Offer | string
  seed: number
  until: Until
  /** What else a player's board is held to, at every size. */
  also?: (page: Page, size: string) => Promise<void>
}

/** A full position of each board: play by chance until this is asked. Dice make it another each time. */
const BOARDS: Record<string, Position> = {
  'Midway, the duel': { how: { against: 'solo' }, seed: 4, until: { most: 400, least: 120, asks: 'ADVANCE' } },
  'Midway, 4 June': {
    how: { against: 'solo', scenario: 'historical-4-june' },
    seed: 4,
    until: { most: 2_000, least: 300, asks: 'ADVANCE' },
    also: namesItsCarriers,
  },
  'Coral Sea, cards': {
    how: { against: 'solo', title: 'coral_sea', scenario: 'campaign' },
    seed: 4,
    until: { most: 6_000, least: 400, asks: 'play_card' },
  },
  'Coral Sea, a battle': {
    how: { against: 'solo', title: 'coral_sea', scenario: 'fortress' },
    seed: 4,
    until: { most: 6_000, least: 60, asks: 'play_chit' },
  },
  'Nimitz, the map': { how: '1944', seed: 4, until: { most: 6_000, least: 600, asks: 'MoveForce' } },
  'Nimitz, ships to be placed': { how: '1944', seed: 4, until: { most: 6_000, least: 100, asks: 'PlaceShip' } },
  'Nimitz, a battle': { how: '1944', seed: 4, until: { most: 6_000, least: 250, asks: 'SendAircraft' }, also: framesLieApart },
  'Pacific War, the map': {
    how: { against: 'solo', title: 'pacific_war', scenario: 'E1' },
    seed: 4,
    until: { most: 4_000, least: 150, asks: 'move_tf' },
  },
  'Pacific War, a strike': {
    how: { against: 'solo', title: 'pacific_war', scenario: 'E1' },
    seed: 4,
    until: { most: 4_000, asks: 'allot_strike' },
  },
}

/** Window, and the least pixels of text and of counters, and the least part of the window for the board. */
const WINDOWS = [
  { width: 1280, height: 720, text: 10, counter: 26, share: 0.6 },
  { width: 1440, height: 900, text: 11, counter: 26, share: 0.6 },
  { width: 390, height: 844, text: 10, counter: 26, share: 0.6 },
]

async function played(page: Page, { how, seed, until }: Position): Promise<string> {
  const match = typeof how === 'string' ? await offerNimitz(page, 'alone', how) : await offer(page, how)
  await sit(page)
  await seated(page)
  await playOn(page, match, seed, until)
  return match
}

/** Every group that is seen names its carrier, however small it is. */
async function namesItsCarriers(page: Page, size: string): Promise<void> {
  expect(await unnamed(page), size).toEqual([])
}

/** N10: the frames of neighbours touch neither each other nor another counter. */
async function framesLieApart(page: Page, size: string): Promise<void> {
  const frames = page.locator('.stage .counter.glowing .halo')
  await expect.poll(() => frames.count()).toBeGreaterThan(1)
  const touching = await frames.evaluateAll((all) => {
    const boxes = all.map((one) => {
      const box = (one as SVGGraphicsElement).getBoundingClientRect()
      const { a } = (one as SVGGraphicsElement).getScreenCTM()!
      const half = (parseFloat(getComputedStyle(one).strokeWidth) * a) / 2
      return { left: box.left - half, right: box.right + half, top: box.top - half, bottom: box.bottom + half }
    })
    const over = (one: Omit<DOMRect, 'toJSON' | 'x' | 'y' | 'width' | 'height'>, two: typeof one): boolean =>
      Math.min(one.right, two.right) - Math.max(one.left, two.left) > 0.2 &&
      Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 0.2
    return boxes.filter((one, place) => boxes.some((two, other) => other !== place && over(one, two))).length
  })
  expect(touching, size).toBe(0)
}

async function isRead(page: Page, match: string, windows = WINDOWS, also?: Position['also']): Promise<void> {
  for (const { width, height, text, counter, share } of windows) {
    await page.setViewportSize({ width, height })
    await page.goto(`/match/${match}`)
    const dismiss = page.getByRole('button', { name: 'Dismiss' })
    await page.locator('.prompt').waitFor()
    // A telephone may have opened the hand.
    const board = page.locator('.tabs button').first()
    if (width < 700) await board.click()
    await seated(page)
    await page.mouse.move(2, 2)
    await expect(async () => {
      // What was missed is loaded with the first of it, and comes late.
      if (await dismiss.isVisible()) await dismiss.click()
      const found = await measured(page)
      expect(found.text, found.says).toBeGreaterThanOrEqual(text - 0.05)
      expect(found.counter, 'the smallest counter').toBeGreaterThanOrEqual(counter)
      expect(found.share, 'the part of the window that the board has').toBeGreaterThanOrEqual(share)
      expect(found.covered, 'words under counters').toEqual([])
      expect(found.hidden, 'what is written on counters, under their neighbours').toEqual([])
      expect(found.crossed, 'words on words').toEqual([])
      expect(found.cut, 'scores and names that are cut').toEqual([])
      expect(found.under, 'under a button to zoom by').toEqual([])
    }, `${width} × ${height}`).toPass({ timeout: 5_000, intervals: [100, 300] })
    await also?.(page, `${width} × ${height}`)
  }
}

for (const [name, position] of Object.entries(BOARDS)) {
  // Onlookers and the replay are looked at in the least window of a desk, and in the soak in both.
  for (const [desks, marked] of [
    [WINDOWS.slice(0, 1), ''],
    [WINDOWS.slice(0, 2), ' @soak: in both windows'],
  ] as const) {
    test(`${name}: everything can be read, and the board has most of the window${marked}`, async ({ people }) => {
      const page = await people.person()
      const match = await played(page, position)
      await test.step('for a player', () => isRead(page, match, WINDOWS, position.also))
      await test.step('for an onlooker', async () => isRead(await people.person(), match, desks))
      await test.step('in the replay', async () => {
        for (const { width, height, share } of desks) {
          await page.setViewportSize({ width, height })
          await page.goto(`/match/${match}/replay`)
          await seated(page)
          await expect.poll(async () => (await measured(page)).share, `${width} × ${height}`).toBeGreaterThanOrEqual(share)
        }
      })
    })
  }
}

test('what is left of a move lies on no name of the map', async ({ people }) => {
  const page = await people.person()
  let match = ''
  // A campaign by chance may end before troops land.
  for (let [seed, asked] = [4, null as number | null]; asked === null; seed++) {
    expect(seed, 'campaigns in which no troops land').toBeLessThan(10)
    match = await offer(page, { against: 'solo', title: 'coral_sea', scenario: 'campaign' })
    await sit(page)
    await seated(page)
    ;({ asked } = await playOn(page, match, seed, { most: 6_000, least: 300, asks: 'land_at' }))
  }
  for (const { width, height } of WINDOWS.slice(0, 2)) {
    await page.setViewportSize({ width, height })
    await page.goto(`/match/${match}`)
    await seated(page)
    await expect(page.locator('.under-way .left')).toBeVisible()
    expect(await namesUnder(page, '.under-way .left rect'), `${width} × ${height}`).toEqual([])
  }
})

test('C18 the mark of the Truk Fleet is read beside the number of its stack', async ({ people }) => {
  const page = await people.person()
  const marks = page.locator('.heap .truk')
  let match = ''
  // A campaign by chance may end before a unit of the fleet lies on top of a stack.
  for (let seed = 7; !(await marks.count()); seed++) {
    expect(seed, 'campaigns without the Truk Fleet on top of a stack').toBeLessThan(17)
    match = await offer(page, { against: 'solo', title: 'coral_sea', scenario: 'campaign' })
    await sit(page)
    await seated(page)
    for (let asked: number | null = 0, least = 300; asked !== null && !(await marks.count()); least += 200) {
      ;({ asked } = await playOn(page, match, seed, { most: 6_000, asks: 'play_card', least }))
      await page.goto(`/match/${match}`)
      await seated(page)
    }
  }
  await isRead(page, match, WINDOWS.slice(0, 1))
})

test('Coral Sea: no word of the map lies under counters, wherever those of a side or of both may lie', async ({ people }) => {
  const page = await people.person()
  const match = await offer(page, { against: 'solo', title: 'coral_sea', scenario: 'campaign' })
  await sit(page)
  for (const { width, height } of [
    ...WINDOWS,
    { width: 1920, height: 1080 },
    { width: 2560, height: 1080 },
    { width: 1024, height: 768 },
  ]) {
    await page.setViewportSize({ width, height })
    await page.goto(`/match/${match}`)
    await page.locator('.prompt').waitFor()
    if (width < 700) await page.locator('.tabs button').first().click()
    await seated(page)
    expect(await underStacks(page, HEAP), `${width} × ${height}`).toEqual([])
  }
})

test('what is folded away is brought back by a click or a key, and stays so', async ({ people }) => {
  const page = await people.person()
  await page.setViewportSize({ width: 1280, height: 720 })
  await offer(page, { against: 'solo', title: 'coral_sea', scenario: 'campaign' })
  await sit(page)
  await seated(page)
  const [log, tray, sides] = [page.getByRole('log'), page.locator('.tray.strip'), page.locator('.left.scroll')]
  await expect(tray).toBeVisible()
  await expect(sides).toHaveCount(0)

  await page.getByRole('button', { name: 'Unfold: Hand' }).click()
  await expect(tray).toHaveCount(0)
  await page.keyboard.press('l')
  await expect(log).toHaveCount(0)
  await page.keyboard.press('s')
  await expect(sides).toBeVisible()

  await page.reload()
  await seated(page)
  await expect(tray).toHaveCount(0)
  await expect(log).toHaveCount(0)
  await expect(sides).toBeVisible()
  await page.getByRole('button', { name: 'Log', exact: true }).click()
  await expect(log).toBeVisible()
})

test('a prompt with more to say than it has room for covers nothing of the board, and all of it can be read', async ({ people }) => {
  const page = await people.person()
  await offer(page, { against: 'solo' })
  await sit(page)
  await seated(page)
  for (const { width, height } of WINDOWS) {
    await page.setViewportSize({ width, height })
    await expect(page.locator('.prompt .words p').first()).toBeVisible()
    const board = await page.locator('.stage').boundingBox()
    const read = await page.evaluate(() => {
      const words = document.querySelector('.prompt .words')!
      const more = Array.from({ length: 4 }, () => {
        const line = words.firstElementChild!.cloneNode() as Element
        line.textContent = 'Held back until it is whole: nobody else sees it.'
        return line
      })
      words.append(...more)
      words.scrollTop = words.scrollHeight
      const [whole, last, prompt] = [words, more.at(-1)!, words.parentElement!].map((one) => one.getBoundingClientRect().bottom)
      for (const line of more) line.remove()
      return { whole: whole!, last: last!, prompt: prompt! }
    })
    expect(read.last, `${width} × ${height}`).toBeLessThanOrEqual(read.whole + 1)
    expect(read.whole).toBeLessThanOrEqual(board!.y)
    expect(read.prompt).toBeLessThanOrEqual(board!.y)
  }
})

test('a side line shows all of its score, however long that is', async ({ people }) => {
  const page = await people.person()
  await page.setViewportSize({ width: 1280, height: 720 })
  await offerNimitz(page, 'alone')
  await sit(page)
  await seated(page)
  const line = page.getByRole('list', { name: 'Sides' }).getByRole('listitem').first()
  await line.locator('.score').evaluate((one) => (one.textContent = '14 · Historical victory'))

  const [room, score] = [await line.boundingBox(), await line.locator('.score').boundingBox()]

  expect(score!.x + score!.width).toBeLessThanOrEqual(room!.x + room!.width)
})
