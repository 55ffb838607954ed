import { faults, isAccessible } from './axe'
import { expect, type Locator, test } from './table'

test('the rulebook shows its figures, steps through an example, and says nothing that is for engines', async ({ people }) => {
  const page = await people.person()
  await page.goto('/rules/midway#M1.7')
  const picture = page.locator('[data-figure="boxes"]')
  await expect(picture.locator('svg')).toBeVisible()
  await expect(picture.locator('figcaption')).toContainText('boxes')
  await expect(page.locator('main')).not.toContainText(/engine|JSON|\[S\]|CAP_VS|data file/)
  await expect(page.locator('main code')).toHaveCount(0)
  await expect(page.getByRole('navigation', { name: 'Chapters' })).not.toContainText('invariants')

  await page.getByRole('link', { name: 'Worked examples' }).click()
  const example = page.getByRole('figure', { name: /CAP against an escorted wave/ })
  await expect(example.getByText('0 of 20')).toBeVisible()
  await expect(example.locator('.dice')).toHaveCount(0)
  for (let step = 0; step < 4; step++) await example.getByRole('button', { name: 'On', exact: true }).click()
  await expect(example.locator('.now .dice')).toBeVisible()
  await expect(example.locator('.now')).toContainText('2 hits')
  await page.keyboard.press('ArrowLeft')
  await expect(example.locator('.now')).toContainText('Kaga fighters 1 attacks the bombers')
  await page.keyboard.press('End')
  await expect(example.getByText('20 of 20')).toBeVisible()
  await expect(example.getByRole('button', { name: 'On', exact: true })).toBeDisabled()
  await example.getByRole('button', { name: 'First' }).click()
  await expect(example.getByText('0 of 20')).toBeVisible()
  // The same line again and again, and axe would look at each.
  await page.locator('tbody tr:nth-child(n + 6)').evaluateAll((rows) => rows.forEach((row) => row.remove()))
  await isAccessible(page, 'the rulebook')
})

/** `begins`: the line with which there is something to draw; `dice` and `hits` of what is drawn at the end. */
const BATTLES = [
  {
    name: 'P38.3',
    caption: /A carrier strike/,
    steps: 31,
    begins: 3,
    ends: 'Lexington Air Group is destroyed',
    dice: 13,
    hits: 14,
  },
  {
    name: 'P38.4',
    caption: /A naval battle/,
    steps: 47,
    begins: 2,
    ends: 'the guns are 11 against 14',
    dice: 7,
    hits: 2,
  },
] as const

