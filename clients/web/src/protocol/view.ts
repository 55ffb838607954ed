/** The view of a match as the page holds it. `table` is the title's own and is read by its folder alone. */

import { NO_MATCH, type TableView } from './wire'

/** The view before the first fact; frames start from `{}`, so every reader goes through this. */
export function whole(view: Partial<TableView>): TableView {
  return {
    asked: view.asked ?? [],
    table: view.table ?? {},
    match: { ...NO_MATCH, ...view.match },
    ...(view.clocks ? { clocks: view.clocks } : {}),
    ...(view.early ? { early: view.early } : {}),
    ...(view.waited_since ? { waited_since: view.waited_since } : {}),
  }
}
