import { offerNimitz } from './nimitz'
import { expect, type Page, seated, sit, test, typed, type Watched } from './table'

async function alone(people: Watched, touch = false): Promise<Page> {
  const page = await people.person(touch)
  await offerNimitz(page, 'alone')
  await sit(page)
  await seated(page)
  return page
}

test('forces that lie together go together: a click for all, a click for where, and one step to take back', async ({ people }) => {
  const page = await alone(people)
  await typed(page, 'done with resupply')
  await typed(page, 'done with scouting')
  const words = page.locator('.prompt .words p').first()
  await expect(words).toContainText('Movement')
  const ships = page.locator('.stage [data-stack="HI US 0"]')
  const before = await ships.getAttribute('aria-label')

  await ships.hover()
  const top = page.locator('[data-fan="HI US 0"] [data-id]').first()
  await expect(top).toBeVisible()
  // Sooner than that nobody clicks at what he has not seen yet.
  await page.waitForTimeout(200)
  await top.click()
  const all = page.getByRole('button', { name: /^All \d+ ships here$/ })
  const count = Number(/\d+/.exec(await all.innerText())![0])
  expect(count).toBeGreaterThan(2)
  await all.click()
  await expect(all).toHaveCount(0)
  await expect(words).toContainText(count > 3 ? `and ${count - 1} more: ` : ', ')
  await page.locator('.stage .area[data-id="MI"]').click()

  await expect(ships).not.toHaveAttribute('aria-label', before!)
  await expect(page.locator('.log')).toContainText(`${count} US forces move to Midway`)
  const undo = page.getByRole('button', { name: /Undo: .* and \d+ more/ })
  await undo.click()
  await expect(ships).toHaveAttribute('aria-label', before!)
})

test('what can be bought is all in sight in the unfolded tray, and within reach of a wheel in the folded one', async ({ people }) => {
  const page = await alone(people)
  const cards = page.locator('.tray .card[data-glow]')
  await expect(cards).not.toHaveCount(0)
  const inside = async (): Promise<number> => {
    const frame = (await page.locator('.held > .tray').boundingBox())!
    const boxes = await cards.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect))
    return boxes.filter(
      ({ left, right, top, bottom }) =>
        left >= frame.x && right <= frame.x + frame.width && top >= frame.y && bottom <= frame.y + frame.height,
    ).length
  }
  const folded = await inside()
  expect(folded).toBeLessThan(await cards.count())

  await cards.first().hover()
  await page.mouse.wheel(0, 10_000)
  await expect(cards.last()).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: 'Unfold: Plans' }).click()
  await expect.poll(inside).toBe(await cards.count())
})

test('the list of decisions forgets what was typed in vain, and takes no / for a word', async ({ people }) => {
  const page = await alone(people)
  const list = page.getByRole('combobox')
  await page.keyboard.press('/')
  await page.keyboard.type('/done with')
  await expect(list).toHaveValue('done with')
  await page.keyboard.type(' nothing')
  await page.locator('.stage').click({ position: { x: 4, y: 4 } })
  await expect(list).toHaveValue('')
})

test('while forces move, a stack that cannot be chosen opens by a click, and its card says why it stays', async ({ people }) => {
  const page = await people.person()
  await offerNimitz(page, 'alone', '1945')
  await sit(page)
  await seated(page)
  for (const what of ['done with resupply', 'done with scouting', 'reserve no more']) await typed(page, what)
  await expect(page.locator('.prompt .words p').first()).toContainText('Movement')

  await page.locator('.stage [data-stack="PH US 1"]').click()
  await page.locator('.stage .fan [data-id]').first().hover()

  await expect(page.locator('[data-card]')).toContainText('may not move: Japanese forces are here')
})