for (const { name, caption, steps, begins, ends, dice, hits } of BATTLES) {
  test(`the example ${name} of Pacific War is stepped through to its end, its battle drawn below the map`, async ({ people }) => {
    const page = await people.person()
    await page.goto('/rules/pacific_war')
    await page.getByRole('link', { name: 'Worked examples' }).click()
    const figure = page.locator(`[data-figure="${name}"]`)
    const frame = figure.locator('div.frame')
    await expect(async () => {
      await figure.scrollIntoViewIfNeeded()
      await expect(frame.locator('svg')).toBeInViewport({ timeout: 500 })
    }).toPass()
    const example = page.getByRole('figure', { name: caption })
    const [battle, on] = [example.locator('.drawn'), example.getByRole('button', { name: 'On', exact: true })]
    await expect(example.getByText(`0 of ${steps}`)).toBeVisible()
    await expect(battle).not.toContainText(/./)
    // The coast is there, and both task forces.
    await expect(frame.locator('path.land')).toHaveAttribute('d', /^M/)
    const seen = (await frame.boundingBox())!
    for (const tf of ['J1', 'A1']) {
      const marker = (await frame.locator(`[data-id="${tf}"]`).boundingBox())!
      expect(marker.y).toBeGreaterThan(seen.y)
      expect(marker.y + marker.height).toBeLessThan(seen.y + seen.height)
    }
    for (let step = 1; step <= steps; step++) {
      await on.click()
      await expect(example.getByText(`${step} of ${steps}`)).toBeVisible()
      if (step === begins) await expect(battle).toContainText(/./)
    }
    await expect(example.locator('.line.now')).toContainText(ends)
    await expect(on).toBeDisabled()

    await expect(battle.locator('.die')).toHaveCount(dice)
    const struck = await battle.locator('.die b').allInnerTexts()
    expect(struck.reduce((sum, text) => sum + (Number.parseInt(text, 10) || 0), 0)).toBe(hits)
    await expect(example).not.toContainText(/\[|undefined/)
    for (const [width, height] of [
      [1440, 900],
      [1024, 768],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      await expect.poll(() => cutOff(battle), `at ${width}`).toEqual([])
    }
  })
}

/** Texts within a drawn battle that end beyond a box that holds them. */
function cutOff(battle: Locator): Promise<string[]> {
  return battle.evaluate((drawn) =>
    [...drawn.querySelectorAll<HTMLElement>('.ship, .target, .flight, .strip > li, header, .range, .heads')].flatMap((box) => {
      const edge = box.getBoundingClientRect().right + 1
      return [...box.querySelectorAll('*')].some((one) => one.checkVisibility() && one.getBoundingClientRect().right > edge)
        ? [box.textContent.trim()]
        : []
    }),
  )
}

test('a number that is clicked leads to its rule in the book that is drawn already', async ({ people }) => {
  const page = await people.person()
  await page.goto('/rules/midway#M1.7')
  const marked = page.locator('main :target')
  await expect(marked).toHaveAttribute('id', 'M1.7')
  await expect(page.locator('[data-figure="boxes"] svg')).toBeVisible()
  const drawn = await page.locator('main h1').elementHandle()
  await page.locator('main a.number', { hasText: 'M7.10' }).first().click()
  await expect(page.locator('[id="M7.10"]')).toBeInViewport()
  await expect(marked).toHaveAttribute('id', 'M7.10')
  await page.getByRole('link', { name: 'Repair Damage' }).click()
  await expect(page.locator('#M10')).toBeInViewport()
  await expect(marked).toHaveAttribute('id', 'M10')

  expect(await drawn.evaluate((heading) => heading.isConnected)).toBe(true)

  await page.goBack()
  await expect(page.locator('[id="M7.10"]')).toBeInViewport()
  await expect(marked).toHaveAttribute('id', 'M7.10')

  await test.step('again to where the address is already, and out of what a search found', async () => {
    await page.evaluate(() => scrollTo(0, 0))
    await expect(page.locator('[id="M7.10"]')).not.toBeInViewport()
    await page.getByLabel('Search the rules').fill('M7.10')
    await page.locator('main a.number', { hasText: 'M7.10' }).first().click()
    await expect(page.locator('[id="M7.10"]')).toBeInViewport()
    await expect(marked).toHaveAttribute('id', 'M7.10')
  })

  await page.evaluate(() =>
    document
      .querySelector('main')
      ?.append(Object.assign(document.createElement('a'), { href: '/rules/nimitz', textContent: 'Another book' })),
  )
  await page.getByRole('link', { name: 'Another book' }).click()
  await expect(page.locator('main h1')).toContainText('Nimitz')
})

test('the book that is printed is black on white, with every figure and nothing to click', async ({ people }) => {
  const page = await people.person()
  await page.goto('/rules/midway')
  await page.evaluate(() => (window.print = () => void (document.title = 'Printed')))
  await page.getByRole('button', { name: 'Print the rules' }).click()
  await expect(page).toHaveTitle('Printed')
  expect(await page.locator('[data-figure]:not(:has(svg))').count()).toBe(0)

  await page.emulateMedia({ media: 'print' })

  await expect(page.locator('main h1')).toHaveCSS('color', 'rgb(0, 0, 0)')
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  expect(await page.locator('button:visible, input:visible, header:visible, nav:visible').count()).toBe(0)
  const width = await page.evaluate(() => document.documentElement.clientWidth)
  expect(
    await page.locator('table').evaluateAll((all) => Math.max(...all.map((one) => one.getBoundingClientRect().right))),
  ).toBeLessThanOrEqual(width)
})

test('in a figure of a battle nothing of what the chit does is cut off', async ({ people }) => {
  const page = await people.person()
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.goto('/rules/coral_sea#C12.5')
  const what = page.locator('[data-figure="ground-battle"] .what')
  await expect(what).not.toBeEmpty()

  expect(await what.evaluate((text) => text.scrollHeight - text.clientHeight)).toBeLessThanOrEqual(0)
})

test('a short cell of a table stands in one line', async ({ people }) => {
  const page = await people.person()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/rules/nimitz#N23')
  const number = page.locator('td', { hasText: /^R-03$/ })
  await expect(number).toBeVisible()
  const broken = await page.locator('td').evaluateAll((cells) =>
    cells
      .filter(({ textContent }) => /^\S{1,8}$/.test(textContent))
      .filter((cell) => {
        const range = document.createRange()
        range.selectNodeContents(cell)
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1
      })
      .map(({ textContent }) => textContent),
  )

  expect(broken).toEqual([])
})

test('on a telephone the chapters are reached from anywhere, and nothing is wider than the screen', async ({ people }) => {
  const page = await people.person()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/rules/midway#M6.3')
  await expect(page.locator('[id="M6.3"]')).toBeInViewport()
  await expect(page.getByRole('link', { name: 'Repair Damage' })).toBeHidden()
  await page.getByText('Chapters', { exact: true }).click()
  await page.getByRole('link', { name: 'Repair Damage' }).click()
  await expect(page.locator('#M10')).toBeInViewport()
  await expect(page.getByRole('link', { name: 'Repair Damage' })).toBeHidden()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.locator('tbody tr:nth-child(n + 6)').evaluateAll((rows) => rows.forEach((row) => row.remove()))
  expect(await faults(page), 'on a telephone').toEqual([])
})

const FIGURES = [
  ['midway', 'E1', 1440],
  ['midway', 'historical', 1440],
  ['nimitz', 'N25.1', 390],
  ['nimitz', 'battle', 390],
  ['coral_sea', 'landing', 390],
  ['pacific_war', 'P38.3', 390],
  ['pacific_war', 'P38.4', 1440],
] as const

for (const [title, name, width] of FIGURES) {
  test(`the figure ${name} of ${title} can be read at ${width}, and what it is about is in sight`, async ({ people }) => {
    const page = await people.person()
    await page.setViewportSize({ width, height: 844 })
    await page.goto(`/rules/${title}`)
    const figure = page.locator(`[data-figure="${name}"]`)
    await expect(async () => {
      await figure.scrollIntoViewIfNeeded()
      await expect(figure.locator('div.frame svg')).toBeInViewport({ timeout: 500 })
    }).toPass()
    const on = figure.getByRole('button', { name: 'On', exact: true })
    // The first lines of each are about something that lies at a rim.
    for (let step = 0; step < 5 && (await on.count()); step++) await on.click()
    const frame = figure.locator('div.frame')
    if ((await frame.locator('.lit').count()) > 0) {
      await expect
        .poll(() =>
          frame.evaluate((one) => {
            const seen = one.getBoundingClientRect()
            return [...one.querySelectorAll('.lit')].some((piece) => {
              const { left, right, top, bottom } = piece.getBoundingClientRect()
              return left < seen.right - 8 && right > seen.left + 8 && top < seen.bottom - 8 && bottom > seen.top + 8
            })
          }),
        )
        .toBe(true)
    }

    const moves = await frame.evaluate((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight)
    await expect.poll(() => frame.getAttribute('tabindex'), 'a stop of the Tab key only if it can be moved').toBe(moves ? '0' : null)

    const letters = await figure.locator('div.frame svg text').evaluateAll((all) =>
      all
        .filter((one) => one.textContent.trim() && one.checkVisibility())
        .map((one) => {
          const { a, b, c, d } = (one as SVGTextElement).getScreenCTM()!
          return Math.sqrt(Math.abs(a * d - b * c)) * parseFloat(getComputedStyle(one).fontSize)
        }),
    )
    expect(letters.length).toBeGreaterThan(10)
    expect(Math.min(...letters)).toBeGreaterThan(title === 'coral_sea' ? 9 : 10.5)
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  })
}

test('how the dice are made is read from the lobby and from a check, with both programs and no link that leads nowhere', async ({
  people,
}) => {
  const page = await people.person()
  await page.goto('/verify')
  await page.getByRole('link', { name: 'How the dice are made' }).click()
  await expect(page).toHaveURL(/\/trust$/)
  await page.goto('/')
  await page.getByRole('link', { name: 'every die can be checked' }).click()
  await expect(page.getByRole('heading', { name: 'Can you trust the dice?', level: 1 })).toBeVisible()
  await expect(page).toHaveTitle('Can you trust the dice? – Fleetfold')
  await expect(page.locator('main ol li')).toHaveCount(4)
  await expect(page.locator('main pre').filter({ hasText: 'import hashlib, hmac' })).toBeVisible()
  await expect(page.locator('main pre').filter({ hasText: "from 'node:crypto'" })).toBeVisible()
  await expect(page.locator('main p').filter({ hasText: /\]\(|```/ })).toHaveCount(0)
  for (const link of await page.locator('main a').all()) await expect(link).toHaveAttribute('href', /^https?:/)
})
