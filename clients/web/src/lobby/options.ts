/** The options of the rules that a form offers, as they are sent: what is other than usual. */

import type { Option } from '../protocol/wire'

/** `had` are those of the scenario; null or nothing for a number that nobody has chosen. */
export function optionsOf(
  had: readonly Option[],
  flags: Readonly<Record<string, boolean>>,
  numbers: Readonly<Record<string, number | null>>,
): Record<string, boolean | number> {
  const chosen: Record<string, boolean | number> = {}
  for (const { id, least, default: usual } of had) {
    const [flag, number] = [flags[id], numbers[id]]
    if (least === null) {
      if (flag !== undefined && flag !== usual) chosen[id] = flag
    } else if (typeof number === 'number') {
      chosen[id] = number
    }
  }
  return chosen
}
