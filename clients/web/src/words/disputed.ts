/** The lines of a disputed step that are told in words; the rest only auditors look at. */

import type { ComparedFact, Dispute, Saying, Told } from '../protocol/wire'
import type { Title } from '../titles/title'
import { UNTOLD } from './facts'

/** Whether the log would pass it over. */
function passed(saying: Saying | null, title: Title): boolean {
  return !saying || UNTOLD.has(saying.type) || title.silent(saying as unknown as Told)
}

/** What is told: all that the log tells, and whatever differs. */
export function told({ lines }: Pick<Dispute, 'lines'>, title: Title): ComparedFact[] {
  return lines.filter((line) => !line.same || !passed(line.recorded, title))
}

/** The line that was asked about: where the log passes it over, the last before it, or else the first. */
export function askedOf(lines: readonly ComparedFact[], seq: number): ComparedFact | undefined {
  return lines.findLast((line) => line.seq !== null && line.seq <= seq) ?? lines[0]
}
