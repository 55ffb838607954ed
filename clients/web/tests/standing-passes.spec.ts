import { expect, offered, openForm, type Page, seated, sit, test, typed } from './table'

/** Both sides of a match of Coral Sea in which all windows ask, by one person. */
async function alone(page: Page): Promise<void> {
  await openForm(page, 'coral_sea')
  await page.getByLabel('Against', { exact: true }).selectOption('solo')
  await page.getByText('Options of the rules').click()
  await expect(page.getByRole('checkbox', { name: /passes in all windows of this kind/ })).toBeChecked()
  await page.getByRole('checkbox', { name: /asked in every reaction window/ }).check()
  await offered(page)
  await sit(page)
  await seated(page)
}

const HERE = 'Pass, and pass for me here until this operation ends'
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
    await page.locator('.prompt .standing button').click()
    await expect(page.getByRole('dialog')).toContainText('Standing passes')
    await page.keyboard.press('Escape')
  })

  await test.step('in a window of another kind it may be ended', async () => {
    await typed(page, 'end the operation')
    await expect(words).toContainText('The operation ends')
    await page.getByRole('button', { name: 'Pass, and ask me in every window again' }).click()
    await expect(page.locator('.prompt .standing')).toHaveCount(0)
  })
})
