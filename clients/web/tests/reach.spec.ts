import { offerNimitz } from './nimitz'
import { Driver, kindOf, type Moment } from './driver'
import { reach } from './reach'
import { expect, offer, type Page, seated, sit, test, type Watched } from './table'

interface Plan {
  seed: number
  /** At so many questions the page is looked at. */
  looks: number
  /** Between two of them so many decisions are made, unless a question of a new kind comes. */
  apart: number
  /** So many ways that begin with a pick are gone to their end. */
  deep: number
}

/** The last fact that a page has been told of. */
function following(page: Page): () => number {
  let upto = 0
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const said = JSON.parse(String(payload)) as { t: string; upto?: number }
      if (said.t === 'frame' || said.t === 'view') upto = Math.max(upto, said.upto ?? 0)
    }),
  )
  return () => upto
}

/** A page that shares its processor with others may draw a frame so much later than it was told. */
const LATE_MS = 8_000

/** Plays a random match of both seats; what was asked and could not be chosen by pointing. */
async function compared(people: Watched, start: (page: Page) => Promise<string>, { seed, looks, apart, deep }: Plan): Promise<string[]> {
  const page = await people.person()
  const told = following(page)
  const match = await start(page)
  await sit(page)
  await seated(page)
  const beside = await page.context().newPage()
  await beside.goto('/verify')
  const driver = await Driver.of(beside, match, seed)
  await page.bringToFront()
  await page.mouse.move(3, 3)
  const [faults, seen] = [new Set<string>(), new Set<string>()]
  let moment: Moment = await driver.drive(0, [])
  for (let round = 0; round < looks && !moment.over; round++) {
    for (const one of moment.prompts) seen.add(kindOf(one))
    await expect.poll(told, { intervals: [5, 10, 20] }).toBeGreaterThanOrEqual(moment.head)
    // What was told may not be drawn yet: what is wrong is so when it is looked at again.
    let wrong = await reach(page, moment.prompts, deep, seed + round)
    for (const since = Date.now(); wrong.length && Date.now() - since < LATE_MS;) {
      await page.waitForTimeout(300)
      wrong = await reach(page, moment.prompts, deep, seed + round)
    }
    for (const fault of wrong) faults.add(`${moment.prompts.map(kindOf).join(' | ')}: ${fault}`)
    moment = await driver.drive(apart, [...seen])
  }
  if (looks === Infinity) expect(moment.over, 'the match has ended').toBe(true)
  expect(seen.size, 'kinds of questions').toBeGreaterThan(3)
  return [...faults]
}

const duel = (page: Page) => offer(page, { against: 'solo' })
const june = (page: Page) => offer(page, { against: 'solo', scenario: 'historical-4-june' })
const coralSea = (page: Page) => offer(page, { against: 'solo', title: 'coral_sea' })
const pacificWar = (page: Page) => offer(page, { against: 'solo', title: 'pacific_war', scenario: 'E1' })
const campaign = (page: Page) => offer(page, { against: 'solo', title: 'pacific_war', scenario: 'C1' })
const war = (page: Page) => offer(page, { against: 'solo', title: 'pacific_war', scenario: 'S1' })
const nimitz = (page: Page) => offerNimitz(page, 'alone')
const japan = (page: Page) => offerNimitz(page, 'both')

const SOON = [6, ''] as const
const LATER = [24, ' @soak: later too'] as const

for (const [name, start, apart, plans] of [
  ['Midway', june, 25, [SOON, LATER]],
  ['Coral Sea', coralSea, 12, [SOON, LATER]],
  ['Pacific War', pacificWar, 12, [SOON, LATER]],
  ['Pacific War, a campaign', campaign, 25, [SOON, LATER]],
  // Its prompts list hundreds of units.
  ['Pacific War, the war', war, 25, [LATER]],
  ['Nimitz', nimitz, 30, [SOON, LATER]],
  ['Nimitz, both sides', japan, 30, [SOON, LATER]],
] as const) {
  for (const [looks, marked] of plans) {
    test(`${name}: what a prompt lists can be chosen by pointing, or by a button that names it${marked}`, async ({ people }) => {
      expect(await compared(people, start, { seed: 11, looks, apart, deep: 2 })).toEqual([])
    })
  }
}

for (const [name, start] of [
  ['the duel', duel],
  ['Midway', june],
  ['Coral Sea', coralSea],
  ['Nimitz', nimitz],
  ['Nimitz, both sides', japan],
] as const) {
  test(`${name} @soak: in a whole match, all that a prompt lists can be chosen`, async ({ people }) => {
    test.setTimeout(3_000_000)
    expect(await compared(people, start, { seed: 5, looks: Infinity, apart: 2, deep: 4 })).toEqual([])
  })
}
