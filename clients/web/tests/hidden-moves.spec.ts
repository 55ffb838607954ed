/** Behind a screen a move is chosen piece by piece and sent as one: nobody can count what it was made of. */

import { expect, invitation, offer, offered, openForm, type Page, seated, sit, test, typed } from './table'

const CHOOSING = /Choose an action/

/** The frames that a page is told over its socket, without what differs from one moment to the next. */
class Frames {
  readonly told: string[] = []

  constructor(page: Page) {
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        const text = String(payload)
        if (text.startsWith('{"t":"frame"')) this.told.push(text.replace(/[\da-f-]{32,}/g, 'h').replace(/\d+/g, '0'))
      }),
    )
  }
}

async function chosen(page: Page, text: string): Promise<void> {
  await typed(page, text)
}

function held(page: Page) {
  return page.locator('[data-held]')
}

/** As soon as it may be: until the board shows what came of the last choice, nothing is taken back. */
async function takeBack(page: Page): Promise<void> {
  await expect(page.locator('.prompt .undo')).toBeEnabled()
  await page.keyboard.press('u')
}

/** A match of two with limited intelligence, at the first action of Japan's operation at Rabaul. */
async function operating(japan: Page, allies: Page): Promise<void> {
  await openForm(japan, 'coral_sea')
  await japan.getByLabel('Against', { exact: true }).selectOption('person')
  await japan.getByLabel('I play').selectOption({ label: 'Japan' })
  await japan.getByText('Options of the rules').click()
  await japan.getByRole('checkbox', { name: /top counter/ }).check()
  await offered(japan)
  const link = await invitation(japan, /Copy the link for Allies/)
  await sit(japan)
  await allies.goto(link)
  await sit(allies)
  await seated(japan)
  await seated(allies)
  await chosen(japan, 'map')
  await chosen(allies, 'card')
  const words = japan.locator('.prompt .words')
  for (let window = 0; window < 8; window++) {
    await expect(words).toContainText(/Choose an action|answer|Open an operation|Waiting for|dice/)
    if ((await words.innerText()).includes('Choose an action')) return
    for (const page of [japan, allies]) {
      if (
        await page
          .locator('.prompt.mine')
          .filter({ hasText: /answer|no card/ })
          .count()
      ) {
        await chosen(page, 'pass')
      }
    }
  }
}

test('the picks of a hidden move are held back, can be let go, and go out as one command', async ({ people }) => {
  const [japan, allies] = [await people.person(), await people.person()]
  const frames = new Frames(allies)
  await operating(japan, allies)
  const words = japan.locator('.prompt .words')
  await expect(words).toContainText(CHOOSING)
  const before = frames.told.length

  await chosen(japan, 'set sail')
  await chosen(japan, 'Take Shoho')
  await expect(held(japan)).toHaveText('Let go all (2)')
  await expect(words).toContainText('with those taken')
  await chosen(japan, 'Take Cruiser Div 6')
  await expect(held(japan)).toHaveText('Let go all (3)')
  await takeBack(japan)
  await expect(held(japan)).toHaveText('Let go all (2)')
  await held(japan).click()
  await expect(held(japan)).toHaveCount(0)
  await expect(words).toContainText(CHOOSING)
  expect(frames.told.length).toBe(before)

  // One ship that takes nothing along; taken back; then all ships with troops and resource points.
  await chosen(japan, 'set sail')
  await chosen(japan, 'Take Shoho')
  await chosen(japan, 'Done')
  await chosen(japan, 'Done')
  await expect(words).toContainText('Choose the next area')
  await expect.poll(() => frames.told.length).toBe(before + 1)
  await takeBack(japan)
  await expect(words).toContainText(CHOOSING)
  await expect.poll(() => frames.told.length).toBe(before + 2)
  await chosen(japan, 'set sail')
  await japan.locator('[data-bundle]', { hasText: 'Take all along' }).click()
  await expect(words).toContainText('goes aboard')
  await chosen(japan, 'Take 144th')
  await chosen(japan, 'Load a resource point')
  await expect(held(japan)).toBeVisible()
  await chosen(japan, 'Done')
  await expect(words).toContainText('Choose the next area')
  await expect.poll(() => frames.told.length).toBe(before + 3)
  expect(frames.told[before + 2]).toBe(frames.told[before])
})

test('a button for many is one step, and one undo takes all of it back', async ({ people }) => {
  const page = await people.person()
  await offer(page, { against: 'solo' })
  await sit(page)
  await seated(page)
  const frames = new Frames(page)
  await page.reload()
  await seated(page)
  const bundle = page.locator('[data-bundle]').first()
  const label = await bundle.innerText()
  const before = frames.told.length
  await bundle.click()
  await expect(page.locator('[data-bundle]', { hasText: label })).toHaveCount(0)
  await expect.poll(() => frames.told.length).toBeGreaterThan(before)
  await takeBack(page)
  await expect(page.locator('[data-bundle]').first()).toHaveText(label)
})
