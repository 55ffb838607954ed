/** What the tests of Pacific War's campaigns do at the table: each question is answered by what the page has for it. */

import { expect, invitation, type Locator, offer, type Page, seated, sit, typed } from './table'

/** The house's bot may think for so long, beside others that are at work. */
const BOT_MS = 60_000

/** A click takes no longer, on a machine that has much to do. */
const PRESS_MS = 5_000

/** What is asked now. */
interface Question {
  /** The number of the rule. */
  rule: string
  /** What ends the step, or ''. */
  ends: string
  buttons: string[]
}

/** One who leads a campaign at a page. */
export class Admiral {
  readonly prompt: Locator
  readonly words: Locator
  readonly decisions: Locator
  readonly date: Locator
  readonly log: Locator
  /** The month, in the panel of both sides. */
  readonly month: Locator

  constructor(readonly page: Page) {
    this.prompt = page.locator('.prompt')
    this.words = this.prompt.locator('.words')
    this.decisions = page.getByRole('group', { name: 'Decisions' })
    this.date = page.locator('header .where b')
    this.log = page.locator('.log')
    this.month = page.getByRole('region', { name: 'The month' })
  }

  /** The phase in the strip below the map that is marked as the present one. */
  phase(): Locator {
    return this.page.locator('.strip [aria-current="step"]')
  }

  /** What is shown beside the map. */
  async beside(name: 'Log' | 'Sides'): Promise<void> {
    await this.page.getByRole('group', { name: 'Shown beside the board' }).getByRole('button', { name, exact: true }).click()
  }

  button(name: string | RegExp): Locator {
    return this.decisions.getByRole('button', { name, exact: true })
  }

  fleet(): Locator {
    return this.page.locator('.stage .fleet.mine[data-glow]').first()
  }

  /** Waits until he is asked, however long the other side takes. */
  async asked(): Promise<Question> {
    await this.page.locator('.prompt.mine:not(.waits)').waitFor({ timeout: BOT_MS })
    return this.prompt.evaluate((prompt) => {
      const buttons = [...prompt.querySelectorAll('[aria-label="Decisions"] button')]
      return {
        rule: prompt.querySelector('.words .rule')?.textContent ?? '',
        ends: /“([^”]+)” ends this/.exec(prompt.querySelector('.words')?.textContent ?? '')?.[1] ?? '',
        buttons: buttons.map((one) => one.getAttribute('aria-label') ?? one.textContent.trim()),
      }
    })
  }

  /** Answers until he is asked by a rule; or in a month, as its name begins. */
  async until(rule: string, month = ''): Promise<void> {
    for (;;) {
      const now = await this.asked()
      if (now.rule === rule && (!month || (await this.date.innerText()).startsWith(month))) return
      await this.answer(now)
    }
  }

  /** Decides in the shortest way: as proposed, by what ends the step, or by the first on the list, where the units stand that
   * may stand down (P32.1). */
  async answer({ rule, ends, buttons }: Question): Promise<void> {
    const name =
      buttons.find((one) => one.startsWith('As proposed')) ??
      buttons.find((one) => one === 'Pass to the end of the phase') ??
      buttons.find((one) => one === ends && rule !== 'P32.1')
    if (name) await this.press(name)
    else await typed(this.page, '')
  }

  /** Clicks a button, unless it goes before it is clicked: what was asked a moment ago may be answered, and shown no more. */
  private async press(name: string): Promise<void> {
    await this.button(name)
      .click({ timeout: PRESS_MS })
      .catch(async (why: unknown) => {
        if ((await this.button(name).count()) > 0) throw why
      })
  }

  /** Takes what a steady player would do here. */
  async suggested(): Promise<void> {
    await this.button('Suggest').click()
    await expect(this.words).toContainText('Suggested: ')
    await this.button('Take it').click()
  }

  /** Clicks a task force, then where it sails; what is picked is held back until it is whole. */
  async sail(): Promise<void> {
    await this.fleet().click()
    await expect(this.button('Suggest')).toBeVisible()
    await this.page.locator('.stage .aim:not([aria-label*="may stop it"], [aria-label*="submarine"], [aria-label*="coast"])').last().click()
    await expect(this.page.locator('.stage .trail')).toHaveCount(1)
    await this.until('P23.4')
  }
}

/** Sits down in Guadalcanal: as the Allies against the house's bot, or the first page as Japan and the second as the Allies. */
export async function guadalcanal(pages: readonly Page[]): Promise<Admiral[]> {
  const [first, second] = [pages[0]!, pages[1]]
  const wish = { title: 'pacific_war', scenario: 'C1' }
  await offer(first, second ? { ...wish, against: 'person', side: 'Japan' } : { ...wish, against: 'steady', side: 'Allies' })
  if (second) {
    await second.goto(await invitation(first, /Copy the link for Allies/))
    await sit(second)
  }
  for (const page of pages) await seated(page)
  return pages.map((page) => new Admiral(page))
}
