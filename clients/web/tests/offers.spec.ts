import { clocked } from './clocked'
import { boardOf, choose, duel, expect, factsOf, glowing, invitation, offer, over, type Page, seated, sideLine, sit, test } from './table'

/** Launches one group from the deck, and says so when everybody sees it. */
async function launch(player: Page, id: string, others: Page[]): Promise<void> {
  const before = await player.locator(`[data-id="${id}"]`).getAttribute('aria-label')
  await choose(player, id)
  const box = player.locator('.stage .box.glowing').first()
  if (await box.count()) await box.click()
  for (const page of [player, ...others]) await expect(page.locator(`[data-id="${id}"]`)).not.toHaveAttribute('aria-label', before!)
}

const undo = (page: Page) => page.locator('.prompt .undo')
const banner = (page: Page) => page.locator('.offer')
const lastTold = (page: Page, how: string) => page.locator('.log .entry p', { hasText: how }).last()

const DONE = 'Done planning'
const UNSEEN = 'a decision of which nothing is to be seen'
const SINCE = ', and with it what was decided since'

async function fromMenu(page: Page, name: string): Promise<void> {
  await page.getByText('Match ▾').click()
  await page.locator('.menu').getByRole('button', { name }).click()
}

test('undo alone, with the other side’s consent, and a draw: offered, declined, agreed', async ({ people }) => {
  const [japan, america] = await duel(people)
  await expect(glowing(japan).first()).toBeVisible()
  const start = await boardOf(japan)

  await test.step('nothing to take back is said by the button, not by a refusal', async () => {
    await expect(undo(japan)).toBeDisabled()
    await expect(undo(america)).toBeDisabled()
  })

  await test.step('one’s own last decision is taken back alone', async () => {
    await launch(japan, 'KAG-D1', [america])
    await expect(america.locator('.stage .box.busy')).toHaveAttribute('aria-label', /: 1 group, \d+ strength points$/)
    await expect(undo(america)).toBeDisabled()
    await undo(japan).click()
    await expect.poll(() => boardOf(america)).toEqual(start)
    await expect(undo(japan)).toBeDisabled()
  })

  await test.step('across the other side’s decision it takes both', async () => {
    await launch(japan, 'KAG-D1', [america])
    // Japan is done with launching and planning; then the other side plans.
    const done = japan.getByRole('button', { name: /^Done/ })
    await expect(async () => {
      if (await done.isEnabled({ timeout: 500 }).catch(() => false)) await done.click({ timeout: 1_000 })
      await expect(america.locator('.prompt.mine')).toBeVisible({ timeout: 500 })
    }).toPass()
    const before = await boardOf(america)
    const group = (await america.locator('.counter.glowing').first().getAttribute('data-id'))!
    await launch(america, group, [japan])
    await expect(undo(japan)).toHaveText(`↶ Ask to take back: ${DONE}`)
    await expect(undo(america)).toBeEnabled()
    const after = await boardOf(america)
    expect(after).not.toEqual(before)

    await fromMenu(japan, 'Ask to take back')
    // Also after a reload; the words are those of the decision, and not of the launch that came after it.
    for (const again of [false, true]) {
      if (again) await Promise.all([japan, america].map((page) => page.reload()))
      await expect(banner(japan)).toHaveText(`You asked to take back “${DONE}”${SINCE}.`)
      await expect(banner(america)).toHaveText(`Red admiral asks to take back ${UNSEEN}${SINCE}. Agree Decline`)
      await expect(lastTold(japan, 'asked')).toHaveText(`Red admiral asked to take back “${DONE}”${SINCE} Show it`)
      await expect(lastTold(america, 'asked')).toHaveText(`Red admiral asked to take back ${UNSEEN}${SINCE} Show it`)
    }
    await banner(america).getByRole('button', { name: 'Decline' }).click()
    await expect(banner(america)).toHaveCount(0)
    await expect(japan.locator('.prompt .news')).toHaveText('Blue admiral declined the undo.')
    expect(await boardOf(japan)).toEqual(after)

    await fromMenu(japan, 'Ask to take back')
    await banner(america).getByRole('button', { name: 'Agree' }).click()
    await expect(japan.locator('.prompt .news')).toHaveText(`Red admiral took back “${DONE}”${SINCE}.`)
    await expect(america.locator('.prompt .news')).toHaveText(`Red admiral took back ${UNSEEN}${SINCE}.`)
    await expect(lastTold(japan, 'took back')).toHaveText(`Red admiral took back “${DONE}”${SINCE} Show it`)
    await expect(lastTold(america, 'took back')).toHaveText(`Red admiral took back ${UNSEEN}${SINCE} Show it`)
    expect(await america.locator('.log p').allInnerTexts()).not.toContainEqual(expect.stringMatching(/[0-9a-f]{12,}|\bfact \d/))
    await expect.poll(() => boardOf(japan)).toEqual(await boardOf(america))
    expect(await boardOf(japan)).not.toEqual(after)
    await expect(japan.locator('.prompt.mine')).toBeVisible()
  })

  await test.step('an offer that the match has moved on from is gone', async () => {
    await launch(japan, 'KAG-T1', [america])
    await fromMenu(japan, 'Ask to take back')
    await expect(banner(america)).toContainText('asks to take back')
    await launch(japan, 'KAG-T2', [america])
    await expect(banner(america)).toHaveCount(0)
    await expect(banner(japan)).toHaveCount(0)
  })

  await test.step('a draw is declined, and play goes on', async () => {
    await fromMenu(america, 'Offer a draw')
    await expect(banner(america)).toContainText('You offered a draw')
    await expect(banner(japan)).toContainText('Blue admiral offers a draw')
    // Neither answer is what one would most press.
    await expect(banner(japan).locator('button.primary')).toHaveCount(0)
    await banner(japan).getByRole('button', { name: 'Decline' }).click()
    await expect(america.locator('.prompt .news')).toHaveText('Red admiral declined the draw.')
    await expect(banner(america)).toHaveCount(0)
    expect(await over(america)).toBe(false)
  })

  await test.step('a draw is agreed on, and the match is over', async () => {
    await fromMenu(japan, 'Offer a draw')
    await banner(america).getByRole('button', { name: 'Agree' }).click()
    for (const page of [japan, america]) {
      await expect(page.locator('.prompt .words')).toContainText('The match is drawn. Both sides agreed on a draw.')
    }
  })
})

