import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NO_MATCH, type TableView } from '../protocol/wire'
import { lesson as coralSea } from './coral_sea/primer'
import { lesson as midway } from './midway/primer'
import { lesson as nimitz } from './nimitz/primer'
import { lesson as pacificWar } from './pacific_war/primer'
import type { Lesson } from './title'

const at = (title: string, scenario: string, options: Record<string, number | boolean> = {}): TableView => ({
  match: { ...NO_MATCH, title, scenario, options },
  asked: [],
  table: {},
})
const all = ({ aim, first, watch }: Lesson): { words: string; rule: string }[] => [...aim, ...first, ...watch]
const COURSES: [string, string, Lesson][] = [
  ['midway', 'historical-4-june', midway(at('midway', 'historical-4-june'))],
  ['midway', 'duel', midway(at('midway', 'duel'))],
  ['coral-sea', 'campaign', coralSea(at('coral_sea', 'campaign', { limited_intelligence: true }))],
  ['coral-sea', 'fortress', coralSea(at('coral_sea', 'fortress'))],
  ...['1942', '1943', '1944', '1945', 'linked'].map((year): [string, string, Lesson] => [
    'nimitz',
    year,
    nimitz(at('nimitz', year, { mode: 1 })),
  ]),
  ...['E1', 'E2', 'E3', 'E4', 'B1', 'C1'].map((name): [string, string, Lesson] => [
    'pacific-war',
    name,
    pacificWar(at('pacific_war', name)),
  ]),
]

describe.each(COURSES)('the primer of %s, %s', (title, _, lesson) => {
  const rules = readFileSync(join(import.meta.dirname, '../../../../docs/rules', `${title}.md`), 'utf8')

  it('has something of each kind, by rules that exist', () => {
    expect([lesson.aim, lesson.first, lesson.watch].every((part) => part.length > 0)).toBe(true)
    expect(all(lesson).filter(({ rule }) => !new RegExp(String.raw`\*\*${rule.replace('.', String.raw`\.`)}\b`).test(rules))).toEqual([])
  })

  it('says nothing twice', () => {
    const words = all(lesson).map((one) => one.words)

    expect(new Set(words).size).toBe(words.length)
  })
})

describe('the primer', () => {
  it('of 4 June says that the fleet must be found, and that of the duel does not (M12.1)', () => {
    const search = (lesson: Lesson): boolean => all(lesson).some(({ rule }) => rule === 'M12.1')

    expect(search(midway(at('midway', 'historical-4-june')))).toBe(true)
    expect(search(midway(at('midway', 'duel')))).toBe(false)
  })

  it('of Nimitz is about the way it is played (N20)', () => {
    const modes = [1, 2, 3].map((mode) => nimitz(at('nimitz', '1943', { mode })).watch.at(-1)!.rule)

    expect(modes).toEqual(['N20.1', 'N20.2', 'N20.3'])
  })
})
