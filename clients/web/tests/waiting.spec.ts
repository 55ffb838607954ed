import { duel, expect, invitation, offer, seated, sideLine, test } from './table'

test('a match begins, and its maker is called, while he reads elsewhere', async ({ people }) => {
  const [maker, guest] = [await people.person(), await people.person()]
  const match = await offer(maker, { against: 'person', side: 'Japan', name: 'Red admiral' })
  const link = await invitation(maker, /Copy the link for United States/)

  await maker.getByRole('link', { name: 'The rules' }).click()
  await expect(maker.getByRole('heading', { level: 1 })).toBeVisible()
  await guest.goto(link)
  await guest.getByRole('button', { name: /^Play United States/ }).click()
  await seated(guest)

  await expect(maker.getByRole('status')).toContainText('Somebody has sat down')
  await maker.getByRole('link', { name: 'Play', exact: true }).click()
  await expect(maker).toHaveURL(`/match/${match}`)
  await seated(maker)
  await expect(maker.locator('.called')).toHaveCount(0)
  await maker
    .getByRole('link', { name: /lobby|Fleetfold/i })
    .first()
    .click()
  await expect(maker.locator(`[data-match="${match}"]`).first()).toContainText('Your turn')
  await expect(maker.locator('.called')).toHaveCount(0)
})

test('in the lobby one is told for whom a match waits that has both its players', async ({ people }) => {
  const [maker, guest] = [await people.person(), await people.person()]
  const match = await offer(maker, { against: 'person', side: 'Japan', name: 'Red admiral' })
  const link = await invitation(maker, /Copy the link for United States/)
  await maker.goto('about:blank')
  await guest.goto(link)
  await guest.getByRole('button', { name: /^Play United States/ }).click()
  await expect(guest.getByRole('heading', { name: 'The match begins' })).toBeVisible()

  await guest.goto('/')
  await expect(guest.locator(`[data-match="${match}"]`).first()).toContainText('It begins as soon as Red admiral has it open')
})

test('a rematch is one match, for those who played, whoever asks first', async ({ people }) => {
  const [red, blue] = await duel(people)
  const old = new URL(red.url()).pathname
  await red.getByText('Match ▾').click()
  await red.getByRole('button', { name: 'Resign …' }).click()
  await red.getByRole('button', { name: 'Yes, resign' }).click()

  await red.getByRole('button', { name: 'Offer a rematch, sides swapped' }).click()
  await expect(red).not.toHaveURL(old)
  const next = new URL(red.url()).pathname
  await expect(red.locator('.invite li', { hasText: 'United States' })).toContainText('(you)')

  await test.step('the other is told at the table, at its end and in the lobby', async () => {
    await expect(blue.getByRole('button', { name: 'Play the rematch that is offered' })).toBeVisible()
    const elsewhere = await blue.context().newPage()
    await elsewhere.goto('/')
    await expect(elsewhere.locator(`[data-match="${old.slice(7)}"]`).first()).toContainText('A rematch is offered to you')
    await elsewhere.goto(`${old}/end`)
    await expect(elsewhere.getByRole('button', { name: 'Play the rematch that is offered' })).toBeVisible()
    await elsewhere.close()
  })

  await test.step('nobody else finds it', async () => {
    const stranger = await people.person()
    await stranger.goto('/')
    await expect(stranger.locator(`.lists`)).toBeVisible()
    await expect(stranger.locator(`[data-match="${next.slice(7)}"]`)).toHaveCount(0)
    await stranger.goto(next)
    await expect(stranger.getByRole('button', { name: /^Join/ })).toHaveCount(0)
  })

  await test.step('he takes it, and both play with sides swapped', async () => {
    await blue.getByRole('button', { name: 'Play the rematch that is offered' }).click()
    await expect(blue).toHaveURL(next)
    await seated(blue)
    await seated(red)
    await expect(sideLine(red, 'United States')).toContainText('Red admiral')
    await expect(sideLine(blue, 'Japan')).toContainText('(you)')
    await red.goto(old)
    await expect(red.getByRole('link', { name: 'To the rematch' })).toBeVisible()
  })
})

test('an offer can be taken back, and is on the list no longer', async ({ people }) => {
  const [maker, guest] = [await people.person(), await people.person()]
  await guest.goto('/')
  const match = await offer(maker, { against: 'person', side: 'Japan' })
  await expect(guest.locator(`.lists [data-match="${match}"]`)).toBeVisible()

  await maker.getByRole('button', { name: 'Take it off the list' }).click()

  await expect(maker.getByText('The match is not on the list in the lobby.')).toBeVisible()
  await expect(maker.getByRole('button', { name: 'Take it off the list' })).toHaveCount(0)
  await expect(guest.locator(`.lists [data-match="${match}"]`)).toHaveCount(0)
})
