/** What the server is asked to do at a click: whether that is under way, and why the last was not done. */

import { whole } from '../words/whole'

export class Errand {
  busy = $state(false)
  /** As a sentence, or ''. */
  problem = $state('')

  /** Runs it to its end; returns whether it was done. */
  async run(act: () => Promise<unknown>): Promise<boolean> {
    this.busy = true
    this.problem = ''
    try {
      await act()
      return true
    } catch (why) {
      this.problem = whole((why as Error).message)
      return false
    } finally {
      this.busy = false
    }
  }
}
