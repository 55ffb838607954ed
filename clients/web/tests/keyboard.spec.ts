import { expect, offer, seated, sit, test, typed } from './table'

test('a whole turn is played by keyboard alone', async ({ people }) => {
  const player = await people.person()
  await offer(player, { against: 'solo' })
  await sit(player)
  await seated(player)
  const turn = player.locator('header .where b')
  await expect(turn).toContainText('Turn 1')
  for (let pick = 0; pick < 120 && !((await turn.textContent()) ?? '').includes('Turn 2'); pick++) {
    // Now and then end the stage by typing for it; else take what the list offers first.
    const ends = pick % 4 === 3 && (await player.getByRole('button', { name: /^Done/ }).count()) > 0
    await typed(player, ends ? 'done' : '')
  }
  await expect(turn).toContainText('Turn 2')
})

test('the list of decisions shuts when it has served, and nothing unseen is taken from it', async ({ people }) => {
  const player = await people.person()
  await offer(player, { against: 'solo' })
  await sit(player)
  await seated(player)
  const [list, words] = [player.locator('#choice-list li'), player.locator('.prompt .words')]
  const before = await words.textContent()
  await player.keyboard.press('/')
  await expect(list.first()).toBeVisible()
  await player.keyboard.type('done')
  await player.keyboard.press('Enter')
  await expect(words).not.toHaveText(before!)
  await expect(player.getByRole('combobox')).toBeFocused()
  await expect(list.first()).toBeHidden()
  const asked = await words.textContent()
  await player.keyboard.press('Enter')
  await expect(list.first()).toBeVisible()

  expect(await words.textContent()).toBe(asked)
})

test('counters can be reached and chosen by keyboard, and Escape lets go', async ({ people }) => {
  const player = await people.person()
  await offer(player, { against: 'solo' })
  await sit(player)
  await seated(player)
  const fighter = player.locator('.counter.glowing[data-id="KAG-F1"]')
  await fighter.focus()
  await player.keyboard.press('Enter')
  await expect(player.locator('.counter.picked')).toHaveCount(1)
  await player.keyboard.press('Escape')
  await expect(player.locator('.counter.picked')).toHaveCount(0)
  await fighter.focus()
  await player.keyboard.press('Enter')
  await player.locator('.cap.glowing').focus()
  await player.keyboard.press('Enter')
  await expect(player.locator('[data-id="KAG-F1"]')).toHaveAttribute('aria-label', /CAP/)
  await player.keyboard.press('u')
  await expect(player.locator('[data-id="KAG-F1"]')).toHaveAttribute('aria-label', /deck/i)
})
