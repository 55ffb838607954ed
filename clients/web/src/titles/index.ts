/** The titles this page has a board for. A title is added here and nowhere else; each is loaded when needed. */

import type { Title } from './title'

const LOADERS: Record<string, () => Promise<{ title: Title }>> = {
  midway: () => import('./midway'),
}

export async function load(name: string): Promise<Title | null> {
  return (await LOADERS[name]?.())?.title ?? null
}
