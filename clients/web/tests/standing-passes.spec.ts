import { expect, offered, offer as offerMatch, openForm, type Page, seated, test, typed } from './table'

/** Both sides of a match of Coral Sea in which all windows ask, by one person. */
async function alone(page: Page): Promise<void> {
  await openForm(page, 'coral_sea')
  await page.getByLabel('Against', { exact: true }).selectOption('solo')
  await page.getByText('Options of the rules').click()
  await expect(page.getByRole('checkbox', { name: /passes in all windows of this kind/ })).toBeChecked()
  await page.getByRole('checkbox', { name: /asked in every reaction window/ }).check()
  await offered(page)
  await seated(page)
}

const HERE = 'Pass, and pass for me here until this operation ends'
/** What unfolds the other ways to pass, where there are several. */
const LONGER = '[data-longer]'
const SAID = /You pass until this operation ends: “An operation is open/

test('who passes on is passed for until the operation ends, and sees it', async ({ people }) => {
  const page = await people.person()
  const words = page.locator('.prompt .words')
  const said = (): Promise<string> => words.innerText()
  await alone(page)
  await typed(page, 'map')
  await typed(page, 'map')
  // A die says who operates; Japan can do so at Rabaul alone and is not asked where.
  if ((await said()).includes('Open an operation')) await typed(page, 'noumea')
  await expect(words).toContainText('An operation is open, before its first action')
  const owner = (await said()).includes('Japan:') ? 'Japan' : 'Allies'
  const other = owner === 'Japan' ? 'Allies' : 'Japan'

  await test.step('a row that goes on fades there, and what has the focus is in sight', async () => {
    const wide = page.viewportSize()!
    const row = page.locator('.prompt .many')
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(row).toHaveClass(/after/)
    await expect(row).not.toHaveClass(/before/)
    await page.getByRole('button', { name: HERE }).focus()
    await expect(row).toHaveClass(/before/)
    await page.setViewportSize(wide)
  })

  await test.step('the offer stands beside Pass, whatever is held', async () => {
    await expect(page.getByRole('button', { name: 'Pass', exact: true })).toBeVisible()
    await page.getByRole('button', { name: HERE }).click()
    await expect(words).toContainText(`${other}:`)
    await expect(page.locator('.prompt .standing')).toHaveCount(0)
    await typed(page, 'pass')
  })

  await test.step('its owner sees it, and how to be asked again', async () => {
    await expect(words).toContainText(`${owner}: Your operation`)
    await expect(page.locator('.prompt .standing')).toContainText(SAID)
    await expect(page.locator('.prompt .told')).toHaveAttribute('aria-expanded', 'false')
    await page.locator('.prompt .told').click()
    await expect(page.locator('.prompt .told')).toHaveAttribute('aria-expanded', 'true')
    await page.locator('.prompt .standing .rule').click()
    await expect(page.getByRole('dialog')).toContainText('Standing passes')
    await page.keyboard.press('Escape')
  })

  await test.step('what is taken back is said, though nothing of it is to be seen', async () => {
    const undo = page.getByRole('button', { name: '↶ Undo' })
    await typed(page, 'set sail')
    await expect(undo).toHaveAccessibleName(/Undo: Set sail from /)
    await undo.click()
    await expect(words).toContainText(`${owner}: Your operation`)
  })

  await test.step('in a window of another kind it may be ended, by a button that unfolds beside Pass', async () => {
    const again = page.getByRole('button', { name: 'Pass, and ask me in every window again' })
    await typed(page, 'end the operation')
    await expect(words).toContainText('The operation ends')
    await expect(page.getByRole('button', { name: /^Pass/ })).toHaveText(['Pass', /Pass for longer/])
    await page.locator(LONGER).click()
    await expect(page.locator(LONGER)).toHaveAttribute('aria-expanded', 'true')
    await again.click()
    await expect(page.locator('.prompt .standing')).toHaveCount(0)
  })
})

/** An action of the operation that is open, to its end: somebody sails somewhere. */
async function sails(page: Page): Promise<void> {
  await typed(page, 'set sail')
  await typed(page, 'take')
  await typed(page, 'done')
  const aboard = (await page.locator('.prompt .words').innerText()).includes('goes aboard')
  if (aboard) await typed(page, 'done')
  await typed(page, 'go on to')
  await typed(page, 'stop here')
}

