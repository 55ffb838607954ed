import { faults, isAccessible } from './axe'
import { Clicker, coralSea } from './clicking'
import { playOn } from './quick'
import { chances, expect, offered, openForm, type Page, seated, sit, test, tooLow, typed, type Watched } from './table'

interface Table {
  against: 'person' | 'solo' | 'steady'
  side?: 'Japan' | 'Allies'
  scenario?: 'campaign' | 'fortress'
  /** What the option's label says. */
  option?: RegExp
}

/** Offers a match of Coral Sea from the lobby; returns its id. */
async function offerCoralSea(page: Page, { against, side, scenario = 'campaign', option }: Table): Promise<string> {
  await openForm(page, 'coral_sea')
  await page.locator(`input[value="${scenario}"]`).check()
  await page.getByLabel('Against', { exact: true }).selectOption(against)
  if (side) await page.getByLabel('I play').selectOption({ label: side })
  if (option) {
    await page.getByText('Options of the rules').click()
    await page.getByRole('checkbox', { name: option }).check()
  }
  return offered(page)
}

interface Heard {
  match?: string
  facts?: { type: string; body: string }[]
}

/** What a browser is told over its socket: of a match, no card and no chit of the other side that has not been laid
 * open to it. The lobby shows other matches too, where other cards have been played. */
class Listener {
  private readonly texts: string[] = []

  constructor(
    page: Page,
    private readonly foe: 'J' | 'A',
  ) {
    page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => void this.texts.push(String(payload))))
  }

  get frames(): number {
    return this.texts.length
  }

  /** The ids that came before they were laid open, in all that is not of another match. */
  strange(match: string): string[] {
    const known = new Set<string>()
    const strange = new Set<string>()
    const cards = new RegExp(String.raw`\b${this.foe}\d\d\b`, 'g')
    const chits = new RegExp(String.raw`\b${this.foe.toLowerCase()}_[gn]_\w+`, 'g')
    for (const text of this.texts) {
      const message = JSON.parse(text) as Heard
      if (message.match && message.match !== match) continue
      for (const { type, body } of message.facts ?? []) {
        const said = JSON.parse(body) as { card?: string; cards?: string[]; chit?: string }
        if (type === 'CardPlayed') known.add(said.card!)
        if (type === 'HandSeen') for (const card of said.cards ?? []) known.add(card)
        if (/^Chit(Revealed|Shown)$/.test(type)) known.add(said.chit!)
        // At the end everything is laid open.
        if (type === 'GameEnded' || type === 'Ended') return [...strange]
      }
      for (const [id] of [...text.matchAll(cards), ...text.matchAll(chits)]) if (!known.has(id)) strange.add(id)
    }
    return [...strange]
  }
}

/** The id of the match that a page shows. */
function idOf(page: Page): string {
  return /match\/([0-9a-f-]{36})/.exec(page.url())![1]!
}

/** Ids of the cards in this page's own hand. */
function handOf(page: Page): Promise<string[]> {
  return page.locator('.hand .face').evaluateAll((faces) => faces.map((face) => (face as HTMLElement).dataset.id!))
}

function mapOf(page: Page): Promise<string[]> {
  return page
    .locator('.place')
    .evaluateAll((all) => all.map((one) => `${one.getAttribute('data-id')}: ${one.getAttribute('aria-label')}`).sort())
}

interface Opponent {
  page: Page
  clicks: Clicker
  told: Listener
}

/** Two at a table of the fortress, each in a browser of his own, Japan first; each listens to what the other holds. */
async function opponents(people: Watched): Promise<Opponent[]> {
  const japan = await people.person()
  const allies = await people.person()
  const [toJapan, toAllies] = [new Listener(japan, 'A'), new Listener(allies, 'J')]
  await offerCoralSea(japan, { against: 'person', side: 'Japan', scenario: 'fortress' })
  const link = await japan.getByRole('textbox', { name: /Copy the link for Allies/ }).inputValue()
  await sit(japan)
  await allies.goto(link)
  await sit(allies)
  for (const page of [japan, allies]) await seated(page)
  return [
    { page: japan, clicks: new Clicker(japan, coralSea('Allies'), chances(3)), told: toJapan },
    { page: allies, clicks: new Clicker(allies, coralSea('Japan'), chances(4)), told: toAllies },
  ]
}

