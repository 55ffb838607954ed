/** Plays a seat by clicking what glows and can be hit, with a purpose, so that a match comes to its end in about the same
 * time whatever the dice. */

import { expect, glowing, GLOWING, type Page } from './table'

/** What glows is weighed by the first pattern that its id and label fit; 1 if none does. */
type Liking = [pattern: string, weight: number]

/** What a side would rather click, by what it has clicked so far. */
type Likings = (clicked: readonly string[]) => Liking[]

export interface Until {
  /** This sequence of Coral Sea has begun. */
  sequence?: number
  /** So many clicks were made from here. */
  clicks?: number
}

const PATIENCE_MS = 250
const STUCK_MS = 30_000
/** What lies in a closed stack glows by its stack. */
const ANY = `${GLOWING}, [data-stack].glowing:not([aria-disabled="true"] *)`

/** Cards are drawn whenever they can be, and an operation is ended after some clicks. */
export function coralSea(foe: 'Japan' | 'Allies'): Likings {
  return (clicked) => {
    const choices = clicked.filter((one) => /^(mode|Map|Card)\b/.test(one)).length
    const since = clicked.length - clicked.findLastIndex((one) => /^(mode:map|Map)\b/.test(one))
    return [
      // Every fifth choice is an operation, and that lasts for some fifteen clicks.
      ['^(mode:map|Map:)', choices % 5 === 1 ? 100 : 0.01],
      ['^End the operation', since > 15 ? 60 : 0.5],
      ['^(pile:deck|Draw)', 100],
      ['^act:play', 4],
      ['^(Pass|Done|Stop here)', 2],
      ['^act:(land|march|sail|besiege)', 8],
      // Where the enemy is.
      [String.raw`\. ${foe}: `, 40],
    ]
  }
}

/** Some picks of each step, and then on to the next one. */
export const midway: Likings = () => [['^(Done|No more|Pass|The others)', 3]]
export const nimitz: Likings = () => [['^(Done|The others|Begin|No )', 12]]

/** To meet the enemy, and to reorganise seldom: that goes back and forth. No phase of missions ends before one was flown. */
export const pacificWar: Likings = (clicked) => [
  ['^(new|transfer|join):', 0.1],
  ['^Fly no more', clicked.some((one) => one.startsWith('Take off')) ? 1 : 0.01],
  ['^(Take off|Give the fire orders|Begin the attack|All that are left|go:)', 8],
  ['^(Engage|Attack|Strike back|Try to intercept|torpedoes:|add:|range:close)', 4],
  [String.raw`^kind:.*:strike_(tf|ships|port)`, 4],
  ['^at:.*may stop it', 4],
]

interface Spot {
  x: number
  y: number
  what: string
}

/** Where to click, among all that glows and can be hit; `end`: the match is over or the sequence has begun. */
function spot(page: Page, likes: Liking[], chance: number, sequence: number): Promise<Spot | 'end' | null> {
  return page.evaluate(
    async ({ selector, wants, lot, last, patience }) => {
      const until = performance.now() + patience
      const weigh = (what: string): number => wants.find(([pattern]) => new RegExp(pattern).test(what))?.[1] ?? 1
      // A place may be partly covered: by a counter, or by a stack that lies open.
      const parts = [0.5, 0.3, 0.7, 0.12, 0.88]
      const points = parts.flatMap((down) => parts.map((across) => [across, down] as const))
      /** What a click there means: what lies on a place and cannot be chosen lets it through. */
      const meant = (x: number, y: number): Element | null | undefined => {
        const [first, ...below] = document.elementsFromPoint(x, y)
        const over = first?.closest('[data-lies]:not([data-glow])')
        return (over ? below.find((one) => one.closest('[data-glow]')) : first)?.closest('[data-glow], [data-stack].glowing')
      }
      const reachable = (one: HTMLElement): { x: number; y: number; what: string }[] => {
        const box = one.getBoundingClientRect()
        const what = `${one.dataset.id ?? one.dataset.heap ?? one.dataset.stack ?? one.textContent.trim()} ${one.getAttribute('aria-label') ?? ''}`
        for (const [across, down] of points) {
          const [x, y] = [box.left + box.width * across, box.top + box.height * down]
          if (meant(x, y) === one) return [{ x, y, what }]
        }
        return []
      }
      for (;;) {
        const said = document.querySelector('.prompt .words')?.textContent ?? ''
        const now = Number(/\d+$/.exec(document.querySelector('header .where b')?.textContent ?? '')?.[0] ?? 0)
        if (/ (won|is drawn)\./.test(said) || now >= last) return 'end'
        const weighed = [...document.querySelectorAll<HTMLElement>(selector)]
          .flatMap(reachable)
          .map((one) => ({ one, weight: weigh(one.what) }))
        let left = lot * weighed.reduce((sum, { weight }) => sum + weight, 0)
        for (const { one, weight } of weighed) if ((left -= weight) <= 0) return one
        if (performance.now() > until) return null
        await new Promise((next) => requestAnimationFrame(next))
      }
    },
    { selector: ANY, wants: likes, lot: chance, last: sequence, patience: PATIENCE_MS },
  )
}

/** One who plays at a page, and what he has clicked. */
export class Clicker {
  readonly clicked: string[] = []

  constructor(
    private readonly page: Page,
    private readonly likings: Likings,
    private readonly chance: () => number,
    private readonly touches = false,
  ) {}

  /** Clicks until what is waited for, or the end of the match. */
  async play(until: Until = {}): Promise<void> {
    const goal = this.clicked.length + (until.clicks ?? Infinity)
    let [moved, facts] = [Date.now(), 0]
    while (this.clicked.length < goal) {
      const where = await spot(this.page, this.likings(this.clicked), this.chance(), until.sequence ?? Infinity)
      if (where === 'end') return
      if (where) {
        await (this.touches ? this.page.touchscreen.tap(where.x, where.y) : this.page.mouse.click(where.x, where.y))
        this.clicked.push(where.what)
        moved = Date.now()
        const wide = await this.page.evaluate(() => document.documentElement.scrollWidth)
        expect(wide, `nothing is moved sideways after ${where.what}`).toBeLessThanOrEqual(this.page.viewportSize()!.width)
      } else {
        // What lies open hides all that glows.
        if (await glowing(this.page).count()) await this.page.keyboard.press('Escape')
        // Whoever passes on until an operation ends is not asked while the other side goes through it.
        // Turns in which nothing happened yet leave the log without a line.
        const now = Number((await this.page.locator('.log .seq').allTextContents()).at(-1) ?? 0)
        if (now !== facts) [moved, facts] = [Date.now(), now]
      }
      expect(Date.now() - moved, `something happens after ${this.clicked.at(-1) ?? 'nothing'}`).toBeLessThan(STUCK_MS)
    }
  }
}
