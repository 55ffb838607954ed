// Writes src/titles/coral_sea/atlas.ts and src/titles/nimitz/atlas.ts: the coastlines under a title's map (Natural
// Earth through the package `world-atlas`), cut out, thinned and rounded, and what the table's view does not repeat,
// from the title's own data. Everything is in the units of the data's canvas; the page lays it out (`plan.ts`).
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { area, framed, land, thinRing, write, written } from './coast.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const project = join(here, '..', '..', '..')
const data = JSON.parse(readFileSync(join(project, 'domain', 'coral_sea', 'data', 'coral-sea.json'), 'utf8'))
const pacific = JSON.parse(readFileSync(join(project, 'domain', 'nimitz', 'data', 'nimitz.json'), 'utf8'))

/** What of the world a map shows: `tolerance` is how far a line may be off, in units of the canvas, `smallest` the
 * smallest island that is drawn, in square units. The coast goes on beyond the frame, so that no cut shows at its
 * edge. `onCanvas` takes longitude and latitude, as the data's own note on its projection says. */
const CORAL_SEA = {
  tolerance: 0.9,
  smallest: 5,
  frame: { left: -260, top: -200, right: 1860, bottom: 1320 },
  onCanvas: ([lon, lat]) => [50 + ((lon - 144.3) * 1500) / 25.2, 45 + ((-lat - 1.4) * 1010) / 22.4],
}
const PACIFIC = {
  tolerance: 1.6,
  smallest: 3,
  frame: { left: -240, top: -160, right: 2060, bottom: 1400 },
  // Eastward from Greenwich, across the date line.
  onCanvas: ([lon, lat]) => [11 * lon - 1098, 650 - 10 * lat],
}

/** From the westernmost to the easternmost longitude of a ring. */
function breadth(ring) {
  return Math.max(...ring.map(([lon]) => lon)) - Math.min(...ring.map(([lon]) => lon))
}

/** Longitudes go on beyond 180, so that no map is torn at the date line: America's as a whole, Asia's where it reaches
 * across. */
function eastward(ring) {
  const across = breadth(ring) > 300
  if (!across && ring.some(([lon]) => lon >= -25)) return ring
  return ring.map(([lon, lat]) => [lon < -25 ? lon + 360 : lon, lat])
}

function coast({ onCanvas, frame, smallest, tolerance }) {
  return (
    land()
      .map(eastward)
      // What goes round the whole world would be drawn right across.
      .filter((ring) => breadth(ring) < 300)
      .map((ring) => framed(ring.map(onCanvas), frame))
      .filter((ring) => ring.length > 2 && area(ring) >= smallest)
      .map((ring) => thinRing(ring, tolerance))
      .filter((ring) => ring.length > 2)
      .map((ring) => written(ring))
  )
}

const SIDE = { japan: 'Japanese', allied: 'Allied' }

/** What a chit does, in words made from the data. */
function effect({ type, side, modifier, modifier_if_not_hs, on_fail, result }) {
  if (type === 'attach_bunker') return 'a bunker for one Japanese unit, −2 to its checks'
  if (type === 'automatic') return `one ${SIDE[side]} unit ${result} without a check`
  const outcome = on_fail === 'depleted_and_disorganized' ? 'depleted and disorganised' : on_fail.replaceAll('z', 's').replaceAll('_', ' ')
  const plus = modifier ? ` at ${modifier > 0 ? '+' : '−'}${Math.abs(modifier)}` : ''
  const light = modifier_if_not_hs ? ` (+${modifier_if_not_hs} unless heavy)` : ''
  return `one ${SIDE[side]} unit checks${plus}${light}: ${outcome}`
}

/** What has to be there when a chit is played, or it is played in vain. */
function need({ type, nationality }) {
  if (type === 'own_unit_in_battle') return `needs own ${nationality === 'usa' ? 'US ' : ''}light ships in the battle`
  if (type === 'bunker_slot_free') return 'needs a unit without a bunker'
  return 'needs a working airfield or carrier in reach'
}

const chits = data.chits.map((chit) => ({
  id: chit.id,
  name: chit.name,
  side: chit.side,
  domain: chit.domain,
  count: chit.count,
  text: [...chit.effects.map(effect), ...[chit.needs_when_played ?? []].flat().map(need)].join('; '),
}))
const types = Object.fromEntries(data.units.map(({ id, type }) => [id, type]))
const areas = data.areas.map(({ id, name, kind, x, y }) => ({ id, name, kind, x, y }))
const number = new Map(areas.map(({ id }, place) => [id, place]))
const edges = data.edges.map(({ a, b, kind }) => [number.get(a), number.get(b), kind[0]])

const text = `// Made by dev/atlas.mjs at every build from world-atlas and domain/coral_sea/data. Do not edit.

/** Every area of the map, in the units of the data's canvas. */
export const AREAS: readonly { id: string; name: string; kind: 'land' | 'sea' | 'box'; x: number; y: number }[] = ${JSON.stringify(areas)} as const

/** Two numbers of areas and the kind of the way between them: land, sea, coast or box. */
export const EDGES: readonly (readonly [number, number, 'l' | 's' | 'c' | 'b'])[] = ${JSON.stringify(edges)} as const

export const CHITS: readonly { id: string; name: string; side: 'japan' | 'allied'; domain: 'ground' | 'naval'; count: number; text: string }[] = ${JSON.stringify(chits)} as const

/** What is printed on a counter, for those that are seen only on top of a hidden stack. */
export const TYPES: Readonly<Record<string, 'infantry' | 'LS' | 'HS' | 'CV'>> = ${JSON.stringify(types)}

/** Coastlines as rings: the first point, then steps from point to point, in halves of a unit. */
export const COAST: readonly string[] = ${JSON.stringify(coast(CORAL_SEA))}
`
write('coral_sea', text)

const places = pacific.areas.map(({ id, name, anchor, x, y }) => ({ id, name, anchor, x, y }))
const links = pacific.adjacency.map(({ a, b }) => [a, b])

write(
  'nimitz',
  `// Made by dev/atlas.mjs at every build from world-atlas and domain/nimitz/data. Do not edit.

/** Every area of the map, in the units of the data's canvas. */
export const AREAS: readonly { id: string; name: string; anchor: string; x: number; y: number }[] = ${JSON.stringify(places)} as const

/** The areas that are joined. */
export const LINKS: readonly (readonly [string, string])[] = ${JSON.stringify(links)} as const

/** What is printed on a counter, for those that are seen only on top of a hidden stack. */
export const TYPES: Readonly<Record<string, 'infantry' | 'LS' | 'HS' | 'CV'>> = ${JSON.stringify(types)}

/** Coastlines as rings: the first point, then steps from point to point, in halves of a unit. */
export const COAST: readonly string[] = ${JSON.stringify(coast(PACIFIC))}
`,
)
