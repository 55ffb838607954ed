import { clocked } from './clocked'
import { startWire } from './server'
import {
  boardOf,
  chances,
  clickWhatGlows,
  expect,
  factsOf,
  glowing,
  invitation,
  offer,
  over,
  type Page,
  seated,
  settled,
  sit,
  test,
} from './table'

test('a connection cut in mid-decision is mended, and the decision counts once', async ({ people, server }) => {
  people.expectBreaks()
  const wire = await startWire(server.url)
  const player = await people.person()
  await offer(player, { against: 'solo' }, wire.url)
  await sit(player)
  await seated(player)
  const onlooker = await people.person()
  await onlooker.goto(player.url().replace(wire.url, server.url))
  await seated(onlooker)
  await expect(glowing(player).first()).toBeVisible()
  const before = await factsOf(onlooker)

  // The decision gets through; its answer does not.
  wire.deafen()
  const counter = player.locator('.stage .counter.glowing').first()
  const id = await counter.getAttribute('data-id')
  await counter.click({ force: true })
  const box = player.locator('.stage .box.glowing')
  if (await box.count()) await box.first().click({ force: true })
  await expect.poll(() => factsOf(onlooker)).toBeGreaterThan(before)
  const after = await factsOf(onlooker)
  wire.cut()
  await expect(player.locator('header .line')).not.toHaveClass(/open/)
  wire.mend()

  await expect(player.locator('header .line')).toHaveClass(/open/, { timeout: 20_000 })
  await expect.poll(() => factsOf(player)).toBe(after)
  expect(await factsOf(onlooker)).toBe(after)
  expect(await boardOf(player)).toEqual(await boardOf(onlooker))
  await expect(player.locator(`.stage [data-id="${id}"]`)).not.toHaveAttribute('data-glow', 'true')
  await expect(glowing(player).first()).toBeVisible()
  wire.close()
})

test('a page that is asked for while the server is away says so, and comes when it is back', async ({
  browser,
  server,
  contextOptions,
}) => {
  const wire = await startWire(server.url)
  // What a browser reports of such a time is no fault of the page.
  const context = await browser.newContext({ ...contextOptions, baseURL: wire.url })
  const other = await browser.newContext({ ...contextOptions, baseURL: wire.url })
  const [reader, guest, late] = [await context.newPage(), await context.newPage(), await other.newPage()]
  for (const page of [reader, guest, late]) {
    await page.goto('/')
    await page.waitForLoadState('networkidle')
  }
  // All parts of the lobby that he asks for are in his cache.
  await late.goto('/verify')
  await expect(late.getByRole('heading', { name: 'Verify a match' })).toBeVisible()
  wire.cut()

  await reader.getByRole('link', { name: 'Verify a record' }).click()
  await expect(reader.getByRole('alert')).toHaveText('The server does not answer. The page waits for it.')
  await expect(guest.getByRole('status')).toContainText('Connecting')
  await guest.getByRole('button', { name: 'Offer a match of Midway' }).click()
  await expect(guest.getByRole('alert')).toContainText('does not answer')
  await expect(guest.getByRole('heading', { level: 1 })).toBeVisible()
  await late.getByRole('link', { name: 'Fleetfold, the lobby' }).click()
  await expect(late.getByRole('alert')).toHaveText('The server cannot be reached.')
  wire.mend()

  await expect(reader.getByRole('heading', { name: 'Verify a match' })).toBeVisible()
  for (const page of [guest, late]) {
    await expect(page.getByRole('button', { name: /^Play now/ }).first()).toBeEnabled({ timeout: 20_000 })
    await expect(page.getByRole('alert')).toHaveCount(0)
  }
  await context.close()
  await other.close()
  wire.close()
})

