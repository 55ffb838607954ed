import { faults } from './axe'
import { offerNimitz } from './nimitz'
import { playOn, type Until } from './quick'
import { expect, factsOf, paced, type Page, pocketed, seated, sit, test, typed, type Watched } from './table'

interface Fought {
  page: Page
  match: string
  /** What was waited for is asked; else the campaign came to its end or to too many facts. */
  asked: boolean
}

/** A campaign of 1944 alone, played by chance until somebody is asked this. */
async function fought(people: Watched, until: Omit<Until, 'most'>, pace: 'off' | 'quick' = 'off'): Promise<Fought> {
  const page = await people.person()
  const match = await offerNimitz(page, 'alone', '1944')
  await sit(page)
  await seated(page)
  const { asked } = await playOn(page, match, 4, { ...until, most: 12_000 })
  await paced(page, pace)
  await page.goto(`/match/${match}`)
  await seated(page)
  // It comes late, and would move away from under the pointer what is to be clicked.
  const dismiss = page.getByRole('button', { name: 'Dismiss' })
  await dismiss.click({ timeout: 5_000 }).catch(() => undefined)
  return { page, match, asked: asked !== null }
}

test('combat is shown where it happens, dice first, in play and in replay', async ({ people }) => {
  const { page, match } = await fought(people, { asks: 'SendAircraft', least: 250 }, 'quick')
  const beat = page.locator('.stage .fray')
  const combat = (): Promise<number> =>
    page.evaluate(async (id) => {
      const lines = (await (await fetch(`/api/matches/${id}/steps`)).text()).trim().split('\n')
      const steps = lines.map((line) => JSON.parse(line) as { upto: number; facts: { type: string; body: string }[] })
      const said = (facts: { type: string; body: string }[], kind: string): { step?: string; purpose?: string }[] =>
        facts.filter(({ type }) => type === kind).map(({ body }) => JSON.parse(body) as object)
      const fights = (step: (typeof steps)[0]): boolean =>
        said(step.facts, 'CombatBegan').some(({ step: combat }) => said(step.facts, 'Rolled').some(({ purpose }) => purpose === combat))
      return steps.findLast(fights)?.upto ?? 0
    }, match)

  await test.step('in play', async () => {
    for (let round = 0; !(await beat.count()); round++) {
      expect(round, 'there is combat').toBeLessThan(60)
      const bundle = page.locator('.prompt [data-bundle]').first()
      const leave = page.locator('.prompt [data-glow]:not([disabled])').last()
      const target = (await bundle.count()) ? bundle : (await leave.count()) ? leave : page.locator('.stage [data-glow]').first()
      // While a decision is on its way nothing can be clicked, and afterwards it may be another thing.
      await target.click({ force: true, timeout: 1_000 }).catch(() => undefined)
      await page.waitForTimeout(250)
    }
    await expect(beat.locator('.die').first()).toBeAttached()
    await expect(beat).toHaveCount(0, { timeout: 15_000 })
  })

  const seq = await combat()
  await page.goto(`/match/${match}/replay#${seq}`)
  await expect(page.getByRole('slider', { name: 'Moment of the match' })).toBeVisible()
  const fall = (): Promise<number> =>
    beat
      .locator('.die')
      .first()
      .evaluate((die) => Number.parseFloat(getComputedStyle(die).animationDuration))
  await test.step('in replay, and nothing moves for those who want no motion', async () => {
    await expect(beat).toHaveCount(0)
    await expect(async () => {
      await page.keyboard.press('ArrowLeft')
      await expect(beat).toBeVisible({ timeout: 500 })
    }).toPass()
    expect(await fall()).toBeLessThan(0.01)
    await page.keyboard.press('Shift+ArrowRight')
    await expect(beat).toHaveCount(0)
  })

  await test.step('for others the dice fall', async () => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await expect(async () => {
      await page.keyboard.press('ArrowLeft')
      await expect(beat).toBeVisible({ timeout: 500 })
    }).toPass()
    expect(await fall()).toBeGreaterThan(0.2)
  })
})

test('a hit is given at once while its commander is asked about the next one, and can be taken back', async ({ people }) => {
  interface Prompts {
    prompts?: { text: string; options: { type: string }[]; quiet?: number[] }[]
  }
  let now: NonNullable<Prompts['prompts']> = []
  const page = await people.person()
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => (now = (JSON.parse(String(payload)) as Prompts).prompts ?? now)),
  )
  const asked = /hit 1 of \d+ on .* Choose which/
  // A single hit is quiet, too, where a plan may cancel it.
  const quiet = (): boolean => now.some(({ text, options, quiet }) => asked.test(text) && quiet?.length === options.length)
  const match = await offerNimitz(page, 'alone', '1944')
  await sit(page)
  await seated(page)
  for (let least = 0; !quiet();) {
    const found = await playOn(page, match, 4, { asks: 'AllocateHit', least, most: 12_000 })
    expect(found.asked, 'hits are given one after the other').not.toBeNull()
    least = found.facts + 1
  }
  await page.addInitScript(() => localStorage.setItem('fleetfold.tastes', '{"pace":"off","undo":60}'))
  await page.goto(`/match/${match}`)
  await seated(page)
  const words = page.locator('.prompt .words')
  await expect(words).toContainText(asked, { timeout: 60_000 })

  await typed(page, '')

  await expect(page.locator('.prompt.kept')).toHaveCount(0)
  await expect(words).not.toContainText(asked)
  await page.locator('.prompt .undo').click()
  await expect(words).toContainText(asked)
})

