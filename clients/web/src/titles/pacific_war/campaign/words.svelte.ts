/** The words of a campaign's decisions and of its log: much to load for who plays a battle, so they come when a campaign is opened. */

import type { TableView } from '../../../protocol/wire'
import { tableOf } from '../reading'
import type * as AllWords from './words'

type Words = typeof AllWords

let words = $state.raw<Words | null>(null)
let asked = false

export async function loadCampaign(): Promise<void> {
  words = await import('./words')
}

/** What says the log of a campaign, once that is loaded. */
export function campaignLog(): Words | null {
  return words
}

/** What says the decisions of a campaign; null in a battle, and until it is loaded. */
export function campaignWords(view: TableView): Words | null {
  if (!tableOf(view).war) return null
  if (!asked) {
    asked = true
    void loadCampaign().catch(() => (asked = false))
  }
  return words
}
