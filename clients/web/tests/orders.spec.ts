/** What is ordered by hand in a month of the war: from the question, as a player sees it, to what came of it. */

import { Admiral } from './campaign'
import { playOn } from './quick'
import { expect, GLOWING, offer, seated, sit, test, type Watched } from './table'

/** Both sides of the war at one page, in the month in which such a decision can be taken. */
async function later(people: Watched, scenario: string, asks: string): Promise<Admiral> {
  const page = await people.person()
  const match = await offer(page, { against: 'solo', title: 'pacific_war', scenario })
  await sit(page)
  await seated(page)
  const { asked } = await playOn(page, match, 1, { most: 20_000, asks, hurries: true })
  expect(asked).not.toBeNull()
  await page.goto(`/match/${match}`)
  await seated(page)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  return new Admiral(page)
}

test('in a month of the war escorts, submarines, points, transport and an emergency link are ordered by hand', async ({ people }) => {
  const me = await later(people, 'S1', 'assign_escort')
  const units = me.page.locator('.units')
  const place = me.page.locator(`.stage ${GLOWING}`)

  await test.step('P9.1, P9.2: destroyers go on escort duty, and submarines go for escorts', async () => {
    const orders = units.getByRole('button', { name: /^On escort duty: Put .+ on escort duty$/ })
    const name = (await orders.first().getAttribute('aria-label'))!
    await orders.first().click()
    await expect(units.getByRole('button', { name, exact: true })).toHaveCount(0)
    await expect(orders.first()).toBeVisible()
    await me.button('Done').click()
    await me.until('P9.2')
    await expect(me.button('Go for merchant ships')).toBeVisible()
    await me.button('Go for escorts').click()
    await me.until('P10.3')
    await expect(me.log).toContainText(/submarine points went for escorts, 3 escort points stood against them/)
  })

  await test.step('P0.9.2: Command Points go where they went last month', async () => {
    await me.button('As last month').click()
    await expect(me.words).toContainText('Held back until it is whole')
    await expect(me.button(/^Take back what .+ was given$/)).toHaveCount(2)
    await me.button('Done').click()
    await me.until('P13.1')
    await expect(me.log).toContainText(/Japan, allocated: Combined Fleet-4th Fleet \d+ .+; Imperial General Headquarters \d+ /)
  })

  await test.step('P13.1: a unit is carried to where the map is clicked', async () => {
    await units
      .getByRole('button', { name: /^Transport: / })
      .first()
      .click()
    await expect(me.words).toContainText(/Choose where .+ goes/)
    const unit = /Choose where (.+) goes/.exec(await me.words.innerText())![1]!
    const there = /^(.+?), held by Japan/.exec((await place.first().getAttribute('aria-label'))!)![1]!
    await place.first().click()
    await expect(me.log).toContainText(`carried by strategic transport: at ${there}: ${unit}`)
  })

  await test.step('P0.9.1: the replacements that the house proposes are taken as they are named', async () => {
    await me.until('P16.1')
    const proposed = me.button(/^As proposed: a step to /)
    const picks = (await proposed.getAttribute('aria-label'))!.replace('As proposed: ', '').split('; ')
    const steps = picks.reduce((sum, one) => sum + Number(/×(\d+)$/.exec(one)?.[1] ?? 1), 0)
    const first = picks[0]!.replace('a step to ', '').replace(/ ×.*/, '')
    await proposed.click()
    await me.until('P17.1')
    await expect(me.log).toContainText(new RegExp(`${steps} replacements: ${first} at .+`))
  })

  await test.step('P11.7: a garrison that is cut off gets an emergency link', async () => {
    await me.until('P11.7')
    await place.click()
    await units.getByRole('button', { name: /^Emergency link by submarine to Guam/ }).click()
    await expect(me.log).toContainText('Guam has an emergency link')
  })
})

test('P8.2 the Allies send bombers to raid Japan, from a telephone', async ({ people }) => {
  const me = await later(people, 'S2', 'raid')
  await me.page.setViewportSize({ width: 390, height: 844 })
  await me.button('Precision bombing from Chengtu-Kunming airfields (China)').click()
  await me.button('2 Strategic Bombing Points').click()
  await me.page.getByRole('button', { name: 'Log', exact: true }).click()
  await expect(me.log).toContainText('Strategic Bombing Points after a precision raid: Chengtu-Kunming airfields (China) ')
})
