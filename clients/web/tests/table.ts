/** What the tests do at a table, and what they hold every page to: no console error, no other host. */

import { test as base, type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import { knowChance } from './known'
import { type Server, startServer } from './server'

export { expect }
export type { Locator, Page }

export interface Watched {
  /** Opens a page in a browser of its own: own storage, own connection; with `touch` a telephone's. What happens is not
   * shown as scenes until `paced` says so. The server is asked at `home`, by its address if that is not said. */
  person(touch?: boolean, home?: string): Promise<Page>
  watch(context: BrowserContext): void
  /** The server or the wire is about to be cut: the browser itself reports refused connections then. */
  expectBreaks(): void
}

/** What is said where tests keep the page's worker away (`playwright.config.ts`). */
const BLOCKED = 'Service Worker registration blocked by Playwright'

// Chromium reports every connection that fails; a page cannot keep it from doing so.
const BREAK = /WebSocket connection to|net::ERR_|Failed to load resource/

/** Picks that end a step are sent at once, but for who sets it otherwise: to wait for them is the business of
 * `last-pick.spec.ts`, and other tests click through whole matches. */
function sendAtOnce(): void {
  if (location.protocol === 'about:') return
  const key = 'fleetfold.tastes'
  const tastes = JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, unknown>
  localStorage.setItem(key, JSON.stringify({ undo: 0, ...tastes }))
}

export const test = base.extend<{ people: Watched }, { server: Server }>({
  server: [
    async ({}, use) => {
      const server = await startServer()
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  people: async ({ browser, server, contextOptions }, use, { project, titlePath, repeatEachIndex }) => {
    const problems: string[] = []
    const contexts: BrowserContext[] = []
    let breaks = false
    const watch = (context: BrowserContext): void => {
      context.on('console', (message) => {
        if ((message.type() !== 'error' && message.type() !== 'warning') || message.text() === BLOCKED) return
        if (!(breaks && BREAK.test(message.text()))) problems.push(`${message.text()} ${message.location().url}`)
      })
      context.on('weberror', (error) => problems.push(String(error.error())))
      context.on('request', (request) => {
        const { hostname, protocol } = new URL(request.url())
        const ours = ['localhost', new URL(server.url).hostname].includes(hostname)
        if (protocol.startsWith('http') && !ours) problems.push(`asked ${request.url()}`)
      })
    }
    await use({
      watch,
      person: async (touch = false, home = server.url) => {
        const telephone = touch ? { hasTouch: true, isMobile: true, deviceScaleFactor: 2, viewport: { width: 390, height: 844 } } : {}
        const context = await browser.newContext({ ...contextOptions, ...telephone, baseURL: home })
        await context.addInitScript(() => {
          if (location.protocol === 'http:' && !localStorage.getItem('fleetfold.tastes')) {
            localStorage.setItem('fleetfold.tastes', '{"pace":"off"}')
          }
        })
        contexts.push(context)
        const seed = [...titlePath, contexts.length, repeatEachIndex].join(' ')
        if (project.name !== 'soak') await knowChance(context, seed)
        await context.addInitScript(sendAtOnce)
        watch(context)
        return context.newPage()
      },
      expectBreaks: () => (breaks = true),
    })
    for (const context of contexts) await context.close()
    expect([...new Set(problems)]).toEqual([])
  },
})

/** How fast a page shows what happens, from its next address on. */
export function paced(page: Page, pace: 'off' | 'quick' | 'slow'): Promise<void> {
  return page.evaluate((tastes) => localStorage.setItem('fleetfold.tastes', tastes), JSON.stringify({ pace }))
}

export interface Offer {
  against: 'person' | 'solo' | 'steady' | 'random'
  /** A title's folder; Midway if not said. */
  title?: string
  side?: string
  scenario?: string
  name?: string
  /** What the list of the lobby says. */
  label?: string
  /** Only whoever has a link may come. */
  hidden?: boolean
  /** Teams, with so many seats a side. */
  team?: [number, number]
  /** Options of the rules, by what is said of them. */
  options?: readonly RegExp[]
}

/** Opens the form of an offer. */
export async function openForm(page: Page, title = 'midway', base = ''): Promise<void> {
  await page.goto(`${base}/`)
  await page.getByRole('button', { name: 'Offer a match of Midway' }).click()
  await page.locator('#title').selectOption(title)
}

/** Offers a match from the lobby and sits down there; returns its id. */
export async function offer(page: Page, how: Offer, base = ''): Promise<string> {
  await openForm(page, how.title, base)
  await page.getByLabel('Against', { exact: true }).selectOption(how.against)
  if (how.scenario) await scenario(page, how.scenario)
  if (how.side) await page.getByLabel('I play').selectOption({ label: how.side })
  if (how.name) await named(page, how.name)
  if (how.label) await page.getByLabel('Label on the list').fill(how.label)
  if (how.hidden) await page.getByRole('checkbox', { name: /^Private/ }).check()
  if (how.team || how.options?.length) await page.getByText('Options of the rules').click()
  for (const one of how.options ?? []) await page.getByRole('checkbox', { name: one }).check()
  if (how.team) {
    await page.getByRole('checkbox', { name: /decides as a team/ }).check()
    for (const [side, whose] of ['Japanese', 'American'].entries()) {
      await page
        .locator('.number', { hasText: `number of ${whose} seats` })
        .locator('input')
        .fill(String(how.team[side]))
    }
  }
  return offered(page)
}

/** Chooses a scenario in the form; campaigns stand apart. */
export async function scenario(page: Page, id: string): Promise<void> {
  const choice = page.locator(`input[name="scenario"][value="${id}"]`)
  if (!(await choice.count())) await page.getByRole('button', { name: 'Campaigns', exact: true }).click()
  await choice.check()
}

async function named(page: Page, name: string): Promise<void> {
  const change = page.getByRole('button', { name: 'Change my name' })
  if (await change.count()) await change.click()
  await page.getByLabel('My name').fill(name)
}

/** Offers what the form says; returns the id of the match. */
export async function offered(page: Page): Promise<string> {
  await page.getByRole('button', { name: /Offer the match|Start the match/ }).click()
  await page.waitForURL(/\/match\//)
  // Where the button was the board will lie, and a stack under the pointer would fan out.
  await page.mouse.move(2, 2)
  return /match\/([0-9a-f-]{36})/.exec(page.url())![1]!
}

/** Two at a table of the duel, each in a browser of his own, Japan first. */
export async function duel(people: Watched): Promise<[Page, Page]> {
  const [japan, america] = [await people.person(), await people.person()]
  await offer(japan, { against: 'person', side: 'Japan', name: 'Red admiral' })
  const link = await invitation(japan, /Copy the link for United States/)
  await america.goto(link)
  await america.getByLabel('Your name').fill('Blue admiral')
  await sit(america)
  await seated(japan)
  await seated(america)
  return [japan, america]
}

/** The same browser in another's pocket: a telephone with what is kept here. */
export async function pocketed(page: Page, phone: Page): Promise<void> {
  await phone.goto('/verify')
  const kept = await page.evaluate(() => JSON.stringify(localStorage))
  await phone.evaluate((all) => {
    for (const [key, value] of Object.entries(JSON.parse(all) as Record<string, string>)) localStorage.setItem(key, value)
  }, kept)
}

/** Chooses a counter by pointing and clicking, as a person does: if it lies in a stack, the stack is opened first. */
export async function choose(page: Page, id: string): Promise<void> {
  const counter = page.locator(`.counter[data-id="${id}"]`)
  const stack = await counter.evaluate((one) => {
    const { x, y, width, height } = one.getBoundingClientRect()
    return (
      document
        .elementFromPoint(x + width / 2, y + height / 2)
        ?.closest('[data-stack]')
        ?.getAttribute('data-stack') ?? ''
    )
  })
  if (stack) {
    await page.locator(`[data-stack="${stack}"]`).hover()
    await expect(page.locator(`[data-fan="${stack}"] [data-id="${id}"]`)).toBeVisible()
    // Sooner than that nobody clicks at what he has not seen yet.
    await page.waitForTimeout(200)
  }
  await counter.click()
}

/** Decides by keyboard, by typing into the list of legal decisions; an empty text takes what it offers first. */
export async function typed(page: Page, text: string): Promise<void> {
  // What is put together beside the board may have a list of its own.
  const list = page.getByRole('combobox', { name: 'Legal decisions' })
  await expect(list).toHaveAttribute('placeholder', /\d+ legal/)
  await expect(list).toHaveAttribute('aria-disabled', 'false')
  await page.keyboard.press('/')
  await expect(list).toBeFocused()
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  // Until the board shows what came of it, nothing more is taken.
  await expect(list).toHaveAttribute('aria-disabled', 'false')
  await expect(page.locator('.refused')).toHaveCount(0)
}

/** Sits down by a link. Whoever has offered the match sits there already. */
export async function sit(page: Page): Promise<void> {
  const take = page.locator('.invite form button')
  await page.locator('.invite form button, .invite li:has-text("you"):not(:has-text("free")), .prompt').first().waitFor()
  if (!(await take.count())) return
  // What the page has asked for by its link is here before that link is void: what is refused Chromium reports.
  await page.getByRole('list', { name: 'How it is played' }).waitFor()
  await take.click().catch(async (why: unknown) => {
    // Whoever plays both sides is seated by the page itself, and the button may go while it is clicked.
    if (await take.count()) throw why
  })
}

export async function invitation(page: Page, whose: RegExp): Promise<string> {
  return page.getByRole('textbox', { name: whose }).inputValue()
}

export async function seated(page: Page): Promise<void> {
  // Not an expectation: while what it waits for is not there, that writes down the whole page at every try.
  await page.locator('.stage svg.ready').waitFor()
}

/** The buttons that a finger may miss, lower than 40 pixels; there have to be some to look at. */
export async function tooLow(page: Page, buttons: string): Promise<(string | null)[]> {
  const drawn = await page
    .locator(buttons)
    .evaluateAll((all) =>
      all
        .filter((one) => one.getClientRects().length)
        .map((one) => ({ height: one.getBoundingClientRect().height, text: one.textContent })),
    )
  expect(drawn).not.toEqual([])
  return drawn.filter(({ height }) => height < 40).map(({ text }) => text)
}

// While a decision is on its way, what can be chosen stays marked and cannot be.
export const GLOWING = '[data-glow]:not([disabled], [aria-disabled="true"] *)'

export function glowing(page: Page): Locator {
  return page.locator(GLOWING)
}

export function over(page: Page): Promise<boolean> {
  return page.evaluate(() => / won\.|drawn/.test(document.querySelector('.prompt .words')?.textContent ?? ''))
}

/** Clicks anything that glows, the board before the buttons that end a stage. Returns whether something did. */
export async function clickWhatGlows(page: Page, chance: () => number): Promise<boolean> {
  const all = glowing(page)
  const count = await all.count()
  if (!count) return false
  const board = await page.locator(`.stage ${GLOWING}`).count()
  const place = board && chance() < 0.85 ? Math.floor(chance() * board) : -1
  const one = place >= 0 ? page.locator(`.stage ${GLOWING}`).nth(place) : all.nth(Math.floor(chance() * count))
  await one.click({ timeout: 1_000, force: true }).catch(() => undefined)
  return true
}

const STUCK_MS = 30_000

/** Told after every try whether something was clicked; if nothing was, it waits a little, and fails when that lasts. */
export function patience(page: Page): (moved: boolean) => Promise<void> {
  let last = Date.now()
  return async (moved) => {
    if (moved) last = Date.now()
    else await page.waitForTimeout(20)
    expect(Date.now() - last, 'somebody is asked').toBeLessThan(STUCK_MS)
  }
}

/** A row of chances that is the same every time. */
export function chances(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** The board as it reads: every counter, box and carrier with its label. */
export function boardOf(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.stage [data-id]')]
      .map((one) => `${one.getAttribute('data-id')}: ${one.getAttribute('aria-label')}`)
      .sort(),
  )
}

/** Waits until nothing more comes: what was clicked last has arrived. */
export async function settled(page: Page): Promise<void> {
  await expect(async () => {
    const before = await factsOf(page)
    await page.waitForTimeout(400)
    expect(await factsOf(page)).toBe(before)
  }).toPass()
}

export async function factsOf(page: Page): Promise<number> {
  const last = await page.locator('.log .seq').last().textContent()
  return Number(last)
}

/** The line that says of a side who plays it, whether they are here, and its clock. */
export function sideLine(page: Page, side: string): Locator {
  return page.getByRole('list', { name: 'Sides' }).getByRole('listitem').filter({ hasText: side })
}
