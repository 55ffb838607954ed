import { test as base, expect, freshHandle, type Page, signUp } from './passkeys'
import { type Stage, startStage, type Told } from './stage'
import { chances, clickWhatGlows, duel, offered, openForm, patience, seated } from './table'

/** Turns that are played before one resigns. */
const TURNS = 4
const MINUTE = 61
const HOURS = 9 * 3_600
const DAYS = 86_400

const test = base.extend<object, { server: Stage }>({
  server: [
    async ({}, use) => {
      const stage = await startStage()
      await use(stage)
      await stage.stop()
    },
    { scope: 'worker' },
  ],
})

/** What the page itself may ask of its server, by the session of its browser. */
function ask<T>(page: Page, verb: string, path: string, body?: object): Promise<T> {
  return page.evaluate(
    async ([method, where, text]) => {
      const headers = { 'Content-Type': 'application/json' }
      const answer = await fetch(where, method === 'GET' ? {} : { method, headers, body: text })
      if (!answer.ok) throw new Error(`${method} ${where}: ${await answer.text()}`)
      return (await answer.json()) as T
    },
    [verb, path, JSON.stringify(body)] as const,
  )
}

/** Proves a mail address by the link that is mailed to it, and has himself told by mail and by push. */
async function reachable(page: Page, stage: Stage, seat: number, handle: string): Promise<void> {
  const address = `${handle}@post.example`
  await ask(page, 'PATCH', '/api/me', { night: null }) // whatever the hour is
  await ask(page, 'POST', '/api/me/mail', { address })
  await ask(page, 'POST', '/api/me/mailed', { token: await stage.letter() })
  const { push: key } = await ask<{ push: string }>(page, 'GET', '/api/me/channels')
  // A browser's own `subscribe` needs its maker's service: keys and endpoint are the test's.
  const keys = await stage.receiver(seat, address, key)
  await ask(page, 'POST', '/api/me/channels', { kind: 'mail' })
  await ask(page, 'POST', '/api/me/channels', { kind: 'push', ...keys })
}

const away = (page: Page) => page.goto('about:blank')

const turns = (told: Told[]): Told[] => told.filter(({ kind }) => kind === 'turn')

/** The rating that one's page shows of Midway. */
async function rating(page: Page, handle: string): Promise<number> {
  const row = page.getByRole('region', { name: 'Ratings' })
  await expect(async () => {
    await page.goto(`/people/${handle}`)
    await expect(row).toContainText('Midway', { timeout: 1_000 })
  }).toPass()
  return Number(/\d{4}/.exec((await row.textContent())!)![0])
}

