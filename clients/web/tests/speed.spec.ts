/** Measures and prints, beside what is allowed. No time is asserted: a busy machine is no fault of the page. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { offerNimitz } from './nimitz'
import { playOn } from './quick'
import { chances, duel, expect, glowing, offer, paced, type Page, seated, sit, test, typed } from './table'

/** Milliseconds a step of the replay may take: a frame of the screen. */
const FRAME = 16
/** Milliseconds from the moment that is asked for to its board. */
const AT_ONCE = 100

function median(list: number[]): number {
  return [...list].sort((one, two) => one - two)[Math.floor(list.length / 2)]!
}

test('from the click to the other browser’s board', async ({ people }) => {
  const [one, two] = await duel(people)
  const times: number[] = []
  for (const id of ['KAG-D1', 'KAG-T1', 'KAG-T2']) {
    await expect(glowing(one).first()).toBeVisible()
    const changed = await two.evaluateHandle((group) => {
      const counter = document.querySelector(`.counter[data-id="${group}"]`)!
      const at = new Promise<number>((done) => {
        const look = new MutationObserver(() => {
          look.disconnect()
          done(performance.timeOrigin + performance.now())
        })
        look.observe(counter, { attributes: true, attributeFilter: ['aria-label', 'style'] })
      })
      // In an object, or it would be waited for here, before the click.
      return { at }
    }, id)
    const clicked = await one.evaluate((group) => {
      document.querySelector(`.counter[data-id="${group}"]`)!.dispatchEvent(new MouseEvent('click', { bubbles: true }))
      return performance.timeOrigin + performance.now()
    }, id)
    times.push((await changed.evaluate(({ at }) => at)) - clicked)
  }
  console.log(
    `click to the other browser's board: median ${median(times).toFixed(1)} of ${times.map((time) => time.toFixed(1)).join(', ')} ms`,
  )
  expect(times.filter((time) => time > 0)).toHaveLength(3)
})

/** How long it takes from a click on the last of these until log or question show what came of it, and the next frame is drawn. */
function shownAfter(page: Page, selector: string): Promise<number> {
  return page.evaluate(async (wanted) => {
    const turn = (): Promise<void> =>
      new Promise((next) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => next()
        port2.postMessage(0)
      })
    const said = (): string =>
      `${[...document.querySelectorAll('.log .seq')].at(-1)?.textContent} ${document.querySelector('.prompt .words')?.textContent}`
    const [before, begun] = [said(), performance.now()]
    Array.from(document.querySelectorAll(wanted))
      .at(-1)!
      .dispatchEvent(new MouseEvent('click', { bubbles: true }))
    while (said() === before && performance.now() - begun < 5_000) await turn()
    await new Promise((next) => requestAnimationFrame(next))
    await turn()
    return performance.now() - begun
  }, selector)
}

const CALM = ':not([aria-disabled="true"] *)'
const BUTTON = '.prompt [data-glow]:not([disabled])'

test('from the click to the board: Nimitz', async ({ people }) => {
  const page = await people.person()
  await offerNimitz(page, 'alone')
  await sit(page)
  await seated(page)
  await typed(page, 'done with resupply')
  await typed(page, 'done with scouting')
  const times: number[] = []
  for (let move = 0; move < 8; move++) {
    const force = page.locator(`.stage .counter.glowing${CALM}`).first()
    await force.dispatchEvent('click')
    await expect(page.locator(`.stage .area.glowing${CALM}`).first()).toBeVisible()
    times.push(await shownAfter(page, `.stage .area.glowing${CALM}`))
  }
  console.log(`click to board, Nimitz: median ${median(times).toFixed(1)}, slowest ${Math.max(...times).toFixed(1)} ms`)
  expect(times).toHaveLength(8)
})