test('the server is restarted in mid-match, and play goes on by itself', async ({ people, server }) => {
  people.expectBreaks()
  const player = await people.person()
  await offer(player, { against: 'solo' })
  await sit(player)
  await seated(player)
  const chance = chances(3)
  for (let round = 0; round < 12; round++) await clickWhatGlows(player, chance)
  await expect(glowing(player).first()).toBeVisible()
  const before = await boardOf(player)

  await server.restart()

  await expect(player.locator('header .line')).toHaveClass(/open/, { timeout: 30_000 })
  await expect.poll(() => boardOf(player)).toEqual(before)
  const facts = await factsOf(player)
  await expect
    .poll(
      async () => {
        await clickWhatGlows(player, chance)
        return factsOf(player)
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(facts)
})

test('two tabs on one seat show the same and either may decide; back and forward; a stale link', async ({ people }) => {
  const one = await people.person()
  const match = await offer(one, { against: 'person', side: 'Japan' })
  const link = await invitation(one, /Copy the link for United States/)
  await sit(one)
  const other = await people.person()
  await other.goto(link)
  await sit(other)
  await seated(one)
  const two = await one.context().newPage()
  await two.goto(`/match/${match}`)
  await seated(two)

  await test.step('two tabs', async () => {
    await expect(glowing(two).first()).toBeVisible()
    const chance = chances(11)
    for (const page of [one, two, one, two]) {
      // A click may have ended the step, so that the other side is asked now.
      await expect.poll(async () => (await glowing(page).count()) + (await glowing(other).count())).toBeGreaterThan(0)
      if (!(await glowing(page).count())) break
      const before = await boardOf(page)
      await expect
        .poll(async () => {
          await clickWhatGlows(page, chance)
          return boardOf(page)
        })
        .not.toEqual(before)
      const differing = async () => new Set((await Promise.all([one, two, other].map(boardOf))).map(String)).size
      await expect.poll(differing).toBe(1)
      if (await over(one)) break
      if (!(await glowing(one).count())) break
    }
  })

  await test.step('back and forward', async () => {
    await settled(two)
    const before = await boardOf(two)
    await two.getByText('Match ▾').click()
    await two.getByRole('link', { name: 'Replay' }).click()
    await expect(two.getByText('This is the past')).toBeVisible()
    await two.goBack()
    await seated(two)
    await expect.poll(() => boardOf(two)).toEqual(before)
    await two.goForward()
    await expect(two.getByText('This is the past')).toBeVisible()
    await two.goBack()
    await seated(two)
  })

  await test.step('a stale link', async () => {
    const stranger = await people.person()
    await stranger.goto(`/match/${match}#${'A'.repeat(32)}`)
    await expect(stranger.getByRole('heading', { name: 'This link opens no seat' })).toBeVisible()
    await stranger.getByRole('link', { name: 'To the lobby' }).click()
    await expect(stranger.getByRole('heading', { name: /Wargames of the Pacific/ })).toBeVisible()
  })
})

/** Says that a page is looked at, or is not. */
function look(page: Page, hidden: boolean): Promise<void> {
  return page.evaluate((away) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: away })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)
}

test('a match that nobody looks at lets its connection go, and has it again at a glance', async ({ people, server }) => {
  const player = await people.person()
  await player.clock.install()
  await offer(player, { against: 'solo' }, server.url)
  await sit(player)
  await seated(player)
  const line = player.locator('header .line')
  await expect(line).toHaveClass(/open/)

  await look(player, true)
  await player.clock.fastForward('05:00')
  await expect(line).toHaveClass(/open/)
  await player.clock.fastForward('06:00')
  await expect(line).toHaveClass(/lost/)
  await player.clock.fastForward('01:00:00')
  await expect(line).toHaveClass(/lost/)

  await look(player, false)
  await expect(line).toHaveClass(/open/)
  await expect(glowing(player).first()).toBeVisible()
})

for (const by_claim of [undefined, true] as const) {
  test(`a clock that runs by ${by_claim ? 'days' : 'the minute'} ${by_claim ? 'lets' : 'does not let'} a match rest`, async ({
    people,
    server,
  }) => {
    const [player] = await clocked(people, server, 3_600, false, by_claim && { by_claim })
    await player.clock.install()

    await look(player, true)
    await player.clock.fastForward('20:00')

    await expect(player.locator('header .line')).toHaveClass(by_claim ? /lost/ : /open/)
  })
}
