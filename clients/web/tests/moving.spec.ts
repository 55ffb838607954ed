/** Moving the board: by wheel, by mouse and by two fingers. */

import { expect, factsOf, glowing, offer, type Page, seated, sit, test } from './table'

async function alone(page: Page): Promise<void> {
  await offer(page, { against: 'solo' })
  await sit(page)
  await seated(page)
  await expect(glowing(page).first()).toBeVisible()
}

test('the wheel zooms at the pointer, a drag moves the board and chooses nothing, 0 shows all of it', async ({ people }) => {
  const page = await people.person()
  await alone(page)
  const one = page.locator('.stage [data-glow]').first()
  const middle = async (): Promise<[number, number]> => {
    const { x, y, width, height } = (await one.boundingBox())!
    return [x + width / 2, y + height / 2]
  }
  const [x, y] = await middle()
  const facts = await factsOf(page)

  await page.mouse.move(x, y)
  await page.mouse.wheel(0, -500)

  await expect(page.getByRole('button', { name: 'All', exact: true })).toBeVisible()
  const [nearX, nearY] = await middle()
  expect(Math.hypot(nearX - x, nearY - y)).toBeLessThan(6)

  await page.mouse.down()
  await page.mouse.move(x - 40, y - 24, { steps: 4 })
  await page.mouse.up()

  const [farX, farY] = await middle()
  expect([Math.round(farX - nearX), Math.round(farY - nearY)]).toEqual([-40, -24])
  expect(await factsOf(page)).toBe(facts)
  await expect(page.getByRole('button', { name: /Let go/ })).toHaveCount(0)

  await page.keyboard.press('0')

  await expect(page.getByRole('button', { name: 'All', exact: true })).toHaveCount(0)
  expect((await middle()).map(Math.round)).toEqual([x, y].map(Math.round))
})

test('two fingers bring the board nearer, and one moves it', async ({ people }) => {
  const page = await people.person(true)
  await alone(page)
  const stage = (await page.locator('.stage').boundingBox())!
  const [x, y] = [stage.x + stage.width / 2, stage.y + stage.height / 2]
  const hand = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: [number, number][]) =>
    hand.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([px, py], id) => ({ x: px, y: py, id })) })
  const board = page.locator('.stage svg > g')
  const asked = await page.locator('.prompt .words').innerText()

  await touch('touchStart', [x - 40, y], [x + 40, y])
  await touch('touchMove', [x - 80, y], [x + 80, y])
  await touch('touchEnd')

  await expect(board.first()).toHaveAttribute('transform', /scale\(2\)/)
  const before = await board.first().getAttribute('transform')

  await touch('touchStart', [x, y])
  await touch('touchMove', [x - 30, y - 30])
  await touch('touchEnd')

  expect(await board.first().getAttribute('transform')).not.toBe(before)
  await expect(page.getByRole('button', { name: 'All', exact: true })).toBeVisible()
  expect(await page.locator('.prompt .words').innerText()).toBe(asked)
})