test('C6.5 who has passed twice may leave the rest of it to the page, sees it, and ends it by one click', async ({ people }) => {
  const page = await people.person()
  const words = page.locator('.prompt .words')
  const offer = page.locator('[data-passing]')
  const longer = page.locator(LONGER)
  const passing = page.locator('.prompt .passing')
  await alone(page)
  await typed(page, 'map')
  await typed(page, 'map')
  if ((await words.innerText()).includes('Open an operation')) await typed(page, 'noumea')
  await expect(words).toContainText('An operation is open, before its first action')
  const owner = (await words.innerText()).includes('Japan:') ? 'Japan' : 'Allies'
  const other = owner === 'Japan' ? 'Allies' : 'Japan'
  const asked = (side: string): Promise<void> => expect(words).toContainText(`${side}: An action is complete`)
  const acts = (): Promise<void> => expect(words).toContainText(`${owner}: Your operation`)

  await test.step('not before there were two', async () => {
    await typed(page, 'pass')
    await expect(words).toContainText(`${other}: An operation is open`)
    await typed(page, 'pass')
    await acts()
    await sails(page)
    await asked(other)
    await expect(offer.or(longer)).toHaveCount(0)
    await typed(page, 'pass')
    await asked(owner)
    await expect(offer.or(longer)).toHaveCount(0)
    await typed(page, 'pass')
    await acts()
    await sails(page)
  })

  await test.step('it is said while it holds, after a reload too, and one click ends it', async () => {
    await asked(other)
    await expect(offer).toHaveCount(0)
    await longer.click()
    await expect(offer).toBeVisible()
    // In one go, since a pass may follow a second later.
    await page.addInitScript(() => {
      new MutationObserver(() => {
        const line = document.querySelector('.prompt .passing')
        if (!line || document.body.dataset.said) return
        document.body.dataset.said = line.textContent
        line.querySelector('button')?.click()
      }).observe(document, { subtree: true, childList: true })
    })
    await offer.evaluate((button: HTMLElement) => {
      button.click()
      location.reload()
    })
    await expect(page.locator('body')).toHaveAttribute(
      'data-said',
      /You pass in every window until a battle begins or the operation ends\. This holds after a reload, too\./,
    )
    await expect(passing).toHaveCount(0)
    // Longer than any wait before such a pass.
    await page.waitForTimeout(9_500)
    await asked(other)
    await expect(offer.or(longer)).toHaveCount(0)
    await typed(page, 'pass')
  })

  await test.step('left alone, the page passes, once though it is open twice', async () => {
    await asked(owner)
    await longer.click()
    await expect(offer).toBeVisible()
    const tab = await page.context().newPage()
    await tab.goto(page.url())
    await expect(tab.locator('.prompt .words')).toContainText(`${owner}: An action is complete`)
    await offer.click()
    for (const one of [page, tab]) {
      await expect(one.locator('.prompt .words')).not.toContainText('An action is complete')
      await expect(one.locator('.refused')).toHaveCount(0)
    }
  })
})

test('against a bot one click leaves every window where no card answers to the page, and the menu ends it', async ({ people }) => {
  const page = await people.person()
  const words = page.locator('.prompt .words')
  const always = page.locator('[data-idle]')
  await offerMatch(page, { against: 'steady', title: 'coral_sea', side: 'Japan' })
  await seated(page)
  const NOTHING = 'you hold no card that answers'

  await test.step('it is offered where nothing but a pass can be chosen', async () => {
    for (let step = 0; step < 40 && !(await words.innerText()).includes(NOTHING); step++) {
      await typed(page, (await words.innerText()).includes('Card or Map') ? 'map' : '')
    }
    await expect(always).toHaveCount(0)
    await page.locator(LONGER).click()
    await expect(always).toBeVisible()
  })

  await test.step('the page passes there by itself', async () => {
    await always.click()
    await expect(words).not.toContainText(NOTHING)
  })

  await test.step('the menu says that it does, and ends it; Esc closes the menu', async () => {
    const box = page.getByRole('checkbox', { name: 'Pass where no card answers' })
    await page.locator('summary', { hasText: 'Match' }).click()
    await expect(box).toBeChecked()
    await box.uncheck()
    await page.keyboard.press('Escape')
    await expect(box).toBeHidden()
  })
})