test('time runs out: the rules decide instead, and the page says so', async ({ people, server }) => {
  const [japan, america] = await clocked(people, server, 10)
  const bar = (page: Page, side: string) => page.getByRole('group', { name: 'Clocks' }).locator('.side', { hasText: side })
  const clock = (page: Page, side: string) => bar(page, side).getByRole('timer')
  await expect(bar(japan, 'Japan').locator('.clock')).toContainText('▶')
  await expect(japan.getByRole('timer')).toHaveCount(2)
  await expect(clock(japan, 'United States')).toHaveText('0:10')
  const before = await factsOf(america)

  for (const page of [japan, america]) {
    await expect(page.locator('.prompt .news')).toContainText('The time of Red admiral has run out: the rules decided instead.', {
      timeout: 30_000,
    })
    await expect(clock(page, 'Japan')).toHaveText('0:00')
    await expect(page.getByRole('group', { name: 'Clocks' }).locator('.clock.low').first()).toContainText('out')
    await expect(page.locator('.log')).toContainText('The time of Red admiral has run out')
  }
  expect(await factsOf(america)).toBeGreaterThan(before)
  await expect(undo(japan)).toBeDisabled()
  await expect(japan.locator('.refused')).toHaveCount(0)
})

test('whoever waits for what does not come can claim the time-out, at every size', async ({ people, server }) => {
  const [japan, america] = await clocked(people, server, 20)
  await expect(america.getByRole('button', { name: 'Claim the time-out' })).toHaveCount(0)
  let held = false
  await america.routeWebSocket('**/socket', (page) => {
    page.connectToServer().onMessage((message) => {
      if (!held || !String(message).includes('"t":"frame"')) page.send(message)
    })
  })
  await america.reload()
  await seated(america)

  // What the rules decide instead does not reach him: as far as he knows nobody has claimed anything.
  held = true
  await expect(america.getByRole('button', { name: 'Claim the time-out' })).toBeVisible({ timeout: 30_000 })
  // The server claims 20 ms after the end of the time, twice until Japan is asked nothing more; a quick click
  // before that is the first claim, and is not refused.
  await expect(japan.locator('.prompt')).toContainText('Waiting for Blue admiral')

  for (const [width, height] of [
    [1440, 900],
    [1280, 720],
    [390, 844],
  ] as const) {
    await america.setViewportSize({ width, height })
    await america.getByRole('button', { name: 'Claim the time-out' }).click()
    await expect(america.locator('.refused'), `${width} × ${height}`).toBeVisible()
    await america.locator('.refused').getByRole('button', { name: 'Close' }).click()
  }
  await expect(japan.getByRole('button', { name: 'Claim the time-out' })).toHaveCount(0)
})

