/** The story of a campaign: its Operations as chapters of the log, what was missed of them, a unit's own story, and the
 * record after the end. */

import { playOn, tokensOf } from './quick'
import { expect, offer, type Page, seated, sit, test } from './table'

const campaign = (page: Page): Promise<string> => offer(page, { against: 'solo', title: 'pacific_war', scenario: 'C1' })

/** One seat gives up, over the socket. */
async function giveUp(page: Page, match: string): Promise<void> {
  const [token] = await tokensOf(page, match)
  await page.evaluate(
    ({ id, by }) =>
      new Promise<void>((done) => {
        const socket = new WebSocket(`ws://${location.host}/socket`)
        socket.onopen = () => socket.send(JSON.stringify({ t: 'hello', version: 1, match: id, token: by, after: 0 }))
        socket.onmessage = ({ data }: MessageEvent<string>) => {
          const { t } = JSON.parse(data) as { t: string }
          if (t === 'welcome') socket.send(JSON.stringify({ t: 'resign', match: id, command: crypto.randomUUID() }))
          if (t !== 'receipt') return
          socket.close()
          done()
        }
      }),
    { id: match, by: token! },
  )
}

test('a campaign tells its story: chapters of the log, what was missed, a unit’s life, and the record of all', async ({ people }) => {
  const page = await people.person()
  const match = await campaign(page)
  await sit(page)
  await seated(page)
  await playOn(page, match, 3, { most: 1_400 })

  const missed = page.getByRole('region', { name: 'Since you were last here' })
  await test.step('who comes back is told first what each Operation came to, and can put it away', async () => {
    await page.goto(`/match/${match}`)
    await seated(page)
    await expect(missed.getByRole('listitem').first()).toContainText(/Operation 1: /)
    await missed.getByRole('button', { name: 'Dismiss' }).click()
    await expect(missed).toHaveCount(0)
  })

  const first = page.locator('.log h2', { hasText: 'Operation 1: ' })
  const digest = page.locator('.log .digest').first()
  await test.step('its chapter of the log has its sum below its head, folded or not', async () => {
    await page.getByRole('button', { name: 'Log', exact: true }).click()
    await expect(digest).toContainText('August 1942')
    await expect(first.getByRole('button')).toHaveAttribute('aria-expanded', 'false')
    await first.getByRole('button').click()
    await expect(first.getByRole('button')).toHaveAttribute('aria-expanded', 'true')
    await first.getByRole('button').click()
  })

  await test.step('and one goes to where it begins', async () => {
    await digest.getByRole('button', { name: /Go to the beginning/ }).click()
    await expect(page.getByText('This is the past')).toBeVisible()
    expect(Number(new URL(page.url()).hash.slice(1))).toBeGreaterThan(1)
  })

  await test.step('a unit of the own order of battle tells where it was', async () => {
    await page.goto(`/match/${match}`)
    await seated(page)
    await page.getByRole('button', { name: 'Sides' }).click()
    await page.locator('[data-card="ca_chokai_maya"]').first().click()
    const story = page.getByRole('dialog')
    await expect(story).toContainText('Began at Rabaul')
    await story.getByRole('button', { name: 'Close' }).click()
    await expect(story).toHaveCount(0)
  })

  await test.step('the record comes with the end, and not before', async () => {
    await page.goto(`/match/${match}/war`)
    await expect(page.getByText('There is no record to show')).toBeVisible()
    await giveUp(page, match)
    await page.goto(`/match/${match}/end`)
    await page.getByRole('link', { name: 'The record by month' }).click()
    await expect(page.getByRole('heading', { name: 'The fronts' })).toBeVisible()
    await expect(page.getByRole('img', { name: /^August 1942: Japan held \d+ places, Allies \d+/ })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Who held what' })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  })
})
