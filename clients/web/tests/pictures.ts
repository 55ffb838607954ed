/** The pictures of the README, in docs/pictures: made from matches whose dice and choices are known. `npm run pictures`.
 * With PICTURES=folder every page goes there instead, in three sizes and both themes, to be looked at. */

import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { offerNimitz } from './nimitz'
import { playOut, tokensOf } from './quick'
import { choose, expect, invitation, offer, paced, type Page, pocketed, seated, sit, test } from './table'

const ALL = process.env.PICTURES
const FOLDER = ALL ?? join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'docs', 'pictures')
const SIZES = [
  [1440, 900],
  [1280, 720],
  [390, 844],
] as const

test.beforeAll(() => void mkdirSync(FOLDER, { recursive: true }))

/** As large as a README shows them. */
const DESK = { width: 1280, height: 800 }

/** JPEG, so that they stay small: boards have gradients, of which PNG makes three times as much. */
function file(name: string, folder = FOLDER): { path: string; type: 'jpeg'; quality: number } {
  return { path: join(folder, `${name}.jpg`), type: 'jpeg', quality: 72 }
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.mouse.move(700, 2)
  await page.waitForTimeout(500)
  if (!ALL) {
    await page.setViewportSize(DESK)
    // Nor the ring of what was clicked last.
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.waitForTimeout(500)
    await page.screenshot(file(name))
    return
  }
  for (const theme of ['Dark', 'Light']) {
    const other = page.getByRole('button', { name: `${theme} theme` })
    if (await other.count()) await other.click()
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height })
      await page.waitForTimeout(400)
      await page.screenshot(file(`${name}-${width}-${theme.toLowerCase()}`))
    }
  }
  await page.getByRole('button', { name: 'Dark theme' }).click()
  await page.setViewportSize({ width: 1440, height: 900 })
}

test('pictures', async ({ people }) => {
  const [japan, america, idle, phone] = [await people.person(), await people.person(), await people.person(), await people.person(true)]
  const match = await offer(japan, {
    against: 'person',
    side: 'Japan',
    scenario: 'historical-4-june',
    name: 'Red admiral',
    label: 'An afternoon north of Midway',
  })
  const link = await invitation(japan, /Copy the link for United States/)
  await sit(japan)
  await america.goto(link)
  await america.getByLabel('Your name').fill('Blue admiral')
  await sit(america)
  await seated(japan)
  await seated(america)
  const tokens = [...(await tokensOf(japan, match)), ...(await tokensOf(america, match))]
  await idle.goto('/verify')
  const play = (until: Parameters<typeof playOut>[4]) => playOut(idle, match, tokens, 4, until)

  await play({ most: 4_000, asks: 'LAUNCH', seat: 0 })
  await pocketed(japan, phone)
  await phone.goto(`/match/${match}`)
  await seated(phone)
  await phone.locator('[data-stack].glowing').first().tap()
  await expect(phone.locator('[data-fan]')).toBeVisible()
  await phone.waitForTimeout(500)
  await phone.screenshot(file('phone'))

  await play({ most: 4_000, least: 420, asks: 'TARGET', seat: 0 })
  await expect(japan.locator('.prompt.mine')).toBeVisible()
  const carriers = japan.locator('.ship.glowing')
  for (let aimed = 0; aimed < 4; aimed++) {
    const group = japan.locator('.counter.glowing').first()
    // The last choice may be on its way still: then there is nothing to choose for a moment.
    const next = (await carriers.count()) ? null : await group.getAttribute('data-id', { timeout: 2_000 }).catch(() => null)
    if (next) await choose(japan, next)
    if (aimed < 3 && (await carriers.count())) await carriers.nth(aimed % (await carriers.count())).click({ position: { x: 60, y: 12 } })
    await japan.waitForTimeout(200)
  }
  await shoot(japan, 'match')

  await play({ most: 40_000 })
  await japan.goto(`/match/${match}/verify`)
  await expect(japan.locator('[data-verdict="holds"]')).toBeVisible({ timeout: 60_000 })
  await shoot(japan, 'verify')
  await japan.goto(`/match/${match}/end`)
  await expect(japan.locator('.picture svg .counter').first()).toBeAttached()
  await shoot(japan, 'end')
  const struck = await japan.evaluate(async (id) => {
    const lines = (await (await fetch(`/api/matches/${id}/steps`)).text()).trim().split('\n')
    const facts = lines.flatMap((line) => (JSON.parse(line) as { facts: { seq: number; body: string }[] }).facts)
    const attacks = facts.filter((fact) => fact.body.includes('"purpose":"ATTACK_'))
    return attacks[Math.floor(attacks.length * 0.6)]?.seq ?? 500
  }, match)
  await japan.goto(`/match/${match}/replay?as=all#${struck}`)
  await expect(japan.getByText('This is the past')).toBeVisible()
  await shoot(japan, 'replay')
  await japan.goto('/rules/midway#M7')
  if (ALL) await shoot(japan, 'rules')
})