test('two who never exchanged a link play by turns, each called back once a turn, and are rated', async ({ known, server: stage }) => {
  const pages = [(await known.browser()).page, (await known.browser()).page] as const
  const [japan, america] = pages
  const handles = [freshHandle(), freshHandle()]
  for (const [seat, page] of pages.entries()) {
    await signUp(page, handles[seat]!)
    await reachable(page, stage, seat, handles[seat]!)
  }

  const match = await test.step('one offers a rated match with days, and goes', async () => {
    await openForm(japan)
    await japan.locator('input[name="scenario"][value="duel"]').check()
    await japan.getByLabel('Pace', { exact: true }).selectOption({ label: 'By turns, with clocks of days' })
    await japan.getByLabel('I play').selectOption({ label: 'Japan' })
    await japan.getByRole('checkbox', { name: /^Rated/ }).check()
    const made = await offered(japan)
    await expect(japan.locator('.invite')).toContainText('(you)')
    await away(japan)
    return made
  })
  await test.step('the other finds it in the lobby', async () => {
    await america.goto('/')
    await america.getByRole('button', { name: 'Join as United States' }).click()
    await expect(america).toHaveURL(new RegExp(match))
    await expect(america.locator('.invite')).toContainText('(you)')
    await away(america)
  })
  await test.step('who offered is called, and it begins', async () => {
    const told = await stage.later(MINUTE)
    expect(told.map(({ seat, channel, kind }) => `${seat} ${channel} ${kind}`).sort()).toEqual(['0 mail joined', '0 push joined'])
    await japan.goto(`/match/${match}`)
    await seated(japan)
    await away(japan)
  })

  const chance = chances(7)
  for (let turn = 1; turn <= TURNS; turn++) {
    await test.step(`turn ${turn}: who is asked is called by mail and by push, comes hours later, and decides`, async () => {
      await stage.away(match)
      const [seat] = await stage.asked(match)
      const told = turns(await stage.later(MINUTE))
      expect(told.map((one) => `${one.seat} ${one.channel}`).sort()).toEqual([`${seat} mail`, `${seat} push`])
      expect(turns(await stage.later(HOURS))).toEqual([])
      const page = pages[seat!]!
      await page.goto(`/match/${match}`)
      await seated(page)
      await expect(page.locator('.prompt.mine')).toBeVisible()
      const patient = patience(page)
      while ((await page.locator('.prompt.mine').count()) > 0) await patient(await clickWhatGlows(page, chance))
      await away(page)
    })
  }

  await test.step('one gives up, and the ratings of both move', async () => {
    await america.goto(`/match/${match}`)
    await seated(america)
    await america.getByText('Match ▾').click()
    await america.getByRole('button', { name: 'Resign …' }).click()
    await america.getByRole('button', { name: 'Yes, resign' }).click()
    await expect(america.locator('.prompt .words')).toContainText('won')
    expect(await rating(japan, handles[0]!)).toBeGreaterThan(1500)
    expect(await rating(america, handles[1]!)).toBeLessThan(1500)
  })
})

test('where no passkey can be had the page says so, and who comes by mail instead is proposed a night', async ({
  people,
  server: stage,
}) => {
  people.expectBreaks()
  const page = await people.person(false, stage.url)
  const handle = freshHandle()
  await page.goto('/you')
  const note = page.getByRole('note')
  await expect(note).toContainText('Passkeys cannot be had here.')
  await expect(note).toContainText('You can sign up, and in, by a link to your mail address.')
  await expect(note).not.toContainText('nobody')
  await page.getByLabel('Or by a link to your mail address').fill(`${handle}@post.example`)
  await page.getByRole('button', { name: 'Mail me a link' }).click()
  await expect(page.getByText('a link is on its way')).toBeVisible()

  await page.goto(`/mailed#${await stage.letter()}`)
  await page.getByLabel('Your handle').fill(handle)
  await page.getByLabel('Your night').selectOption('21:00 to 5:00')
  await page.getByRole('button', { name: 'Keep me' }).click()
  await page.getByLabel('I have kept them').check()
  await page.getByRole('button', { name: 'Go on' }).click()
  await expect(page.getByLabel('Your night')).toHaveValue('21')
  await expect(page.getByRole('button', { name: 'Tell me by mail' })).toBeVisible()
})

test('without a clock whoever has waited for 14 days claims the win, whatever was offered meanwhile', async ({ people, server: stage }) => {
  const [japan, america] = await duel(people)
  const out = america.locator('.out')
  await expect(japan.locator('.prompt.mine')).toBeVisible()

  await test.step('on day 10 he who is waited for offers a draw, and decides nothing', async () => {
    await stage.later(10 * DAYS)
    await japan.getByText('Match ▾').click()
    await japan.getByRole('button', { name: 'Offer a draw' }).click()
    await expect(america.getByRole('button', { name: 'Decline' })).toBeVisible()
  })
  await test.step('after less than 14 days there is nothing to claim', async () => {
    await stage.later(3.5 * DAYS)
    await america.reload()
    await expect(america.getByRole('button', { name: 'Decline' })).toBeVisible()
    await expect(out).toHaveCount(0)
  })
  await stage.later(DAYS)
  await america.reload()
  await expect(out).toContainText('has been waited for for 14 days')
  await out.getByRole('button', { name: 'Claim the win' }).click()
  for (const page of [japan, america]) await expect(page.locator('.prompt .words')).toContainText('stayed away for 14 days')
})
