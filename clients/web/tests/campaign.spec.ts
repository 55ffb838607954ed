/** Guadalcanal at the page: a month against the house, and the bids of two. */

import { isAccessible } from './axe'
import { Admiral, guadalcanal } from './campaign'
import { expect, GLOWING, pocketed, seated, test } from './table'

test('a month of Guadalcanal is played against the house, from Command Points to the next ones', async ({ people }) => {
  const page = await people.person()
  const [me] = await guadalcanal([page])
  const chapter = (name: string | RegExp) => me!.log.getByRole('button', { name })

  await test.step('P10.3: Command Points are shared out on a board, as the house proposes', async () => {
    await expect(me!.date).toHaveText('August 1942, month begins')
    await expect(me!.phase()).toHaveText('G Command Points')
    const board = page.locator('div.purse')
    await expect(board).toContainText('58 of 58 left')
    await board.getByRole('button', { name: /^Set as proposed: 29 \/ 29/ }).click()
    await expect(board).toContainText('0 of 58 left')
    await board.getByRole('button', { name: 'Give out 58' }).click()
    await expect(me!.log).toContainText('Southwest Pacific Area 29 Command Points')
  })

  await test.step('P13 to P17: each step of the month has its question, and what comes is placed by a click on the map', async () => {
    await me!.until('P14.1')
    await expect(me!.phase()).toHaveText(/^I–M /)
    await expect(me!.words).toContainText('Choose where Marine Aircraft Group 23 comes')
    // A sheet is whole while the map is asked, too.
    await page.keyboard.press('p')
    const pools = page.getByRole('region', { name: 'Pools', exact: true })
    await expect(pools.getByLabel('Search by name')).toBeVisible()
    const [own, around] = await pools.evaluate((one) => [one, one.parentElement!].map((each) => each.getBoundingClientRect()))
    expect([own!.left - around!.left > 8, own!.width > 600]).toEqual([true, true])
    await page.keyboard.press('p')
    await page.locator(`.stage ${GLOWING}`).first().click()
    await expect(me!.words).not.toContainText('Marine Aircraft Group 23')
    await me!.until('P25.1')
    await expect(me!.phase()).toHaveText('N Submarine patrols')
  })

  await test.step('P11.3.1, P20.2: the Allies lead the first Operation; a support base, then the units that a steady player takes', async () => {
    await me!.until('P11.3.1')
    await page.locator(`.stage ${GLOWING}`).first().click()
    await me!.until('P20.2.2')
    await expect(me!.phase()).toHaveText('P Activation')
    const phone = await people.person(true)
    await pocketed(page, phone)
    await phone.goto(page.url())
    await seated(phone)
    for (const name of ['Give the Operation up', 'Suggest']) {
      await expect(new Admiral(phone).button(name), 'before the row is moved').toBeInViewport({ ratio: 0.7 })
    }
    await phone.close()
    await expect(me!.log).toContainText('has a support base')
    await me!.button(/^Pay from South Pacific Area/).click()
    const units = page.locator('.units > .tray')
    await expect(units.getByRole('button', { name: /^Activate/ }).nth(20)).toBeAttached()
    for (const [folded, most] of [
      [true, 66],
      [false, 216],
    ] as const) {
      const room = await units.evaluate((tray) => ({
        wide: tray.scrollWidth - tray.clientWidth,
        high: tray.clientHeight,
        below: tray.scrollHeight - tray.clientHeight,
      }))
      expect(room.wide, 'no unit is out of sight at the side').toBeLessThanOrEqual(1)
      expect(room.high, folded ? 'folded' : 'unfolded').toBeLessThanOrEqual(most)
      expect(room.high, 'more than one line').toBeGreaterThan(50)
      expect(room.below, 'the rest is scrolled to').toBeGreaterThan(0)
      await page.keyboard.press('t')
    }
    const wide = page.viewportSize()!
    for (const size of [{ width: 1280, height: 720 }, wide]) {
      await page.setViewportSize(size)
      const ends = me!.button('Give the Operation up')
      await expect(ends, 'what ends the step').toBeInViewport({ ratio: 1 })
      for (const top of [0, 999]) {
        await page.locator('.prompt .many').evaluate((row, to) => row.scrollTo({ top: to }), top)
        await expect(ends, 'however the row is moved').toBeInViewport({ ratio: 1 })
      }
    }
    await me!.suggested()
    await expect(me!.button('Done')).toBeVisible()
    await me!.button('Done').click()
  })

  await test.step('P23.4: a day of contact movement', async () => {
    await me!.until('P23.4')
    await me!.beside('Sides')
    await expect(me!.month).toContainText(/Operation 1.+Allies\s+from .+Level.+[123] of 3/s)
    await me!.beside('Log')
    await me!.sail()
    await me!.button('End the day').click()
    await me!.asked()
    await expect(me!.date).toHaveText('August 1942, day 1')
    await me!.button('End the contact movement').click()
    await me!.until('P26.1')
  })

  await test.step('P26.1, P32.1: a battle cycle, after which the task force stands down', async () => {
    await me!.button('Fight by day').click()
    await me!.until('P32.1')
    await expect(me!.date).toHaveText('August 1942, day 1 · cycle 1 · Day')
    await me!.fleet().click()
    await me!.until('P18.1')
  })

  await test.step('P18.1: bids lie in envelopes; without points of Japan the month ends', async () => {
    await expect(me!.phase()).toHaveText('O Bids')
    await expect(page.getByRole('img', { name: 'The bid of Japan: closed until both have bid' })).toBeVisible()
    await page.getByRole('group', { name: 'Your bid' }).getByRole('button', { name: 'Bid nothing' }).click()
    await me!.until('P10.3', 'September')
  })

  await test.step('P4.3: another month has begun, and the log has the chapters of the last one', async () => {
    await expect(me!.date).toHaveText('September 1942, month begins')
    await expect(me!.phase()).toHaveText('G Command Points')
    await expect(page.locator('div.purse')).toContainText(/\d+ of \d+ left/)
    for (const name of [/August 1942/, /Operation 1: Allies, from /, /September 1942/]) {
      await expect(chapter(name)).toHaveCount(1)
    }
    await me!.beside('Sides')
    await expect(me!.month.getByRole('heading', { level: 2 })).toHaveText('September 1942')
    await expect(me!.month.getByRole('row', { name: /^Locations/ })).toHaveText(/[1-9]/)
  })
})

