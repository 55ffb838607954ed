/** How a match ended, in one line. */

import type { MatchView } from '../protocol/wire'

export function outcome(view: MatchView, sides: readonly string[]): string {
  if (!view.over) return ''
  const result = view.winner === undefined ? 'The match is drawn' : `Won by ${sides[view.winner] ?? `side ${view.winner}`}`
  return `${result}: ${view.reason}.`
}
