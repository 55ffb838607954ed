/** Chapters for tests. */

import type { Chapter, Lost } from '../../../../protocol/wire'

export const chapter = (number: number, more: Partial<Chapter> = {}): Chapter => ({
  number,
  kind: 'operation',
  named: `Operation ${number}: [side:0], from [hq_cf]`,
  since: 100 * number,
  upto: 100 * number + 99,
  side: 0,
  when: 'August 1942, day 4',
  days: 0,
  over: true,
  where: [],
  lost: [[], []],
  counts: {},
  taken: [],
  figures: {},
  held: {},
  ...more,
})
export const sunk = (unit: string, kind: string): Lost => ({ unit, kind, how: 'sunk' })
