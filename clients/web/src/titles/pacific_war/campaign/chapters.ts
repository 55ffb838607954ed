/** The log of a campaign: months and Operations are its turns, their phases its chapters; what keeps the books is passed over. */

import { bodyOf } from '../../../protocol/body'
import type { Told } from '../../../protocol/wire'
import { monthName } from '../../../words/months'
import type { Chapter, Gathered } from '../../title'
import type { CycleBegan, MeansAre, MonthIs, MonthsSetUp, OperationIs, OwnUnits, PhaseBegan } from '../facts'
import { actsIn, stepOf } from './months'
import { told } from './story/told.svelte'

/** A chapter with what the next ones are counted by. */
interface Reached extends Chapter {
  named: string
  operations: number
  cycle: number
  /** Who leads the Operation. */
  leader: number
  /** Up to this fact its Operation is counted, though the log has not come to its beginning. */
  counted: number
}

const START: Reached = { turn: 0, title: '', side: null, named: '', operations: 0, cycle: 0, leader: 0, counted: 0 }
const BIDS = 'Bids'
const GOES_ON = 'The Operation goes on'

/** The chapter that a fact lies in with which a log begins in the midst of a campaign, as the server tells it. */
export function chapterWithin(seq: number): Chapter | null {
  const chapter = told.within(seq)
  if (!chapter) return null
  const { number: turn, named, figures, upto: counted, side } = chapter
  const reached: Reached = { ...START, turn, named, side, operations: figures.operations ?? 0, leader: side ?? 0, counted }
  return reached
}

/** The chapter that a fact of a campaign begins; undefined for a fact that begins one in battles too, outside a campaign. */
export function campaignChapter(fact: Told, before: Chapter | null): Chapter | null | undefined {
  const now = before?.named ? (before as Reached) : null
  const turn = (named: string, more: Partial<Reached> = {}): Reached => ({
    ...(now ?? START),
    turn: (before?.turn ?? 0) + 1,
    title: '',
    side: null,
    named,
    counted: 0,
    ...more,
  })
  switch (fact.type) {
    case 'MonthsSetUp':
      return turn(monthName(bodyOf<MonthsSetUp>(fact).war.month))
    case 'MonthIs':
      return turn(monthName(bodyOf<MonthIs>(fact).month))
    case 'OperationIs':
      return led(bodyOf<OperationIs>(fact), now ?? START, turn, fact.seq <= (now?.counted ?? 0))
    case 'CycleBegan':
      return now ? cycled(bodyOf<CycleBegan>(fact), now) : undefined
    case 'PhaseBegan':
      return now ? phased(bodyOf<PhaseBegan>(fact), now, turn) : undefined
    default:
      return undefined
  }
}

type Turn = (named: string, more?: Partial<Reached>) => Reached

function cycled({ cycle }: CycleBegan, now: Reached): Reached {
  return { ...now, cycle, title: `Cycle ${cycle}`, side: null }
}

function phased({ phase, name }: PhaseBegan, now: Reached, turn: Turn): Reached {
  if (phase === '5.1.O') return turn(BIDS)
  const step = stepOf(phase)
  const cycle = now.cycle && phase.startsWith('5.2.') ? `Cycle ${now.cycle}, ` : ''
  const acts = actsIn(step, undefined, now.leader ? 'AL' : 'JP')
  const side = acts ? Number(acts === 'AL') : null
  return { ...now, title: step ? `${cycle}${step.letter} ${step.name}` : name, side }
}

function led({ operation, begun, why }: OperationIs, now: Reached, turn: Turn, counted: boolean): Reached | null {
  if (!operation) return null
  const { player, hq } = operation
  const from = hq ? `, from [${hq}]` : ''
  if (begun) {
    const operations = now.operations + Number(!counted)
    const named = `Operation ${operations}: [side:${player}]${from}`
    const reached = { operations, leader: player, side: player, cycle: 0 }
    // Those that bid for it have begun its turn.
    return counted || now.named === BIDS ? { ...now, ...reached, named, title: '' } : turn(named, reached)
  }
  const named = `Operation ${now.operations}: [side:${player}]${from}`
  if (why === GOES_ON) return turn(`${named}, goes on`, { side: player })
  // The headquarters of the first one is named when it activates (C1.2).
  return hq && now.named === `Operation ${now.operations}: [side:${player}]` ? { ...now, named, title: '', side: player } : null
}

/** What is told of the Operation: the rest its chapters, dice and days say. */
const OPERATION_TOLD = /^(?!The task forces have had|The Operation (has lasted|player has|is supported|goes on))/
const SILENT: ReadonlySet<string> = new Set([
  'MonthsSetUp',
  'MonthIs',
  'LinksAre',
  'PicksKept',
  'PatrolsLifted',
  'SearchesMade',
  'IsolationJudged',
])

/** What becomes of own units from transport to engineering (5.1.I to 5.1.M), by the reason that the fact gives, and what several
 * of them come to. Only their own side is told. */
const OF_THE_MONTH: Readonly<Record<string, string>> = {
  'carried by strategic transport': 'units are carried by strategic transport',
  'by way of a box': 'units go by way of a box',
  arrived: 'units arrive',
  'back from the Penalty box': 'units come back from the Penalty box',
  'come as reinforcements': 'units come as reinforcements',
  'in the dockyards': 'repairs in the dockyards',
  replacements: 'replacements',
  'broken down': 'divisions are broken down',
  recombined: 'divisions are recombined',
}

/** Whether a fact tells what a step of the month has done with own units, which nothing else in the log says. */
export function ofTheMonth({ type, body }: Told): boolean {
  return type === 'OwnUnits' && (bodyOf<OwnUnits>({ body }).why ?? '') in OF_THE_MONTH
}

/** Such facts in a row as one line: each with where it is now. */
export function monthGathers(fact: Told): Gathered | null {
  if (!ofTheMonth(fact)) return null
  const what = OF_THE_MONTH[bodyOf<OwnUnits>(fact).why ?? '']!
  const where = /: (?:in port )?(at \[[^\]]+\]): (\[[^\]]+\])/.exec(fact.words)
  return where ? { what, item: `${where[2]} ${where[1]}` } : { what }
}

/** Whether the log passes a fact of a campaign over. */
export function campaignSilent(fact: Told): boolean {
  if (SILENT.has(fact.type)) return true
  if (fact.type === 'OperationIs') return !OPERATION_TOLD.test(bodyOf<OperationIs>(fact).why)
  if (fact.type !== 'MeansAre') return false
  const { level, condition, points, why } = bodyOf<MeansAre>(fact)
  const allotted = why === 'allocated' && Object.keys(points ?? {}).length > 0
  return typeof level !== 'number' && !condition && !allotted
}
