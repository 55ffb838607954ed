/** The titles this page has a board for. A title is added here and nowhere else; each is loaded when needed. */

import { MODES as NIMITZ_MODES } from './nimitz/modes'
import type { Mode, Title } from './title'

const LOADERS: Record<string, () => Promise<{ title: Title }>> = {
  midway: () => import('./midway'),
  coral_sea: () => import('./coral_sea'),
  nimitz: () => import('./nimitz'),
  pacific_war: () => import('./pacific_war'),
}

/** The ways to play a title, if it has several: known before its folder is loaded. */
export const MODES: Readonly<Record<string, readonly Mode[]>> = { nimitz: NIMITZ_MODES }

export async function load(name: string): Promise<Title | null> {
  return (await LOADERS[name]?.())?.title ?? null
}