const OPENED = /Japan bids 13 from .+; the Allies bid 17 from /

test('two bid for an Operation in closed envelopes, which are opened at once; then a day of it is played', async ({ people }) => {
  const pages = [await people.person(), await people.person()]
  const heard: string[] = []
  pages[1]!.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => heard.push(String(payload))))
  const both = (await guadalcanal(pages)) as [Admiral, Admiral]
  const [japan, america] = both

  await test.step('each goes through the month by himself; the first Operation is given up', async () => {
    for (const one of both) {
      const board = one.page.locator('div.purse')
      await board.getByRole('button', { name: /^Set as proposed/ }).click()
      await board.getByRole('button', { name: /^Give out/ }).click()
    }
    await Promise.all(both.map((one) => one.until('P25.1')))
    await Promise.all([japan.answer(await japan.asked()), america.until('P20.2.2')])
    await america.button('Give the Operation up').click()
    await Promise.all(both.map((one) => one.until('P18.1')))
  })

  const watcher = await people.person()
  await watcher.goto(japan.page.url())
  const envelope = (one: typeof japan) => one.page.getByRole('group', { name: 'Your bid' })
  const closed = (one: typeof japan) => one.page.getByRole('img', { name: /^The bid of .+: closed until both have bid$/ })
  const sealed = async (one: typeof japan, amount: number): Promise<void> => {
    await envelope(one).getByRole('slider', { name: 'How many' }).fill(`${amount}`)
    await envelope(one)
      .getByRole('button', { name: `Bid ${amount}` })
      .click()
  }
  await test.step('P18.1: the first bid is sealed, and nobody else sees it', async () => {
    for (const one of both) await expect(closed(one)).toBeVisible()
    heard.length = 0
    await sealed(japan, 13)
    await expect(japan.words).toContainText('Waiting for Allies')
    await expect(america.page.getByRole('list', { name: 'Sides' }).locator('.asked')).toHaveText([/Allies/])
    await expect(closed(america)).toBeVisible()
    for (const one of both) await expect(one.log).not.toContainText(OPENED)
    const frames = heard.map((one) => JSON.parse(one) as { t: string; facts: object[]; patch: object }).filter(({ t }) => t === 'frame')
    expect(frames.map(({ facts, patch }) => ({ facts, patch }))).toEqual([
      { facts: [], patch: { asked: [1], waited_since: expect.any(Number) } },
    ])
  })

  await test.step('P18.2: with the second both are opened, for both', async () => {
    await sealed(america, 17)
    for (const one of both) {
      await expect(one.log).toContainText(OPENED)
      await expect(closed(one)).toHaveCount(0)
    }
    for (const page of [...pages, watcher]) {
      const opened = page.getByRole('region', { name: 'The bids, opened' })
      await expect(opened.getByRole('figure')).toHaveText([/Japan bid 13 Command Points from .+/, /Allies bid 17 Command Points from .+/])
      await expect(opened).toContainText('Allies lead by the higher bid')
    }
    await isAccessible(america.page, 'the opened bids')
    await watcher.close()
  })

  await test.step('P23.4: the Operation begins, and a day of contact movement passes on both pages', async () => {
    await america.until('P20.2.2')
    await america.suggested()
    await expect(america.button('Done')).toBeVisible()
    await expect(america.page.getByRole('region', { name: 'The bids, opened' }), 'until units are activated').toHaveCount(0)
    await expect(japan.page.getByRole('region', { name: 'The bids, opened' })).toBeVisible()
    await america.button('Done').click()
    await america.until('P23.4')
    await expect(japan.page.getByRole('region', { name: 'The bids, opened' })).toHaveCount(0)
    await america.sail()
    await america.button('End the day').click()
    for (const one of both) {
      await expect(one.date).toHaveText('August 1942, day 2')
      await one.beside('Sides')
      await expect(one.month).toContainText('Operation 2')
    }
  })

  await test.step('P0.9.5: who is attacked orders that he passes, and is not asked on the next day', async () => {
    await japan.until('P23.5')
    await japan.button('Pass until a Detected enemy task force is within 3 hexes').click()
    await america.asked()
    await america.button('Go on with another day').click()
    await america.until('P23.4')
    await america.button('End the day').click()
    await expect(america.button('Go on with another day')).toBeVisible()
    for (const one of both) await expect(one.date).toHaveText('August 1942, day 3')
    await expect(japan.words).toContainText('Waiting for Allies')
  })

  await test.step('P5.2, P32.1: both answer what they are asked, through contact, a cycle and standing down, until they bid again', async () => {
    await Promise.all(both.map((one) => one.until('P18.1')))
    for (const one of both) {
      await expect(one.phase()).toHaveText('O Bids')
      await expect(closed(one)).toBeVisible()
      await one.beside('Log')
      await expect(one.log).toContainText(/Cycle 1, M Deactivation.+The Operation is over/s)
    }
  })
})