test('an airfield that can be hit glows, and is hit with a click', async ({ people }) => {
  // A campaign played by chance need not come to that.
  let { page, asked } = await fought(people, { asks: 'AllocateHit', says: 'airfield' })
  for (let campaign = 1; !asked && campaign < 20; campaign++) {
    await page.close()
    ;({ page, asked } = await fought(people, { asks: 'AllocateHit', says: 'airfield' }))
  }
  const field = page.locator('.stage [data-id^="airfield:"][data-glow]')
  // The page saw some thousand decisions made in seconds, and may be behind.
  await expect(field).toHaveCount(1, { timeout: 60_000 })
  const side = (await field.getAttribute('data-id'))!.slice(-2)
  await expect(page.locator('.prompt.mine')).toContainText(
    /(1 hit|hit \d of \d) on (Japan|the United States)\. Choose which of \d+ takes it/,
  )
  const name = side === 'JA' ? 'Japan' : 'the United States'
  await expect(field).toHaveAttribute('aria-label', `an airfield of ${name}`)
  const before = await factsOf(page)
  // Beside the counters that stand on it.
  await field.click({ position: { x: 6, y: 6 } })
  await expect.poll(() => factsOf(page)).toBeGreaterThan(before)
  // A plan that is held may spare it: then what is hit is named, and lit up.
  const take = page.getByRole('button', { name: 'Take the hit' })
  if (await take.count()) {
    await expect(page.locator('.prompt.mine')).toContainText(/hit( \d+ of \d+)? falls on an airfield\. Cancel it with a plan, or take it\./)
    await expect(page.locator('.stage .zone.lit')).toHaveCount(1)
    await take.click()
  }
  await expect(page.locator('.log .entry', { hasText: /airfields? left to .+: hit by/ }).last()).toBeVisible()
  await expect(page.locator('.refused')).toHaveCount(0)
})

test('on a telephone the battle areas are stacked, what can be chosen is as large as a finger, and nothing is in the way', async ({
  people,
}) => {
  const { page, match } = await fought(people, { asks: 'SendAircraft', least: 250 }, 'quick')
  const phone = await people.person(true)
  await pocketed(page, phone)
  await phone.goto(`/match/${match}`)
  await seated(phone)
  const areas = phone.locator('.stage .water')
  await expect(areas).toHaveCount(4)
  const boxes = await areas.evaluateAll((all) =>
    all.map((one) => one.getBoundingClientRect()).map(({ left, right, top, bottom }) => ({ left, right, top, bottom })),
  )

  for (const [place, { left, right, top }] of boxes.entries()) {
    expect(left).toBeGreaterThanOrEqual(0)
    expect(right).toBeLessThanOrEqual(390)
    if (place) expect(top).toBeGreaterThan(boxes[place - 1]!.bottom)
  }
  const sizes = await phone
    .locator('.stage [data-glow]')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height)))
  expect(sizes.length).toBeGreaterThan(0)
  for (const size of sizes) expect(size).toBeGreaterThanOrEqual(40)
  await expect(phone.locator('.stage [data-glow]').first()).toBeInViewport()
  expect(await faults(phone)).toEqual([])

  await test.step('back to the map and to the battle', async () => {
    const all = phone.getByRole('button', { name: 'All', exact: true })
    if (await all.count()) await all.tap()
    await phone.getByRole('button', { name: 'Show the map' }).tap()
    await expect(areas).toHaveCount(0)
    await phone.getByRole('button', { name: 'To the battle' }).dispatchEvent('click')
    await expect(areas).toHaveCount(4)
  })

  await test.step('whoever looks at his plans is shown the dice on the board', async () => {
    await phone.getByRole('button', { name: 'Plans', exact: true }).tap()
    await expect(areas).toHaveCount(0)
    const scene = phone.locator('.stage .layer')
    // Decided on the desk: a tap here would end what is shown.
    await paced(page, 'off')
    await page.reload()
    await seated(page)
    for (let round = 0; !(await scene.count()); round++) {
      expect(round, 'there is combat').toBeLessThan(60)
      const leave = page.locator('.prompt [data-glow]:not([disabled])').last()
      const target = (await leave.count()) ? leave : page.locator('.stage [data-glow]').first()
      await target.click({ force: true, timeout: 1_000 }).catch(() => undefined)
      await scene.waitFor({ state: 'attached', timeout: 400 }).catch(() => undefined)
    }
    await expect(phone.getByRole('button', { name: 'Map', exact: true, pressed: true })).toBeVisible()
    await expect(areas).toHaveCount(4)
  })
})
