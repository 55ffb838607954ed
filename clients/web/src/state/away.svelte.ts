/** A part of the page that did not come: the server was renewed, and has it under another name now, or it is away. The page
 * is loaded anew when the server answers, not before: of a page that is not to be had nothing would be left. */

import { renewal } from './renewal'

const AGAIN_MS = 2_000

class Away {
  /** The server does not answer. */
  now = $state(false)
  private waits = false

  async reload(): Promise<void> {
    if (this.waits) return
    this.waits = true
    while (!(await answers())) {
      this.now = true
      await new Promise((go) => setTimeout(go, AGAIN_MS))
    }
    this.waits = false
    this.now = false
    renewal.overdue()
  }
}

function answers(): Promise<boolean> {
  return fetch('/', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
}

export const away = new Away()
