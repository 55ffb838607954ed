import { playOut, tokensOf } from './quick'
import { expect, factsOf, offer, type Page, seated, sit, test } from './table'

const SEATS = ['Akagi and Kaga', 'Soryu and Hiryu', 'Enterprise and Hornet', 'Yorktown']

test('four play in two teams: links for all, seats with their carriers, a proposal accepted and one refused', async ({ people }) => {
  const admiral = await people.person()
  const match = await offer(admiral, { against: 'person', scenario: 'historical-4-june', side: 'Japan', name: 'Red admiral', team: [2, 2] })
  const pages: Page[] = [admiral]

  await test.step('there is a link for every other seat, named by its carriers', async () => {
    for (const name of SEATS) await expect(admiral.locator('.invite li', { hasText: name })).toBeVisible()
    await expect(admiral.getByRole('textbox', { name: /Copy the link for (?!onlookers)/ })).toHaveCount(3)
  })

  await test.step('each takes the seat of his link', async () => {
    const links = await Promise.all(
      SEATS.slice(1).map((name) => admiral.getByRole('textbox', { name: `Copy the link for ${name}` }).inputValue()),
    )
    await sit(admiral)
    for (const [order, link] of links.entries()) {
      const page = await people.person()
      await page.goto(link)
      await expect(page.getByRole('button', { name: `Play ${SEATS[order + 1]}` })).toBeVisible()
      await page.getByLabel('Your name').fill(`Player ${order + 2}`)
      await sit(page)
      pages.push(page)
    }
    for (const page of pages) await seated(page)
  })

  await test.step('the panels name each seat with its carriers', async () => {
    await pages[2]!.getByRole('button', { name: 'Fleets', exact: true }).click()
    const japan = pages[2]!.getByRole('region', { name: 'Japan' })
    await expect(japan.locator('.seat').nth(0)).toContainText('Red admiral')
    await expect(japan.locator('.seat').nth(0)).toContainText(SEATS[0]!)
    await expect(japan.locator('.seat').nth(1)).toContainText(SEATS[1]!)
    await expect(pages[2]!.getByRole('region', { name: 'United States' }).locator('.seat').nth(0)).toContainText('(you)')
  })

  await test.step('a draw needs every seat', async () => {
    await admiral.getByText('Match ▾').click()
    await admiral.getByRole('button', { name: 'Offer a draw' }).click()
    await pages[1]!.locator('.offer').getByRole('button', { name: 'Agree' }).click()
    await expect(pages[1]!.locator('.offer')).toContainText('You agreed to a draw')
    await pages[3]!.locator('.offer').getByRole('button', { name: 'Decline' }).click()
    for (const page of pages) await expect(page.locator('.offer')).toHaveCount(0)
  })

  const tokens = (await Promise.all(pages.map((page) => tokensOf(page, match)))).flat()
  // Four boards would have to draw every step.
  for (const page of pages) await page.goto('/verify')
  for (const [name, seed] of [
    ['Accept the proposal', 3],
    ['Refuse: split the hits evenly', 4],
  ] as const) {
    await test.step(name, async () => {
      const { asked } = await playOut(admiral, match, tokens, seed, { most: 6_000, asks: 'ACCEPT', presses: true })
      expect(asked, 'losses were proposed').not.toBeNull()
      const page = pages[asked!]!
      await page.goto(`/match/${match}`)
      await seated(page)
      await expect(page.locator('.prompt .words')).toContainText('The admiral proposes that your groups take')
      const before = await factsOf(page)
      await page.getByRole('button', { name }).click()
      await expect.poll(() => factsOf(page)).toBeGreaterThan(before)
      await expect(page.locator('.refused')).toHaveCount(0)
      await page.goto('/verify')
    })
  }
})
