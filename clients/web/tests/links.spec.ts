import { choose, expect, invitation, offer, type Page, seated, sideLine, sit, test } from './table'

async function openLinks(page: Page): Promise<void> {
  await page.getByText('Match ▾').click()
  await page.getByRole('button', { name: 'My links' }).click()
}

const newLink = (page: Page, whose: string): Promise<string> =>
  page.getByRole('textbox', { name: `Copy the new link for ${whose}` }).inputValue()

test('links are made void: a free seat’s by the creator, one’s own at any time', async ({ people }) => {
  const creator = await people.person()
  const match = await offer(creator, { against: 'person', side: 'Japan' })
  const lost = await invitation(creator, /Copy the link for United States/)
  await sit(creator)

  const fresh = await test.step('the creator replaces the link of a seat before the start', async () => {
    await openLinks(creator)
    await creator.getByRole('button', { name: 'Make the link for United States void' }).click()
    const link = await newLink(creator, 'United States')
    expect(link).not.toBe(lost)
    await creator.getByRole('button', { name: 'Copy the new link for United States' }).click()
    await creator.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    expect(await creator.evaluate(() => navigator.clipboard.readText())).toBe(link)
    expect(await invitation(creator, /Copy the link for United States/)).toBe(link)
    return link
  })

  const other = await people.person()
  await test.step('the old link opens nothing, the new one the seat', async () => {
    await other.goto(lost)
    await expect(other.getByRole('heading', { name: 'This link opens no seat' })).toBeVisible()
    await other.goto(fresh)
    await sit(other)
    await seated(other)
    await seated(creator)
  })

  const again = await creator.context().newPage()
  await again.goto(`/match/${match}`)
  await seated(again)
  await test.step('one’s own link in mid-play: here and in the other tab play goes on', async () => {
    await creator.bringToFront()
    await openLinks(creator)
    await expect(creator.getByRole('button', { name: 'Make the link for' })).toHaveCount(0)
    await creator.getByRole('button', { name: 'Make my old link for Japan void' }).click()
    const link = await newLink(creator, 'Japan')
    await creator.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    for (const page of [creator, again]) {
      await page.bringToFront()
      const counter = page.locator('.counter.glowing').first()
      const [id, before] = [await counter.getAttribute('data-id'), await counter.getAttribute('aria-label')]
      await choose(page, id!)
      const box = page.locator('.stage .box.glowing').first()
      if (await box.count()) await box.click()
      await expect(page.locator(`[data-id="${id}"]`)).not.toHaveAttribute('aria-label', before!)
      await expect(page.locator('.refused')).toHaveCount(0)
    }
    const elsewhere = await people.person()
    await elsewhere.goto(link)
    await seated(elsewhere)
    await expect(elsewhere.locator('.prompt.mine')).toBeVisible()
  })

  await test.step('the browser keeps the new link and the creator’s', async () => {
    await creator.bringToFront()
    await creator.reload()
    await seated(creator)
    await expect(creator.locator('.prompt.mine')).toBeVisible()
    await openLinks(creator)
    await expect(creator.getByRole('button', { name: 'Make my old link for whoever offered the match void' })).toBeVisible()
  })
})

test('an invitation opens nothing once somebody sits by it, but to him who did', async ({ people }) => {
  const [maker, guest] = [await people.person(), await people.person()]
  await offer(maker, { against: 'person', side: 'Japan' })
  const link = await invitation(maker, /Copy the link for United States/)
  await guest.goto(link)
  await sit(guest)
  await seated(maker)
  await seated(guest)

  await guest.goto('/')
  await guest.goto(link)
  await seated(guest)
  await openLinks(guest)
  await expect(guest.getByRole('button', { name: 'Make my old link for United States void' })).toBeVisible()
  const thief = await people.person()
  await thief.goto(link)
  await expect(thief.getByRole('heading', { name: /This link opens no seat|This match cannot be opened/ })).toBeVisible()
})

test('a link that is added to the address of a match that is open already is read', async ({ people }) => {
  const [creator, other] = [await people.person(), await people.person()]
  const match = await offer(creator, { against: 'person', side: 'Japan', hidden: true })
  const link = await invitation(creator, /Copy the link for United States/)
  await sit(creator)
  await other.goto(`/match/${match}`)
  await expect(other.getByRole('heading', { name: 'This match cannot be opened' })).toBeVisible()

  await other.evaluate((hash) => (location.hash = hash), new URL(link).hash)

  await expect(other.getByLabel('Your name')).toBeVisible()
  expect(new URL(other.url()).hash).toBe('')
  await sit(other)
  await seated(other)
  await other.reload()
  await seated(other)
  await expect(sideLine(other, 'United States')).toContainText('(you)')
})

test('a link that comes too late says so, and leads to where one may still look on', async ({ people }) => {
  const [creator, late] = [await people.person(), await people.person()]
  const heading = late.getByRole('heading', { name: 'This link opens no seat' })
  const watch = late.getByRole('button', { name: 'Watch the match' })
  const replaced = async (hidden: boolean): Promise<[string, string]> => {
    await offer(creator, { against: 'person', side: 'Japan', hidden })
    const link = await invitation(creator, /Copy the link for United States/)
    await sit(creator)
    await openLinks(creator)
    await creator.getByRole('button', { name: 'Make the link for United States void' }).click()
    return [link, await newLink(creator, 'United States')]
  }
  // What cannot be read is asked for all the same, which Chromium reports.
  people.expectBreaks()

  await test.step('of a match that is private nothing is shown', async () => {
    const [link] = await replaced(true)
    await late.goto(link)
    await expect(heading).toBeVisible()
    await expect(late.getByRole('alert')).toContainText('The seat is taken, or the link was replaced by a newer one')
    await late.waitForLoadState('networkidle')
    await expect(watch).toHaveCount(0)
    await expect(late.locator('.where b')).toHaveText('')
  })

  const [link, fresh] = await replaced(false)
  await test.step('others can be watched', async () => {
    await late.goto(link)
    await expect(heading).toBeVisible()
    await watch.click()
    await expect(late.getByRole('button', { name: 'Join as United States' })).toBeVisible()
  })

  await test.step('whoever keeps another way in goes on by it', async () => {
    await late.goto(fresh)
    await sit(late)
    await seated(late)
    await late.goto(link)
    await expect(heading).toBeVisible()
    await late.getByRole('button', { name: 'Open the match' }).click()
    await seated(late)
    await expect(sideLine(late, 'United States')).toContainText('(you)')
  })
})
