/** The bar of phases below the map of a campaign, in a month of the war, which has the most of them. */

import { expect, offer, seated, sit, test } from './table'

const SIZES = [
  [1440, 900],
  [1280, 720],
  [390, 844],
] as const

test('the phases of a month of the war have room in every window: no letter is cut, no name by half', async ({ people }) => {
  const page = await people.person()
  await offer(page, { against: 'solo', title: 'pacific_war', scenario: 'S1' })
  await sit(page)
  await seated(page)
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height })
    const units = page.getByRole('button', { name: 'Units', exact: true })
    if (await units.count()) await units.click()
    const bar = page.getByRole('list', { name: 'Month' })
    await expect(bar.getByRole('listitem')).toHaveCount(10)

    const cut = (): Promise<(string | null)[]> =>
      bar.evaluate((list) => {
        const sheets = document.querySelector('.sheets')!.getBoundingClientRect()
        const within = (one: DOMRect, other: DOMRect): boolean => one.left >= other.left - 0.5 && one.right <= other.right + 0.5
        return [...list.querySelectorAll('li:not(.now) button')].flatMap((button) => {
          const [letter, name] = [button.querySelector('b')!.getBoundingClientRect(), button.querySelector('span')!.getBoundingClientRect()]
          const cell = button.getBoundingClientRect()
          const shown = name.width > 0 && name.top < cell.bottom - 4
          const beside = sheets.top >= cell.bottom || cell.right <= sheets.left
          return within(letter, cell) && letter.height < cell.height && (!shown || within(name, cell)) && beside ? [] : [button.textContent]
        })
      })
    await expect.poll(cut, { message: `at ${width}` }).toEqual([])
  }
})