/** When the clock of Japan is out by what a page shows, in seconds by the time of this machine, which no test sets. */
function outAt(page: Page): Promise<number> {
  return page
    .getByRole('group', { name: 'Clocks' })
    .locator('.side', { hasText: 'Japan' })
    .getByRole('timer')
    .evaluate((clock) => {
      const [minutes, seconds] = clock.textContent.split(':').map(Number)
      return 60 * minutes! + seconds! + (performance.timeOrigin + performance.now()) / 1_000
    })
}

test('clocks show the server’s time on computers that are five minutes ahead or behind, and none claims early', async ({
  people,
  server,
}) => {
  const pages = await clocked(people, server, 240)
  const known = await outAt(pages[0])

  for (const [number, page] of pages.entries()) {
    await page.addInitScript(
      (wrong) => {
        const { now } = Date
        Date.now = () => now() + wrong
      },
      number ? 300_000 : -300_000,
    )
    await page.reload()
    await seated(page)
  }

  for (const page of pages) {
    await expect(page.getByRole('group', { name: 'Clocks' }).locator('.running')).toHaveCount(1)
    expect(Math.abs((await outAt(page)) - known)).toBeLessThan(2)
    await expect(page.locator('.clock.low')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Claim the time-out' })).toHaveCount(0)
  }
})

test('a name that is kept a moment after its seat is taken is known once play begins', async ({ people }) => {
  const [japan, america] = [await people.person(), await people.person()]
  let kept = false
  const lookup = /\/api\/matches\/[0-9a-f-]{36}$/
  await japan.route(lookup, async (route) => {
    const response = await route.fetch()
    const match = (await response.json()) as { seats: { player: string }[] }
    if (!kept) match.seats[1]!.player = ''
    await route.fulfill({ response, json: match })
  })
  const held: (() => void)[] = []
  await america.routeWebSocket('**/socket', (page) => {
    const server = page.connectToServer()
    page.onMessage((message) => {
      // With this play begins.
      if (String(message).includes('"t":"show"')) held.push(() => server.send(message))
      else server.send(message)
    })
  })
  await offer(japan, { against: 'person', side: 'Japan', name: 'Red admiral' })
  const link = await invitation(japan, /Copy the link for United States/)
  await sit(japan)
  await america.goto(link)
  await america.getByLabel('Your name').fill('Blue admiral')
  await expect(japan.locator('.invite')).toContainText('Red admiral')

  const asked = japan.waitForResponse(lookup)
  await sit(america)
  await asked
  await expect(japan.locator('.invite')).not.toContainText('Blue admiral')
  kept = true
  await expect.poll(() => held.length).toBe(1)
  held[0]!()

  await expect(sideLine(japan, 'United States')).toContainText('Blue admiral')
})
