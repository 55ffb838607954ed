/** What is ordered in a month for bombers, escorts, submarines and emergency links (P8, P9, P11.7), as choices. */

import { counted } from '../../../words/count'
import type { Choice as ChoiceOf, Names } from '../../title'
import type { Decision, EstablishECL, Priority, SendRaid, Table } from '../shown'
import { plainly } from './plainly'

const FLOWN: Readonly<Record<SendRaid['mode'], string>> = {
  precision: 'Precision bombing',
  incendiary: 'Incendiary bombing',
  mining: 'Mining',
}
const HUNTED: Readonly<Record<Priority['what'], string>> = { merchants: 'Go for merchant ships', escorts: 'Go for escorts' }
const KEPT: Readonly<Record<EstablishECL['kind'], string>> = {
  destroyer: 'by destroyers',
  submarine: 'by submarine',
  air: 'by air',
}

const bombers = (points: number): string => counted(points, 'Strategic Bombing Point')

/** A decision about them; null for another one. */
export function orderChoice(decision: Decision, table: Table, names: Names): ChoiceOf<Decision> | null {
  const name = (id: string): string => names[id] ?? table.war?.headquarters[id]?.name ?? table.locations[id]?.name ?? id
  /** What is clicked on the map or in the tray says there what is done; a button of the prompt says all of it. */
  const said = (label: string, short?: string): ChoiceOf<Decision> => {
    const plain = plainly(decision, table, names)
    return { ...plain, label, short: plain.path.length ? short : undefined }
  }
  switch (decision.type) {
    case 'raid':
      return said(`${FLOWN[decision.mode]} from ${name(decision.base)}`, FLOWN[decision.mode])
    case 'bombing_points':
      return said(bombers(decision.points))
    case 'lift_sbp':
      return said(`Lift ${bombers(decision.n)} from ${name(decision.base)}`, `Lift ${counted(decision.n, 'point')}`)
    case 'place_sbp':
      return said(`Base Strategic Bombing Points at ${name(decision.base)}`, 'Base bombers here')
    case 'assign_escort':
      return said(`Put ${name(decision.dd)} on escort duty`, 'On escort duty')
    case 'release_escort':
      return said(`Take ${name(decision.dd)} off escort duty, to ${name(decision.port)}`, 'Off duty')
    case 'priority':
      return said(HUNTED[decision.what])
    case 'establish_ecl': {
      const link = `Emergency link ${KEPT[decision.kind]}`
      return said(`${link} to ${name(decision.location)}, paid by ${name(decision.hq)}`, link)
    }
    case 'maintain_ecl':
      return said(`Keep up the link to ${name(decision.location)}, paid by ${name(decision.hq)}`, 'Keep the link up')
    case 'drop_ecl':
      return said(`Drop the link to ${name(decision.location)}`, 'Drop the link')
    default:
      return null
  }
}
