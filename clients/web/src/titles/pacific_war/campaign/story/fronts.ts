/** Small maps of a campaign: the part of the Pacific that it is about, its land and its places. */

import type { Chapter } from '../../../../protocol/wire'
import { GRID, PLACES } from '../../atlas'
import { centre, HEIGHT, kind, nameOf, RADIUS } from '../../map/hexes'
import type { MonthOfWar } from './record'

export interface Frame {
  left: number
  top: number
  width: number
  height: number
}

export interface Spot {
  id: string
  name: string
  x: number
  y: number
}

/** Units that are drawn beyond the outermost places. */
const MARGIN = 140
/** A frame is at most so much wider than high, and so much higher than wide. */
const SHAPES = [0.8, 1.5] as const

export function spots(ids: ReadonlySet<string>): Spot[] {
  return PLACES.filter(([id]) => ids.has(id)).map(([id, name, hex, east, south]) => {
    const { x, y } = centre(hex)
    return { id, name, x: x + east, y: y + south }
  })
}

export function frameOf(list: readonly { x: number; y: number }[]): Frame {
  const [xs, ys] = [list.map(({ x }) => x), list.map(({ y }) => y)]
  const [west, north] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN]
  const [across, down] = [Math.max(...xs) + MARGIN - west, Math.max(...ys) + MARGIN - north]
  const width = Math.max(across, down * SHAPES[0])
  const height = Math.max(down, across / SHAPES[1])
  return { left: west - (width - across) / 2, top: north - (height - down) / 2, width, height }
}

/** The hexes with land in a frame as one path, for a war whose coasts are too much to draw. */
export function landIn({ left, top, width, height }: Frame): string {
  const found: string[] = []
  for (let column = 0; column < GRID.columns; column++) {
    for (let row = 0; row < GRID.rows; row++) {
      const hex = nameOf(column, row)
      const { x, y } = centre(hex)
      const inside = x > left - RADIUS && x < left + width + RADIUS && y > top - HEIGHT && y < top + height + HEIGHT
      if (inside && kind(hex) === 'l') {
        const [across, down] = [GRID.across, HEIGHT]
        found.push(
          `M${Math.round(x - across / 2)} ${Math.round(y - down / 2)}h${Math.ceil(across)}v${Math.ceil(down)}h${-Math.ceil(across)}z`,
        )
      }
    }
  }
  return found.join('')
}

/** Where was fought in a month, as points on the map. */
export function fights({ chapters }: Pick<MonthOfWar, 'chapters'>): { x: number; y: number }[] {
  const where = new Set(chapters.flatMap((chapter: Chapter) => chapter.where))
  const named = spots(where).map(({ x, y }) => ({ x, y }))
  return [...named, ...[...where].filter((place) => /^\d{4}$/.test(place)).map(centre)]
}