/** A match that is played until something is asked; if its dice never lead there, another. */
async function untilAsked(page: Page, idle: Page, [title, scenario]: [string, string], asks: string, least: number): Promise<string> {
  for (let seed = 1; seed <= 8; seed++) {
    const match = await offer(page, { against: 'solo', title, scenario })
    await sit(page)
    await seated(page)
    const { asked } = await playOut(idle, match, await tokensOf(page, match), seed, { most: 40_000, least, asks })
    if (asked !== null) return match
  }
  throw new Error(`nobody was asked ${asks}`)
}

test('pictures of Coral Sea', async ({ people }) => {
  const [page, idle, phone] = [await people.person(), await people.person(), await people.person(true)]
  await idle.goto('/verify')

  await untilAsked(page, idle, ['coral_sea', 'campaign'], 'land_at', 400)
  await expect(page.locator('.under-way')).toBeVisible()
  await shoot(page, 'coral-sea-landing')

  await untilAsked(page, idle, ['coral_sea', 'fortress'], 'play_chit', 120)
  await expect(page.locator('.fight .chit.glows').first()).toBeVisible()
  await shoot(page, 'coral-sea')

  const match = await untilAsked(page, idle, ['coral_sea', 'campaign'], 'play_card', 600)
  await pocketed(page, phone)
  await phone.goto(`/match/${match}`)
  // Where a card is asked for, it opens by itself in place of the map.
  await phone.getByRole('button', { name: 'Hand', exact: true, pressed: true }).waitFor()
  await phone.waitForTimeout(500)
  await phone.screenshot(file('coral-sea-phone'))
})

test('pictures of Pacific War', async ({ people }) => {
  const [page, idle] = [await people.person(), await people.person()]
  await idle.goto('/verify')

  await untilAsked(page, idle, ['pacific_war', 'E1'], 'allot_strike', 0)
  await expect(page.locator('.strikes .target').first()).toBeVisible()
  await shoot(page, 'pacific-war')

  await page.setViewportSize(DESK)
  await page.goto('/rules/pacific_war#P38')
  const example = page.getByRole('figure', { name: /A naval battle/ })
  await expect(async () => {
    await page.locator('[data-figure="P38.4"]').scrollIntoViewIfNeeded()
    await expect(example.locator('path.land')).toHaveAttribute('d', /^M/, { timeout: 500 })
  }).toPass()
  const hit = example.locator('.line.now', { hasText: 'New Orleans-Minneapolis takes 3 hits' })
  while (!(await hit.count())) await example.getByRole('button', { name: 'On', exact: true }).click()
  await example.locator('.drawn').evaluate((battle) => battle.scrollIntoView({ block: 'end' }))
  await shoot(page, 'pacific-war-rules')
})

/** Decides by the list, if there is something of that name on it. */
async function say(page: Page, text: string): Promise<boolean> {
  const list = page.getByRole('combobox')
  await expect(list).toHaveAttribute('placeholder', /\d+ legal/)
  await list.fill(text)
  const options = page.getByRole('listbox', { name: 'Legal decisions' }).getByRole('option', { disabled: false })
  const found = (await options.count()) > 0
  await list.press(found ? 'Enter' : 'Escape')
  // No key now: it would end what the board begins to show.
  await list.blur()
  if (found) await page.waitForTimeout(300)
  return found
}