test('from the click to the board: Coral Sea', async ({ people }) => {
  const page = await people.person()
  await offer(page, { against: 'solo', title: 'coral_sea', scenario: 'campaign' })
  await sit(page)
  await seated(page)
  const times: number[] = []
  // Into an operation, past the windows in which both may answer with a card, and out of it.
  await typed(page, 'map')
  await typed(page, 'map')
  const words = page.locator('.prompt .words')
  while (times.length < 6 && !(await words.innerText()).includes('Card or Map')) {
    const wanted = (await words.innerText()).includes('Open an operation') ? `.stage .place.glowing${CALM}` : BUTTON
    await expect(page.locator(wanted).last()).toBeVisible()
    times.push(await shownAfter(page, wanted))
  }
  console.log(`click to board, Coral Sea: median ${median(times).toFixed(1)}, slowest ${Math.max(...times).toFixed(1)} ms`)
  expect(times.length).toBeGreaterThan(0)
})

/** While scenes play: frames in a second, and how long the longest task of the page took, if over 50 ms. */
function drawn(page: Page): Promise<{ frames: number; seconds: number; beats: number; long: number[] }> {
  return page.evaluate(async () => {
    const long: number[] = []
    const watch = new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => Math.round(duration))))
    let [frames, seconds, beats, last] = [0, 0, 0, performance.now()]
    let shown = ''
    const waits = performance.now() + 4_000
    for (let begun = false; ;) {
      const now = await new Promise<number>((next) => requestAnimationFrame(next))
      const layer = document.querySelector('.stage .layer')
      if (!layer && (begun || now > waits)) break
      if (layer && !begun) watch.observe({ type: 'longtask' })
      if (begun) [frames, seconds] = [frames + 1, seconds + (now - last) / 1_000]
      begun ||= layer !== null
      const said = layer?.textContent ?? ''
      if (said !== shown) [shown, beats] = [said, beats + 1]
      last = now
    }
    watch.disconnect()
    return { frames, seconds, beats, long }
  })
}

test('while scenes play: a battle of Nimitz', async ({ people }) => {
  const page = await people.person()
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const match = await offerNimitz(page, 'alone', '1944')
  await sit(page)
  await seated(page)
  await playOn(page, match, 4, { most: 12_000, asks: 'SendAircraft', least: 250 })
  await paced(page, 'quick')
  await page.goto(`/match/${match}`)
  await seated(page)
  const all = { frames: 0, seconds: 0, beats: 0, long: [] as number[] }
  for (let round = 0; round < 60 && all.beats < 20; round++) {
    const bundle = page.locator('.prompt [data-bundle]').first()
    const target = (await bundle.count()) ? bundle : page.locator('.prompt [data-glow]:not([disabled])').last()
    const looked = drawn(page)
    if (await target.count()) await target.click({ timeout: 1_000 }).catch(() => undefined)
    else await page.locator('.stage [data-glow]').first().dispatchEvent('click')
    const { frames, seconds, beats, long } = await looked
    all.frames += frames
    all.seconds += seconds
    all.beats += beats
    all.long.push(...long)
  }
  const rate = (all.frames / all.seconds).toFixed(0)
  const long = all.long.length
    ? `${all.long.length}, the longest ${Math.max(...all.long)}, half of them under ${median(all.long)} ms`
    : 'none'
  console.log(`scenes of Nimitz, ${all.beats} beats: ${rate} frames a second, tasks over 50 ms: ${long}`)
  expect(all.beats).toBeGreaterThan(0)
})

const STEPS = 600

/** How long each of the first steps of a replay takes, its layout included, in ms. */
function stepTimes(page: Page, steps: number): Promise<number[]> {
  return page.evaluate(async (most) => {
    const took: number[] = []
    for (let step = 0; step < most; step++) {
      const begun = performance.now()
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', shiftKey: true, bubbles: true }))
      // Svelte writes the page in a microtask; asking for the layout then counts that too.
      await Promise.resolve()
      await Promise.resolve()
      document.querySelector('.stage')!.getBoundingClientRect()
      took.push(performance.now() - begun)
      if (step % 10 === 0) await new Promise((next) => setTimeout(next))
    }
    return took
  }, steps)
}

