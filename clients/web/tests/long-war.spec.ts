/** A war above 100,000 facts, of which the page reads a passage at a time: its log, its plots, its replay. */

import type { Chapter } from '../src/protocol/wire'
import { expect, offer, type Page, seated, sit, test } from './table'

/** Facts of a passage. */
const LONGEST = 5000
/** With so many before its moment a passage of the replay begins. */
const LEAD = 500

const chaptersOf = async (page: Page, match: string): Promise<Chapter[]> =>
  (await (await page.request.get(`/api/matches/${match}/chapters`)).json()) as Chapter[]
/** What the turns of the log are called, up to the side that leads them. */
const heads = async (page: Page): Promise<string[]> =>
  (await page.locator('.log h2').allInnerTexts()).map((head) => head.replace(/^[▾▸]\s*/, '').replace(/:.*/s, ''))
const called = ({ kind, named }: Chapter): string => (kind === 'operation' ? named.replace(/:.*/, '') : named)
const moment = (page: Page): number => Number(new URL(page.url()).hash.slice(1))

test('a long war is read in passages: log, plots and replay are right, and who comes back has his view at once', async ({
  people,
  server,
}) => {
  test.setTimeout(480_000)
  const page = await people.person()
  const match = await offer(page, { against: 'solo', title: 'pacific_war', scenario: 'S1' })
  await sit(page)
  await seated(page)
  await page.goto('/verify')
  const facts = Number(await server.beside('tests.long_war', match, '1942-01'))
  expect(facts).toBeGreaterThan(100_000)
  // What came of it is told by the server a moment later.
  await expect.poll(async () => (await chaptersOf(page, match)).at(-1)?.when, { timeout: 120_000 }).toContain('January 1942')
  const chapters = await chaptersOf(page, match)

  await test.step('who comes back has his view and what he missed, by chapters', async () => {
    await page.goto(`/match/${match}`)
    await seated(page)
    await expect(page.getByRole('region', { name: 'Since you were last here' }).getByRole('listitem').first()).toContainText(
      'Operation 1: ',
    )
    await page.getByRole('button', { name: 'Dismiss' }).click()
  })

  await test.step('the log says where it begins, and numbers its Operations as the war does', async () => {
    await page.getByRole('button', { name: 'Log', exact: true }).click()
    await expect(page.locator('.log')).toContainText(`The last ${LONGEST} facts.`)
    const first = chapters.findLast(({ since }) => since < facts - LONGEST)!
    const here = chapters.slice(chapters.indexOf(first)).map(called)
    await expect.poll(async () => here.join() === (await heads(page)).join()).toBe(true)
    expect(here.at(-1)).not.toMatch(/^Operation 1$/)
  })

  await test.step('the plots begin with the war', async () => {
    await page.getByRole('button', { name: 'Shipping', exact: true }).click()
    const trade = page.getByRole('region', { name: 'Merchant shipping' })
    for (const what of ['Merchant Shipping Points: 60', 'Homeland Resource Level: 20', 'Resource hexes of Japan, intact: \\d+']) {
      await expect(trade.getByRole('img', { name: new RegExp(`^${what} in December 1941, \\d+ in January 1942, of `) })).toBeVisible()
    }
    const war = chapters.filter(({ kind }) => kind === 'month')
    await expect(trade.locator('tbody tr')).toHaveCount(war.length)
    await expect(trade.locator('tbody tr').last()).toContainText(String(war[0]!.counts.command![0]))
  })

  await test.step('it links to the whole, from its beginning', async () => {
    await page.getByRole('link', { name: 'All from the beginning' }).click()
    await expect(page.getByText('This is the past')).toBeVisible()
    expect(moment(page)).toBe(0)
    await page.keyboard.press('Shift+ArrowRight')
    await expect.poll(() => moment(page)).toBeGreaterThan(0)
  })

  const slider = page.getByRole('slider', { name: 'Moment of the match' })
  const last = chapters.findLast(({ kind }) => kind === 'operation')!
  await test.step('the replay goes to any moment, and the log beside it is that of the moment', async () => {
    await expect(slider).toHaveAttribute('max', String(facts))
    await slider.fill(String(last.since + 20))
    await expect.poll(() => moment(page)).toBeGreaterThanOrEqual(last.since)
    await expect(page.locator('header .where')).not.toHaveText('')
    await expect.poll(() => heads(page)).toContain(called(last))
    await slider.fill(String(chapters[1]!.since + 20))
    await expect.poll(() => moment(page)).toBeLessThan(chapters[2]!.since)
    await expect.poll(() => heads(page)).toContain('Operation 1')
  })

  await test.step('and steps over the edge of a passage', async () => {
    await page.keyboard.press('End')
    await expect.poll(() => moment(page)).toBe(facts)
    for (let at = facts; at > facts - 2 * LEAD; at = moment(page)) {
      await page.keyboard.press('Shift+ArrowLeft')
      await expect.poll(() => moment(page)).toBeLessThan(at)
    }
  })
})
