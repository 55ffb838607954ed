import { faults } from './axe'
import { offerNimitz } from './nimitz'
import { playOn } from './quick'
import { duel, expect, offer, seated, sit, test } from './table'

/** Why a match of Midway ends by its rules (M13.1 to M13.4). */
const WHY =
  /All carriers of (both sides|Japan|the United States) were sunk|had a carrier crippled or sunk|was (crippled|sunk), and the enemy|Neither side had bombers left|The last turn was over/
const HEX = /\b[0-9a-f]{8,}\b/

test('how a match ended can be handed on: why, what decided it with pictures, and a rematch for those who played', async ({ people }) => {
  const page = await people.person()
  const stranger = await people.person()
  const match = await offer(page, { against: 'solo', scenario: 'duel' })
  await sit(page)
  await seated(page)

  await test.step('not before it has ended', async () => {
    await stranger.goto(`/match/${match}/verify`)
    const early = await stranger.request.get(`/api/matches/${match}/report`)
    expect([early.status(), ((await early.json()) as { code: string }).code]).toEqual([400, 'too_early'])
  })
  await playOn(page, match, 5, { most: 100_000 })

  await test.step('the ending leads there, and nothing on the table is in hex', async () => {
    await page.goto(`/match/${match}`)
    await seated(page)
    const shut = page.locator('.log h2 button[aria-expanded="false"]')
    while (await shut.count()) await shut.first().click()
    expect(await page.innerText('main')).not.toMatch(HEX)
    const desk = page.viewportSize()!
    await page.setViewportSize({ width: 390, height: 844 })
    // A line of it, and nothing in front.
    const said = page.locator('.prompt .words p').first()
    await expect(said).toHaveText(/won|drawn/)
    await expect
      .poll(async () =>
        said.evaluate((one) => {
          const { left, top, width, height } = one.getBoundingClientRect()
          return height > 14 && one.contains(document.elementFromPoint(left + width / 2, top + height / 2))
        }),
      )
      .toBe(true)
    await page.setViewportSize(desk)
    await page.getByRole('link', { name: 'How it ended' }).click()
    await expect(page).toHaveURL(`/match/${match}/end`)
    await expect(page.getByRole('button', { name: 'Offer a rematch, sides swapped' })).toBeEnabled()
  })

  await test.step('anybody reads it, without a link of his own', async () => {
    await stranger.goto(`/match/${match}/end`)
    await expect(stranger.getByRole('heading', { level: 1 })).toHaveText(/(Japan|United States) won|drawn/)
    await expect(stranger.getByText(WHY).first()).toBeVisible()
    for (const part of ['What decided it', 'What counted', 'Losses', 'Luck']) {
      await expect(stranger.getByRole('heading', { name: part })).toBeVisible()
    }
    await expect(stranger.getByRole('button', { name: /rematch/ })).toHaveCount(0)
    expect(await stranger.innerText('main')).not.toMatch(HEX)
    await expect(stranger.getByText(/^\d+ \w+ \d{4} · .* decisions · /)).toBeVisible()
    await stranger.locator('main [data-term]').first().hover()
    await expect(stranger.locator('#gloss')).toBeInViewport({ ratio: 1 })
    expect(await faults(stranger), 'the end').toEqual([])
  })

  await test.step('its boards are read at a desk and on a telephone', async () => {
    for (const [width, height] of [
      [1440, 900],
      [1280, 720],
      [390, 844],
    ] as const) {
      await stranger.setViewportSize({ width, height })
      const pixels = (): Promise<number> =>
        stranger.locator('.picture svg text').evaluateAll((all) =>
          Math.min(
            ...all
              .filter((one) => one.textContent.trim())
              .map((one) => {
                const { a, b } = (one as SVGGraphicsElement).getScreenCTM()!
                return Math.hypot(a, b) * parseFloat(getComputedStyle(one).fontSize)
              }),
          ),
        )
      await expect.poll(pixels, `${width} × ${height}`).toBeGreaterThanOrEqual(9)
      await expect.poll(() => stranger.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    }
    await stranger.setViewportSize({ width: 1440, height: 900 })
  })

  await test.step('smoke hides no name', async () => {
    const names = stranger.locator('.picture .board .name')
    expect(await names.count()).toBeGreaterThan(0)
    const hidden = await names.evaluateAll((all) =>
      all
        .filter((one) =>
          [...one.closest('svg')!.querySelectorAll('.plume')].some((smoke) => {
            const [box, cloud] = [one.getBoundingClientRect(), smoke.getBoundingClientRect()]
            const meets = box.left < cloud.right && cloud.left < box.right && box.top < cloud.bottom && cloud.top < box.bottom
            return meets && (one.compareDocumentPosition(smoke) & Node.DOCUMENT_POSITION_FOLLOWING) > 0
          }),
        )
        .map((one) => one.textContent),
    )
    expect(hidden).toEqual([])
  })

  await test.step('each moment has its picture, and leads to it in the replay', async () => {
    const moments = stranger.getByRole('region', { name: 'What decided it' }).getByRole('listitem')
    const count = await moments.count()
    expect(count).toBeGreaterThan(0)
    await expect(stranger.locator('.picture [data-id="ENTERPRISE"]')).toHaveCount(count)
    const right = (one: Element): number => Math.round(one.getBoundingClientRect().right)
    expect(await moments.last().evaluate(right), 'no hole in the last row').toBe(await moments.first().locator('..').evaluate(right))
    const link = moments.first().getByRole('link')
    const seq = /#(\d+)$/.exec((await link.getAttribute('href'))!)![1]!
    await link.click()
    await expect(stranger.getByText('This is the past')).toBeVisible()
    expect(stranger.url()).toContain(`/match/${match}/replay#${seq}`)
  })
})

test('where nothing decided it, what it came to stands apart from what can be done', async ({ people }) => {
  const [japan] = await duel(people)
  await japan.getByText('Match', { exact: true }).click()
  japan.once('dialog', (dialog) => void dialog.accept())
  await japan.getByRole('button', { name: /Resign/ }).click()
  const sure = japan.getByRole('button', { name: /^(Yes|Resign)/ })
  await expect(async () => {
    if (await sure.count()) await sure.last().click()
    await expect(japan.getByRole('link', { name: 'How it ended' })).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await japan.getByRole('link', { name: 'How it ended' }).click()
  await expect(japan.getByRole('heading', { name: 'Losses' })).toBeVisible()

  const [above, heading] = [await japan.locator('.acts').boundingBox(), await japan.getByRole('heading', { name: 'Losses' }).boundingBox()]

  expect(heading!.y - above!.y - above!.height).toBeGreaterThanOrEqual(20)
})

test('the picture of a moment shows what it is about, also a ship that sank', async ({ people }) => {
  const page = await people.person()
  const match = await offerNimitz(page, 'alone')
  await sit(page)
  await seated(page)
  await playOn(page, match, 5, { most: 100_000 })

  await page.goto(`/match/${match}/end`)

  const sunk = page.locator('li:has(.picture)', { has: page.locator('.when + span', { hasText: / sank$/ }) })
  await expect(page.locator('.picture').last().locator('svg')).toBeVisible()
  for (const one of await sunk.all()) await expect(one.locator('.picture .lit').first()).toBeAttached()

  await test.step('also on a telephone, where it is cut to what it is about', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    await expect(page.locator('.picture').last().locator('svg')).toBeVisible()
    const cut = (): Promise<number> =>
      sunk.locator('.picture').evaluateAll(
        (all) =>
          all.filter((one) => {
            const [frame, lit] = [one, one.querySelector('.lit')].map((each) => each!.getBoundingClientRect())
            return lit!.left < frame!.left - 1 || lit!.right > frame!.right + 1
          }).length,
      )
    await expect.poll(cut).toBe(0)
    expect(await faults(page)).toEqual([])
  })
})