/** Cards of one side, and at least one. */
const [ALL_OF_JAPAN, ALL_OF_THE_ALLIES] = [/^J\d+(,J\d+)*$/, /^A\d+(,A\d+)*$/]

/** Plays until a sequence has begun; neither page holds a card of the other then. */
async function playTo(sequence: number, [japan, allies]: Opponent[]): Promise<void> {
  await Promise.all([japan!.clicks.play({ sequence }), allies!.clicks.play({ sequence })])
  expect(Number(/\d+$/.exec((await japan!.page.locator('header .where b').textContent()) ?? ''))).toBeGreaterThanOrEqual(sequence)
  const [own, other] = [await handOf(japan!.page), await handOf(allies!.page)]
  expect([...own, ...other]).not.toEqual([])
  expect(own.every((id) => id.startsWith('J'))).toBe(true)
  expect(other.every((id) => id.startsWith('A'))).toBe(true)
  const [seenByJapan, seenByAllies] = [await japan!.page.content(), await allies!.page.content()]
  expect(other.filter((id) => seenByJapan.includes(`data-id="${id}"`))).toEqual([])
  expect(own.filter((id) => seenByAllies.includes(`data-id="${id}"`))).toEqual([])
}

/** The match is over: both say so and show the same, and what was hidden has come to nobody before. */
async function ended([japan, allies]: Opponent[]): Promise<void> {
  await expect(japan!.page.locator('.prompt .words')).toContainText(/(won|drawn)\. \w/)
  await expect(allies!.page.locator('.prompt .words')).toHaveText(await japan!.page.locator('.prompt .words').innerText())
  expect(await mapOf(allies!.page)).toEqual(await mapOf(japan!.page))
  expect(japan!.told.frames + allies!.told.frames).toBeGreaterThan(100)
  const match = idOf(japan!.page)
  expect(japan!.told.strange(match)).toEqual([])
  expect(allies!.told.strange(match)).toEqual([])
}

test('two play by clicking what glows until one resigns; neither is told what the other holds', async ({ people }) => {
  const both = await opponents(people)
  await playTo(10, both)
  const allies = both[1]!.page
  await allies.getByText('Match ▾').click()
  await allies.getByRole('button', { name: 'Resign …' }).click()
  await allies.getByRole('button', { name: 'Yes, resign' }).click()
  await ended(both)
})

test('two play a whole match by clicking what glows; neither is told what the other holds', { tag: '@soak' }, async ({ people }) => {
  const both = await opponents(people)
  await playTo(20, both)
  await Promise.all(both.map(({ clicks }) => clicks.play()))
  await ended(both)
})

test('against the bot: it answers, and its hand stays hidden', async ({ people }) => {
  const page = await people.person()
  const listener = new Listener(page, 'A')
  const match = await offerCoralSea(page, { against: 'steady', side: 'Japan' })
  await sit(page)
  await seated(page)
  await new Clicker(page, coralSea('Allies'), chances(7)).play({ sequence: 4 })
  await expect(page.locator('.log')).toContainText('Allies chose')
  await expect(page.locator('.piles .allied')).toContainText(/hand/)
  expect(listener.strange(match)).toEqual([])
})