test('pictures of Nimitz', async ({ people }) => {
  const admiral = await people.person()
  await admiral.setViewportSize(DESK)
  await admiral.emulateMedia({ reducedMotion: 'no-preference' })
  await offerNimitz(admiral, 'alone')
  await sit(admiral)
  await paced(admiral, 'quick')
  await admiral.reload()
  await seated(admiral)
  const words = admiral.locator('.prompt .words p').first()
  await say(admiral, 'done with resupply')
  await say(admiral, 'done with scouting')
  for (const ship of ['lexington', 'enterprise', 'saratoga', 'chester', 'astoria', 'new orleans', 'desron 1', 'desron 3']) {
    await say(admiral, `${ship} to marshall`)
  }
  await admiral.locator('.stage .area[data-id="SA"] .plate').hover()
  await admiral.waitForTimeout(600)
  await admiral.screenshot(file('nimitz-map'))

  await say(admiral, 'done with movement')
  /** The first of these that can be chosen. */
  const said = async (...texts: string[]): Promise<void> => {
    for (const text of texts) if (await say(admiral, text)) return
  }
  const dice = admiral.locator('.stage .fray .die')
  const falls = async (): Promise<boolean> => {
    for (let look = 0; look < 25; look++) {
      if ((await dice.count()) >= 4) return true
      if (look > 12 && !(await dice.count())) return false
      await admiral.waitForTimeout(100)
    }
    return false
  }
  for (let step = 0; step < 120 && !(await falls()); step++) {
    const asked = await words.innerText()
    if (asked.includes('Choose the battle')) await said('marshall', '')
    else if (asked.includes('Place your surface')) await say(admiral, 'us ocean')
    else if (asked.includes('Battle plans')) await said('buy furball', 'begin the battle')
    else if (asked.includes('Aircraft')) {
      const bombers = admiral.locator('.prompt [data-bundle]')
      const coast = bombers.filter({ hasText: 'Coastal' })
      if (await coast.count()) await coast.click()
      else if (await bombers.count()) await bombers.first().click()
      else await said('F4F', '')
    } else await say(admiral, '')
  }
  expect(await dice.count(), 'dice fall').toBeGreaterThan(3)
  await admiral.waitForTimeout(1_000)
  await admiral.screenshot(file('nimitz-battle'))
})

/** What a link shows where it is pasted: near the shape that chats ask for, 1200 by 630. */
const PREVIEW = { width: 1490, height: 800 }
const PREVIEWS = ALL ?? join(dirname(fileURLToPath(import.meta.url)), '..', 'public', 'preview')

test('previews of links', async ({ people }) => {
  mkdirSync(PREVIEWS, { recursive: true })
  const [player, idle] = [await people.person(), await people.person()]
  await idle.goto('/verify')
  const played = {
    midway: [() => offer(player, { against: 'solo', scenario: 'historical-4-june' }), { most: 4_000, least: 420, asks: 'TARGET' }],
    coral_sea: [
      () => offer(player, { against: 'solo', title: 'coral_sea', scenario: 'campaign' }),
      { most: 6_000, least: 600, asks: 'play_card' },
    ],
    nimitz: [() => offerNimitz(player, 'alone', '1944'), { most: 6_000, least: 600, asks: 'MoveForce' }],
    pacific_war: [
      () => offer(player, { against: 'solo', title: 'pacific_war', scenario: 'E1' }),
      { most: 6_000, least: 200, asks: 'move_tf' },
    ],
  } as const
  await player.setViewportSize(PREVIEW)
  for (const [name, [offered, until]] of Object.entries(played)) {
    const match = await offered()
    await sit(player)
    await seated(player)
    await playOut(idle, match, await tokensOf(player, match), 4, until)
    await player.reload()
    await seated(player)
    await player.waitForTimeout(1_500)
    await player.locator('.stage').screenshot(file(name, PREVIEWS))
  }
  await idle.setViewportSize({ width: 1200, height: 630 })
  await idle.goto('/')
  await idle.waitForTimeout(1_500)
  await idle.screenshot(file('fleetfold', PREVIEWS))
})

test('the lobby, with what the others began', async ({ people }) => {
  const [maker, other, guest] = [await people.person(), await people.person(), await people.person()]
  await offer(maker, { against: 'person', side: 'Japan', name: 'Blue admiral', label: 'Beginners welcome' })
  await offer(other, { against: 'person', title: 'coral_sea', side: 'Allies', name: 'Coast watcher', label: 'Two evenings' })
  await offer(guest, { against: 'steady', side: 'United States', name: 'Red admiral', label: 'Against the bot, at noon' })
  await sit(guest)
  await seated(guest)
  await guest.goto('/')
  await expect(guest.getByText('Your turn')).toBeVisible({ timeout: 30_000 })
  await expect(guest.locator('[data-board] svg').first()).toBeAttached()
  await shoot(guest, 'lobby')
})
