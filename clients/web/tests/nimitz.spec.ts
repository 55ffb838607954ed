import { faults } from './axe'
import { clickOne, offerNimitz, standing, WHERE } from './nimitz'
import { chances, choose, expect, glowing, over, paced, type Page, patience, seated, sit, test, typed } from './table'

test('one plays a whole turn of 1942 with its battles against the automated side, which says why', async ({ people }) => {
  const page = await people.person()
  await offerNimitz(page, 'alone')
  await expect(page.getByText(/Waiting for/)).toHaveCount(0)
  await sit(page)
  await seated(page)

  await test.step('nobody is there to agree to a draw', async () => {
    await page.getByText('Match ▾').click()
    await expect(page.getByRole('button', { name: 'Resign …' })).toBeVisible()
    await expect(page.getByRole('button', { name: /draw|take back/ })).toHaveCount(0)
    await page.getByText('Match ▾').click()
  })

  await test.step('stacks fan out and say what is in them; supply is traced', async () => {
    await page.locator('.stage [data-stack^="HI US"]').first().hover()
    await expect(page.locator('.stage .fan')).toBeVisible()
    await page.locator('.stage .fan [data-id]').first().hover()
    await expect(page.locator('[data-card]')).toContainText('Depth charges')
    await page.keyboard.press('Escape')
    await page.locator('.stage .area[data-id="SA"] .plate').hover()
    await expect(page.locator('.stage .link.traced')).not.toHaveCount(0)
  })

  let fought = false
  await test.step('to turn 2, or to the end if Hawaii falls', async () => {
    const [chance, tried] = [chances(11), patience(page)]
    while (!(await page.locator(WHERE).innerText()).includes('Turn 2') && !(await over(page))) {
      fought ||= (await page.locator('.stage .water').count()) > 0
      await tried(await clickOne(page, chance))
    }
  })
  expect(fought, 'the battle board was there').toBe(true)

  await test.step('the log says why', async () => {
    const turn = page.locator('.log h2 button', { hasText: 'Turn 1' })
    if ((await turn.getAttribute('aria-expanded')) === 'false') await turn.click()
    const why = page.locator('.log details', { hasText: 'to choose from' })
    await expect(why).not.toHaveCount(0)
    await why.first().locator('summary').click()
    await expect(why.first().locator('li').first()).toBeVisible()
  })

  await test.step('nothing is in the way of anybody', async () => {
    expect(await faults(page)).toEqual([])
  })
})

test('two play: what Japan decides in person comes from a second browser, and both boards agree', async ({ people }) => {
  const us = await people.person()
  const japan = await people.person()
  await offerNimitz(us, 'two')
  const link = await us.getByRole('textbox', { name: /Copy the link for Japan/ }).inputValue()
  await sit(us)
  await japan.goto(link)
  await sit(japan)
  for (const page of [us, japan]) await seated(page)

  let decided = 0
  const [chance, tried] = [chances(5), patience(us)]
  while (decided < 5 && !(await over(us))) {
    const asked = (await glowing(japan).count()) > 0
    if (asked && (await clickOne(japan, chance))) decided += 1
    // The American side is in a hurry: it ends its steps as soon as it may.
    const ending = us.locator('.prompt [data-glow]:not([disabled]):not(.primary)')
    await tried(
      asked ||
        ((await ending.count()) > 0
          ? (await ending
              .first()
              .click({ timeout: 1_000 })
              .catch(() => undefined),
            true)
          : await clickOne(us, chance)),
    )
  }
  expect(decided, 'Japan has decided').toBeGreaterThanOrEqual(5)
  // No stack lies open under a pointer.
  for (const page of [us, japan]) await page.locator('.prompt .words').hover()
  await expect(async () => expect(await standing(us)).toEqual(await standing(japan))).toPass({ timeout: 10_000 })
  expect((await standing(us)).length).toBeGreaterThan(4)
})

