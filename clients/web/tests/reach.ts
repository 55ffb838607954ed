/** Whether all that a prompt lists can be chosen by pointing: each option on the board or in the tray, id by id, or by a
 * button that names it. Run in the page, since it asks thousands of times what lies where. */

import type { Page } from '@playwright/test'
import type { Asked } from './driver'

/** Compares the page's list with what can be clicked; what cannot be chosen, in words. Of the ways to a decision that begin
 * with a pick, so many are gone to their end; the others are seen to begin. While the page shows none of the questions that
 * are asked, nothing is clicked: when one is drawn at last, what began a way before may be a decision. */
export function reach(page: Page, asked: readonly Asked[], deep: number, seed: number): Promise<string[]> {
  return page.evaluate(
    async ({ questions, ways, first }) => {
      let state = first >>> 0
      const chance = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32
      const drawn = (): Promise<unknown> => new Promise((next) => requestAnimationFrame(() => setTimeout(next)))
      const escape = async (): Promise<void> => {
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
        await drawn()
      }
      const faults: string[] = []
      const fault = (words: string): void => void (faults.includes(words) || faults.push(words))

      // What glows says so by its colour: that of the board, or that of the theme.
      const probe = document.body.appendChild(document.createElement('i'))
      probe.style.color = 'var(--glow)'
      const colours = ['255, 207, 92', /\d+, \d+, \d+/.exec(getComputedStyle(probe).color)?.[0] ?? '']
      probe.remove()
      const glows = (one: Element): boolean =>
        // A card's outline is drawn around its face.
        [one, one.closest('.whole') ?? one, ...one.querySelectorAll('*')].some((part) => {
          const { stroke, fill, borderColor, boxShadow, backgroundColor } = getComputedStyle(part)
          const paint = `${stroke} ${part.matches('.halo, .reach') ? '' : fill} ${borderColor} ${boxShadow} ${backgroundColor}`
          return colours.some((colour) => paint.includes(colour))
        })

      const parts = [0.5, 0.3, 0.7, 0.12, 0.88, 0.04, 0.96]
      /** What a click there means: what lies on a place and cannot be chosen lets it through. */
      const hitAt = (x: number, y: number): Element[] => {
        const [first, ...below] = document.elementsFromPoint(x, y)
        const through = first?.closest('[data-lies]:not([data-glow])') && below.find((one) => one.closest('[data-glow]'))
        return [first, through].filter((one): one is Element => one instanceof Element)
      }
      const hitsOf = (one: Element): Element[] => {
        const box = one.getBoundingClientRect()
        const points = parts.flatMap((down) => parts.map((across) => [box.left + box.width * across, box.top + box.height * down]))
        return points.flatMap(([x, y]) => hitAt(x!, y!))
      }
      const uncovered = (one: Element): boolean => hitsOf(one).some((hit) => hit.closest('[data-id], [data-stack], [data-heap]') === one)
      const click = async (one: Element): Promise<void> => {
        one.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
        await drawn()
      }
      const named = (id: string): Element[] => [...document.querySelectorAll(`:is(.stage, .tray) [data-id="${CSS.escape(id)}"]`)]

      /** What is wrong with what is drawn of an id: '' if it can be clicked. */
      const wrong = (id: string): string => {
        const all = named(id)
        if (!all.length) return 'is not drawn'
        const lit = all.filter((one) => one.hasAttribute('data-glow'))
        if (!lit.length) return 'is not marked'
        for (const one of lit) if (one.closest('.tray')) one.scrollIntoView({ block: 'nearest', inline: 'nearest' })
        const open = lit.filter((one) => uncovered(one) || heapOver(id, one))
        if (!open.length) return 'is covered'
        return open.some(glows) ? '' : 'does not glow'
      }
      /** Coral Sea's stacks stand for their area, where that is what can be chosen. */
      const heapOver = (id: string, one: Element): boolean =>
        hitsOf(one).some((hit) => hit.closest<HTMLElement>('[data-heap]')?.dataset.heap?.split(':')[1] === id)

      /** The stacks that say that something in them can be chosen. */
      const holders = (): Element[] =>
        [...document.querySelectorAll('.stage :is([data-stack].glowing, [data-heap][data-glow])')].filter(
          (one) => uncovered(one) && glows(one),
        )
      const key = (one: Element): string =>
        `[data-stack="${one.getAttribute('data-stack')}"], [data-heap="${one.getAttribute('data-heap')}"]`
      /** Opens the stack with an id in it; whether it could then be clicked. */
      const opened = async (id: string, known?: string): Promise<string> => {
        for (const holder of known ? [known] : holders().map(key)) {
          const closed = document.querySelector(holder)
          if (!closed) continue
          await click(closed)
          if (!wrong(id)) return holder
          await escape()
        }
        return ''
      }
      /** Id to the stack that has to be opened for it; '' where it lies open. */
      const places = async (ids: string[]): Promise<Map<string, string>> => {
        const found = new Map<string, string>()
        const rest = new Map<string, string>()
        for (const id of ids) {
          const why = wrong(id)
          if (why) rest.set(id, why)
          else found.set(id, '')
        }
        if (!rest.size) return found
        for (const holder of holders().map(key)) {
          const closed = document.querySelector(holder)
          if (!closed) continue
          await click(closed)
          for (const id of rest.keys()) if (!found.has(id) && !wrong(id)) found.set(id, holder)
          await escape()
        }
        // Under a stack that lay open by itself.
        for (const id of rest.keys()) if (!found.has(id) && !wrong(id)) found.set(id, '')
        for (const [id, why] of rest) if (!found.has(id)) fault(`${id} ${why}`)
        return found
      }

      await escape()
      const field = document.querySelector<HTMLInputElement>('[role="combobox"]')!
      field.focus()
      await drawn()
      const options = [...document.querySelectorAll<HTMLElement>('#choice-list [data-path]')].map((one) => ({
        label: one.textContent.trim(),
        path: one.dataset.path!.split(' ').filter(Boolean),
      }))
      field.blur()
      await drawn()
      const said = document.querySelector('.prompt .words')?.textContent ?? ''
      if (!questions.some(({ rule, count }) => count === options.length && said.includes(rule))) {
        return [`lists ${options.length} options of ${questions.map(({ count }) => count).join(' or ')} under “${said.trim()}”`]
      }

      // Several ways to pass unfold from one button.
      const folded = document.querySelector('[data-longer][aria-expanded="false"]')
      if (folded) await click(folded)
      const labels = new Set<string>()
      for (const { label } of options) {
        if (labels.has(label)) fault(`two are called “${label}”`)
        labels.add(label)
      }
      const buttons = [...document.querySelectorAll<HTMLButtonElement>('.prompt button:not([disabled])')]
        .filter((one) => {
          // What is more than its place is moved there.
          one.scrollIntoView({ block: 'nearest', inline: 'nearest' })
          return hitsOf(one).some((hit) => hit.closest('button') === one)
        })
        // Where the question says a part of it, the button has the rest, and all of it for whoever points at it.
        .map((one) => one.getAttribute('aria-label') ?? one.textContent.trim())
      /** How many of something a slider goes up to. */
      const slides = (id: string): boolean => {
        const [what, count] = id.split(':')
        const slider = document.querySelector<HTMLInputElement>(`.tray input[data-slides="${what}"]`)
        return slider !== null && hitsOf(slider).includes(slider) && Number(count) <= Number(slider.max)
      }
      for (const { label, path } of options) if (!path.length && !buttons.includes(label)) fault(`no button says “${label}”`)

      const onBoard = options.filter(({ label, path }) => path.length && !buttons.includes(label) && !slides(path[0]!))
      const common = onBoard.length > 1 ? onBoard[0]!.path : []
      const differs = common.findIndex((id, place) => onBoard.some(({ path }) => path[place] !== id))
      const lead = differs < 0 ? common.length : differs

      const walk = async (way: string[]): Promise<void> => {
        const here = onBoard.filter(({ path }) => way.every((id, place) => path[place] === id))
        const ids = [...new Set(here.flatMap(({ path }) => path[way.length] ?? []))]
        const found = await places(ids)
        const longer = ids.filter((id) => found.has(id) && here.filter(({ path }) => path[way.length] === id).length > 1)
        const some = longer.sort(() => chance() - 0.5).slice(0, ways)
        for (const id of some) {
          for (const step of [...way.slice(lead), id]) {
            const holder = found.get(step) ?? ''
            if (holder || wrong(step)) await opened(step, holder || undefined)
            const one = named(step).find((other) => other.hasAttribute('data-glow'))
            if (one) await click(one)
            else fault(`${step} was there and is gone`)
          }
          const before = faults.length
          await walk([...way, id])
          for (let place = before; place < faults.length; place++) faults[place] = `after ${id}: ${faults[place]!}`
          await escape()
        }
      }
      await walk(common.slice(0, lead))
      return faults
    },
    { questions: asked.map(({ rule, options }) => ({ rule, count: options.length })), ways: deep, first: seed },
  )
}