test('in a battle the chits lie still under the pointer, and no word of it covers another', async ({ people }) => {
  const page = await people.person()
  const chits = page.locator('.fight .chit.glows')
  const places = () => chits.evaluateAll((all) => all.map((one) => JSON.stringify(one.getBoundingClientRect())))
  const full = async (): Promise<boolean> => (await page.locator('.fight .check').count()) > 0 && (await chits.count()) > 1
  // A match by chance may end before such a battle.
  for (let seed = 5; !(await full()); seed++) {
    expect(seed, 'matches without a battle in which one chooses a chit after a check').toBeLessThan(15)
    const match = await offerCoralSea(page, { against: 'solo', scenario: 'fortress' })
    await sit(page)
    await seated(page)
    for (let asked: number | null = 0, least = 60; asked !== null && !(await full());) {
      const found = await playOn(page, match, seed, { most: 4_000, asks: 'play_chit', least })
      ;[asked, least] = [found.asked, found.facts + 1]
      await page.goto(`/match/${match}`)
      await seated(page)
      if (asked !== null) await expect(chits.first()).toBeVisible()
    }
  }
  expect(await faults(page)).toEqual([])

  for (const size of [
    { width: 1440, height: 900 },
    { width: 1280, height: 720 },
  ]) {
    await page.setViewportSize(size)
    for (const folded of ['▴', '▾']) {
      const fold = page.getByRole('button', { name: /old: Hand/ })
      if ((await fold.innerText()) !== folded) await fold.click()
      await page.mouse.move(2, 2)
      const before = await places()
      for (const chit of await chits.all()) {
        await chit.hover()
        await expect(page.locator('.fight .what')).toHaveText((await chit.getAttribute('title'))!)
        expect(await places(), `${size.width} ${folded}`).toEqual(before)
        const cut = await page
          .locator('.fight :is(.what, .check, .outcome), .fight')
          .evaluateAll((all) =>
            all
              .filter((one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)
              .map(
                (one) => `${one.getAttribute('class')} ${one.scrollWidth}x${one.scrollHeight} in ${one.clientWidth}x${one.clientHeight}`,
              ),
          )
        expect(cut, `${size.width} ${folded}`).toEqual([])
      }
    }
  }

  await test.step('where it lies over the map, whoever is not asked makes it a line', async () => {
    await expect(page.getByRole('button', { name: 'Fold: the battle' })).toHaveCount(0)
    const onlooker = await people.person()
    await onlooker.setViewportSize({ width: 1280, height: 720 })
    await onlooker.goto(page.url())
    await seated(onlooker)
    const forces = onlooker.locator('.fight .line').first()
    await expect(forces).toBeVisible()
    await onlooker.getByRole('button', { name: 'Fold: the battle' }).click()
    await expect(forces).toBeHidden()
    await expect(onlooker.locator('.fight .head')).toBeVisible()
    await onlooker.getByRole('button', { name: 'Unfold: the battle' }).click()
    await expect(forces).toBeVisible()
  })
})

test('solo: one browser plays both sides, and each prompt says which', async ({ people }) => {
  const page = await people.person()
  await offerCoralSea(page, { against: 'solo' })
  await sit(page)
  await seated(page)
  const prompt = page.locator('.prompt .words')
  await expect(prompt).toContainText('Japan: Card or Map?')
  expect((await handOf(page)).join()).toMatch(ALL_OF_JAPAN)
  const clicker = new Clicker(page, coralSea('Allies'), chances(9))
  await clicker.play({ clicks: 1 })
  await expect(prompt).toContainText('Allies: Card or Map?')
  expect((await handOf(page)).join()).toMatch(ALL_OF_THE_ALLIES)
  await clicker.play({ sequence: 3 })
  await expect(page.locator('header .where b')).toHaveText('Sequence 3')
})

test('stacks open when pointed at and by a tap; Escape lets go; a name in the log lights up on the map', async ({ people }) => {
  const page = await people.person()
  await offerCoralSea(page, { against: 'solo' })
  await sit(page)
  await seated(page)
  const rabaul = page.locator('[data-heap="stack:rabaul:japan"]')
  await expect(rabaul).toHaveAttribute('aria-label', /144th.*5 resource points/)
  await rabaul.hover()
  await expect(page.locator('.fan [data-id="j_144"]')).toBeVisible()
  await rabaul.click()
  await page.mouse.move(2, 2)
  await page.waitForTimeout(400)
  await expect(page.locator('.fan [data-id="j_144"]')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.locator('.fan')).toHaveCount(0)
  await rabaul.click()
  const stage = (await page.locator('.stage svg').boundingBox())!
  await page.mouse.move(stage.x + stage.width - 12, stage.y + 12)
  await page.waitForTimeout(400)
  await expect(page.locator('.fan [data-id="j_144"]')).toBeVisible()
  await page.mouse.click(stage.x + stage.width - 12, stage.y + 12)
  await expect(page.locator('.fan')).toHaveCount(0)
  await page.keyboard.press('h')
  await expect(page.locator('.heap')).toHaveCount(0)
  await page.keyboard.press('h')

  // A click on a stack is a click on its area, where the area is what can be picked.
  await page.locator('[data-id="mode:card"]').click()
  await expect(page.locator('.prompt .words')).toContainText('Allies')
  await page.locator('[data-id="mode:map"]').click()
  await page.locator('.place.glowing[data-id="noumea"]').waitFor()
  await page.locator('[data-heap="stack:noumea:allied"]').click()
  const named = page.locator('.log b', { hasText: /^Noumea$/ }).first()
  await named.hover()
  await expect(page.locator('.place.lit')).toHaveAttribute('data-id', 'noumea')
})

test('with limited intelligence a top is set by clicks in the open stack, and the enemy sees it', async ({ people }) => {
  const page = await people.person()
  await offerCoralSea(page, { against: 'solo', option: /top counter/ })
  await sit(page)
  await seated(page)
  const rabaul = page.locator('[data-heap="stack:rabaul:japan"]')
  const crown = page.locator('.fan [data-id="j_crudiv6"]')
  const onTop = /on top: the enemy sees it/
  await rabaul.click()
  await expect(crown).not.toHaveAttribute('aria-label', onTop)
  await page.locator('.fan [data-id="top:rabaul"]').click()
  await expect(crown).toHaveAttribute('data-glow', 'true')
  await crown.click()
  await rabaul.click()
  await expect(crown).toHaveAttribute('aria-label', onTop)
  await expect(page.locator('.fan [data-id="top:rabaul"]')).toHaveCount(0)

  // The other side's eyes: the top, and how many lie under it.
  await page.locator('[data-id="mode:card"]').click()
  await expect(page.locator('.prompt .words')).toContainText('Allies')
  await expect(rabaul).toHaveAttribute('aria-label', /hidden, on top Cruiser Div/)
})

test('under a finger a stack whose top may be set opens with the first tap, and its area is picked with the second', async ({ people }) => {
  const phone = await people.person(true)
  await offerCoralSea(phone, { against: 'solo', option: /top counter/ })
  await sit(phone)
  const words = phone.locator('.prompt .words')
  await typed(phone, 'map')
  await typed(phone, 'map')
  // A die says who operates. Japan can do so at Rabaul alone and is not asked where; then both may answer with a card.
  for (let window = 0; window < 8 && !(await words.innerText()).includes('Choose an action'); window++) {
    await typed(phone, (await words.innerText()).includes('Open an operation') ? 'noumea' : 'pass')
  }
  await expect(words).toContainText('Choose an action')
  const asked = await words.innerText()
  const [area, side] = asked.includes('Noumea') ? ['noumea', 'allied'] : ['rabaul', 'japan']
  const stack = phone.locator(`[data-heap="stack:${area}:${side}"]`)
  await phone.getByRole('button', { name: 'Map', exact: true }).tap()

  await stack.tap()
  await expect(phone.locator(`.fan [data-id="top:${area}"]`)).toBeVisible()
  expect(await words.innerText()).toBe(asked)

  await stack.tap()
  await expect(
    phone
      .getByText('Let go')
      .or(words.filter({ hasNotText: 'Choose an action' }))
      .first(),
  ).toBeVisible()
})

test('keyboard alone: the choice, an operation and its end', async ({ people }) => {
  const page = await people.person()
  await offerCoralSea(page, { against: 'solo' })
  await sit(page)
  await seated(page)
  const said = () => page.locator('.prompt .words').innerText()
  await typed(page, 'map')
  await typed(page, 'card')
  for (let pick = 0; pick < 8 && !(await said()).includes('Choose an action'); pick++) {
    if ((await said()).includes('Open an operation')) {
      await page.locator('.place.glowing').first().focus()
      await page.keyboard.press('Enter')
      await expect.poll(said).not.toMatch(/Open an operation/)
    } else await typed(page, 'pass')
  }
  await expect.poll(said).toMatch(/Choose an action/)
  await typed(page, 'end the operation')
})

test('axe finds nothing; on a telephone map, log and hand are tabs with targets of 40 pixels', async ({ people }) => {
  const page = await people.person()
  const match = await offerCoralSea(page, { against: 'solo' })
  await sit(page)
  await seated(page)
  await playOn(page, match, 5, { most: 300 })
  await page.goto(`/match/${match}`)
  await seated(page)
  await isAccessible(page, 'wide')
  await page.setViewportSize({ width: 390, height: 844 })
  for (const tab of ['Map', 'Hand', 'Log', 'Sides', 'Aid']) {
    await page.getByRole('button', { name: new RegExp(`^${tab}( new here\\?)?$`) }).click()
    await isAccessible(page, `${tab} on a telephone`)
    expect(await tooLow(page, '.acts button, .tabs button, .hand button, .piles button, .modes button')).toEqual([])
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  }
})