test('two commanders play a turn together: each decides his own part, in his own browser, and both boards agree', async ({ people }) => {
  const [pacific, southWest] = [await people.person(), await people.person()]
  const choosers: Page[] = []
  for (const page of [pacific, southWest]) {
    page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => String(payload).includes('"ChooseBattle"') && choosers.push(page)),
    )
  }
  await offerNimitz(pacific, 'commanders')
  const link = await pacific.getByRole('textbox', { name: /Copy the link for South West Pacific/ }).inputValue()
  await sit(pacific)
  await southWest.goto(link)
  await sit(southWest)
  for (const page of [pacific, southWest]) await seated(page)
  const asked = (page: Page): Promise<boolean> => page.locator('.prompt.mine').isVisible()
  const points = (page: Page): Promise<string[]> => page.locator('.card.us .big b').allInnerTexts()

  for (const page of [pacific, southWest]) await page.getByRole('button', { name: 'Sides', exact: true }).click()
  await test.step('the Pacific resupplies first, passes a point over and is done; then it is the South West’s turn', async () => {
    await expect(pacific.locator('.prompt.mine')).toContainText('Resupply')
    await expect(southWest.locator('.prompt')).toContainText('Waiting for Pacific Ocean Areas')
    expect(await points(pacific)).toEqual(['11', '10'])
    await pacific.getByRole('button', { name: 'Pass 1 SP to the other commander' }).click()
    for (const page of [pacific, southWest]) await expect.poll(() => points(page)).toEqual(['10', '11'])
    await pacific.getByRole('button', { name: 'Done with resupply' }).click()
    await expect(southWest.locator('.prompt.mine')).toContainText('Resupply')
    await expect(pacific.locator('.prompt.mine')).toHaveCount(0)
  })

  const decided = new Map([
    [pacific, 0],
    [southWest, 0],
  ])
  await test.step('they play the turn', async () => {
    const [chance, tried] = [chances(3), patience(pacific)]
    while (!(await pacific.locator(WHERE).innerText()).includes('Turn 2') && !(await over(pacific))) {
      let moved = false
      for (const page of [pacific, southWest]) {
        if (!(await asked(page))) continue
        if (!(await clickOne(page, chance))) continue
        decided.set(page, decided.get(page)! + 1)
        moved = true
      }
      await tried(moved)
    }
  })
  for (const clicks of decided.values()) expect(clicks, 'both have decided').toBeGreaterThan(3)
  if (choosers.length) expect(choosers[0], 'the South West chooses the first battle').toBe(southWest)
  for (const page of [pacific, southWest]) await page.locator('.prompt .words').hover()
  await expect(async () => expect(await standing(pacific)).toEqual(await standing(southWest))).toPass({ timeout: 15_000 })
})

test('a counter hides no part of the area that it lies in: a click on it means the area, where that can be chosen', async ({ people }) => {
  const page = await people.person()
  await offerNimitz(page, 'alone')
  await sit(page)
  await seated(page)
  await typed(page, 'done with resupply')
  await typed(page, 'done with scouting')
  await choose(page, '42-us-enterprise')
  const wake = page.locator('.stage .area[data-id="WI"]')
  await expect(wake).toHaveAttribute('data-glow')
  const { x, y, width, height } = (await wake.boundingBox())!
  const there = await page.locator('.stage .counter').evaluateAll(
    (all, [left, top, right, bottom]) =>
      all
        .filter((one) => {
          const box = one.getBoundingClientRect()
          return box.left >= left! && box.right <= right! && box.top >= top! && box.bottom <= bottom!
        })
        .map((one) => one.getAttribute('data-id')),
    [x, y, x + width, y + height],
  )
  expect(there).toHaveLength(1)

  await page.locator(`.stage .counter[data-id="${there[0]}"]`).click()

  await expect(page.locator('.prompt .undo')).toContainText('Enterprise to Wake Island')
})

test('a scene at the rim of the board is shown beside what it is about', async ({ people }) => {
  const page = await people.person()
  const match = await offerNimitz(page, 'alone')
  await sit(page)
  await paced(page, 'slow')
  await page.goto(`/match/${match}`)
  await seated(page)
  await typed(page, 'done with resupply')
  await typed(page, 'scout east asia')

  await typed(page, 'done with scouting')

  await expect(page.locator('.happening', { hasText: 'East Asia' })).toBeVisible()
  await expect(page.locator('.layer .ring')).toBeVisible()
})

test('a part of a turn is played by keyboard alone: forces moved on the board, a battle plan bought and used up to the fight', async ({
  people,
}) => {
  const page = await people.person()
  await offerNimitz(page, 'alone')
  await sit(page)
  await seated(page)
  const words = page.locator('.prompt .words p').first()

  /** Tabs on until something of the board that can be chosen has the focus. */
  async function tabTo(selector: string): Promise<void> {
    for (let step = 0; step < 150; step++) {
      await page.keyboard.press('Tab')
      if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return
    }
    throw new Error(`${selector} is not reached by Tab`)
  }

  await typed(page, 'done with resupply')
  await typed(page, 'done with scouting')
  await expect(words).toContainText('Movement')

  await test.step('a force is chosen on the board and sent to an area there', async () => {
    await tabTo('.stage [data-glow]')
    await page.keyboard.press('Enter')
    if (await page.locator('.fan').count()) {
      await tabTo('.fan [data-glow]')
      await page.keyboard.press('Enter')
    }
    await expect(page.locator('.counter.picked, .stack.picked').first()).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.locator('.counter.picked')).toHaveCount(0)
    await typed(page, 'to caroline')
    await typed(page, 'to caroline')
  })

  await test.step('to the battle plans of a battle', async () => {
    await typed(page, 'done with movement')
    for (let step = 0; !(await words.innerText()).includes('Battle plans'); step++) {
      expect(step, 'a battle is set up').toBeLessThan(60)
      await typed(page, '')
    }
  })

  await test.step('a plan is bought and lies there as held; then the battle begins', async () => {
    await typed(page, 'buy furball')
    await expect(page.locator('.tray [data-id="us.furball"]')).toContainText('held')
    await typed(page, 'begin the battle')
    await expect(page.locator(WHERE)).toContainText(/turn 1|Choose|Battle/)
    await expect(page.locator('.refused')).toHaveCount(0)
  })
})