for (const [title, scenario] of [
  ['midway', 'historical-4-june'],
  ['coral_sea', 'campaign'],
] as const) {
  test(`the steps of the replay of a long match: ${title}`, async ({ people }) => {
    const page = await people.person()
    const match = await offer(page, { against: 'solo', title, scenario })
    await sit(page)
    await seated(page)
    const { facts } = await playOn(page, match, 2, { most: 2_000 })
    await page.goto(`/match/${match}/replay#0`)
    const slider = page.getByRole('slider', { name: 'Moment of the match' })
    await expect(slider).toBeVisible()
    const length = Number(await slider.getAttribute('max'))
    await page.keyboard.press('Home')
    const times = await stepTimes(page, Math.min(length, STEPS))
    console.log(
      `replay of ${title}, ${facts} facts, ${length} steps: median ${median(times).toFixed(2)} ms a step, ${(FRAME / median(times)).toFixed(1)} in a frame, slowest ${Math.max(...times).toFixed(1)} ms`,
    )
    expect(await slider.inputValue()).toBe(String(Math.min(length, STEPS)))
  })
}

/** How long it takes from the slider's input until the board of each of these moments is drawn, in ms. */
function scrubTimes(page: Page, moments: readonly number[]): Promise<number[]> {
  return page.evaluate(async (wanted) => {
    const slider = document.querySelector<HTMLInputElement>('[aria-label="Moment of the match"]')!
    const took: number[] = []
    for (const moment of wanted) {
      // What it says of itself is written with the board. Of a step of many facts it may be there already.
      const told = new Promise<boolean>((done) => {
        const look = new MutationObserver(() => {
          look.disconnect()
          done(true)
        })
        look.observe(slider, { attributeFilter: ['aria-valuetext'] })
        setTimeout(() => done(false), 5_000)
      })
      const begun = performance.now()
      slider.value = `${moment}`
      for (const type of ['input', 'change']) slider.dispatchEvent(new Event(type, { bubbles: true }))
      if (!(await told)) continue
      await new Promise((next) => requestAnimationFrame(next))
      const drawn = new MessageChannel()
      await new Promise((next) => {
        drawn.port1.onmessage = next
        drawn.port2.postMessage(0)
      })
      drawn.port1.close()
      took.push(performance.now() - begun)
      // Nobody asks for another one sooner.
      await new Promise((next) => setTimeout(next, 100))
    }
    return took
  }, moments)
}

/** The part of a war after which most of what there is has come. */
const LATE = 0.9
const OF_WAR = 200
const SCRUBS = 30

test('the steps of the replay of a war, late in it, and its moments', async ({ people, server }) => {
  // It is played first, and verified when it is brought in: minutes each.
  test.setTimeout(3_600_000)
  const folder = mkdtempSync(join(tmpdir(), 'fleetfold-war-'))
  const file = join(folder, 'war.ndjson')
  const match = await server.beside('tests.long_war', file)
  await server.beside('server', 'import', file)
  rmSync(folder, { recursive: true })
  const page = await people.person()
  const { facts } = (await (await page.request.get(`/api/matches/${match}`)).json()) as { facts: number }
  await page.goto(`/match/${match}/replay#${Math.floor(LATE * facts)}`)
  await seated(page)
  const times = await stepTimes(page, OF_WAR)
  console.log(
    `replay of a war of ${facts} facts, late in it: median ${median(times).toFixed(2)} ms a step, ${(FRAME / median(times)).toFixed(1)} in a frame, slowest ${Math.max(...times).toFixed(1)} ms`,
  )
  expect(times).toHaveLength(OF_WAR)

  const chance = chances(facts)
  for (const [where, from] of [
    ['late in it', LATE],
    ['anywhere in it', 0],
  ] as const) {
    const moments = Array.from({ length: SCRUBS }, () => Math.floor((from + (1 - from) * chance()) * facts))
    const scrubs = await scrubTimes(page, moments)
    const over = scrubs.filter((time) => time > AT_ONCE).length
    console.log(
      `scrub of a war of ${facts} facts to a moment ${where}: median ${median(scrubs).toFixed(1)} of ${AT_ONCE} ms, slowest ${Math.max(...scrubs).toFixed(1)} ms, above it ${over} of ${scrubs.length}`,
    )
    expect(scrubs.length).toBeGreaterThan(0)
  }
})
