import { playOn } from './quick'
import { expect, invitation, offer, seated, sit, test, typed } from './table'

test('whoever comes back is told what he missed, steps through it, and goes on', async ({ people }) => {
  const page = await people.person()
  const match = await offer(page, { against: 'solo', scenario: 'historical-4-june' })
  await sit(page)
  await seated(page)
  const missed = page.getByRole('region', { name: 'Since you were last here' })
  await expect(missed).toHaveCount(0)
  await playOn(page, match, 5, { most: 500 })

  await test.step('as soon as the match is open again, in no more lines than can be taken in', async () => {
    await page.goto(`/match/${match}`)
    await seated(page)
    await expect(missed).toContainText(/\d{3} things have happened since you were last here/)
    expect(await missed.getByRole('listitem').count()).toBeLessThanOrEqual(5)
  })

  await test.step('stepping through it begins where he left', async () => {
    await missed.getByRole('button', { name: 'Step through them' }).click()
    await expect(page.getByText('This is the past')).toBeVisible()
    expect(Number(new URL(page.url()).hash.slice(1))).toBeLessThan(60)
  })

  await test.step('and it is gone when it was seen, and when he plays on', async () => {
    await page.goto(`/match/${match}`)
    await seated(page)
    await expect(missed).toHaveCount(0)
    await playOn(page, match, 5, { most: 520 })
    await page.goto(`/match/${match}/replay#0`)
    const mark = (await page.locator('.marks .since').boundingBox())!
    const bar = (await page.locator('.marks').boundingBox())!
    expect(mark.x + mark.width, 'the word stays within the bar').toBeLessThanOrEqual(bar.x + bar.width + 1)
    await page.goto(`/match/${match}`)
    await expect(missed).toBeVisible()
    await typed(page, '')
    await expect(missed).toHaveCount(0)
  })
})

test('what one plays for stands beside the seat, and in the aid of the table; its rules can be read there', async ({ people }) => {
  const page = await people.person()
  await offer(page, { against: 'person', title: 'coral_sea', scenario: 'campaign', side: 'Japan' })
  await expect(page.getByText('More victory points win')).toBeVisible()
  await page.getByRole('button', { name: 'C23.5' }).click()
  await expect(page.getByRole('dialog')).toContainText('More VP win;')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const other = await people.person()
  await other.goto(await invitation(page, /Copy the link for Allies/))
  await sit(other)
  await seated(page)
  await page.getByRole('button', { name: 'Aid new here?' }).click()
  await expect(page.getByText('More victory points win')).toBeVisible()
})
