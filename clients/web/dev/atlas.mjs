// Writes src/titles/coral_sea/atlas.ts and src/titles/nimitz/atlas.ts: the coastlines under a title's map (Natural
// Earth through the package `world-atlas`), cut out, thinned and rounded, and what the table's view does not repeat,
// from the title's own data. Everything is in the units of the data's canvas; the page lays it out (`plan.ts`).
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { feature } from 'topojson-client'

const here = dirname(fileURLToPath(import.meta.url))
const project = join(here, '..', '..', '..')
const atlasOf = (title) => join(here, '..', 'src', 'titles', title, 'atlas.ts')
const data = JSON.parse(readFileSync(join(project, 'domain', 'coral_sea', 'data', 'coral-sea.json'), 'utf8'))
const pacific = JSON.parse(readFileSync(join(project, 'domain', 'nimitz', 'data', 'nimitz.json'), 'utf8'))
const world = JSON.parse(readFileSync(createRequire(import.meta.url).resolve('world-atlas/land-10m.json'), 'utf8'))

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

/** A ring cut off at one side of the frame (Sutherland and Hodgman). */
function cut(ring, axis, limit, keepsLess) {
  const inside = (point) => (keepsLess ? point[axis] <= limit : point[axis] >= limit)
  const crossing = (a, b) => {
    const part = (limit - a[axis]) / (b[axis] - a[axis])
    return [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])]
  }
  return ring.flatMap((point, place) => {
    const before = ring.at(place - 1)
    if (inside(point)) return inside(before) ? [point] : [crossing(before, point), point]
    return inside(before) ? [crossing(before, point)] : []
  })
}

function framed(ring, frame) {
  const sides = [
    [0, frame.left, false],
    [0, frame.right, true],
    [1, frame.top, false],
    [1, frame.bottom, true],
  ]
  return sides.reduce((left, [axis, limit, keepsLess]) => (left.length ? cut(left, axis, limit, keepsLess) : left), ring)
}

function distance([x, y], [ax, ay], [bx, by]) {
  const length = Math.hypot(bx - ax, by - ay)
  return length ? Math.abs((by - ay) * (x - ax) - (bx - ax) * (y - ay)) / length : Math.hypot(x - ax, y - ay)
}

/** The points that matter of a line (Douglas and Peucker). */
function thinned(line, tolerance) {
  if (line.length < 3) return line
  let [worst, at] = [0, 0]
  for (let place = 1; place < line.length - 1; place++) {
    const off = distance(line[place], line[0], line.at(-1))
    if (off > worst) [worst, at] = [off, place]
  }
  if (worst <= tolerance) return [line[0], line.at(-1)]
  return [...thinned(line.slice(0, at + 1), tolerance).slice(0, -1), ...thinned(line.slice(at), tolerance)]
}

/** A ring thinned in two halves, for it ends where it begins. */
function thinRing(ring, tolerance) {
  const half = Math.floor(ring.length / 2)
  const [first, second] = [ring.slice(0, half + 1), [...ring.slice(half), ring[0]]]
  return [...thinned(first, tolerance).slice(0, -1), ...thinned(second, tolerance).slice(0, -1)]
}

function area(ring) {
  return Math.abs(ring.reduce((sum, [x, y], place) => sum + x * ring.at(place - 1)[1] - ring.at(place - 1)[0] * y, 0)) / 2
}

/** The first point, then steps from point to point, in halves of a unit. */
function written(ring) {
  let [x, y] = [0, 0]
  return ring
    .flatMap((point) => {
      const [nextX, nextY] = point.map((value) => Math.round(value * 2))
      const step = [nextX - x, nextY - y]
      ;[x, y] = [nextX, nextY]
      return step
    })
    .join(' ')
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
  const polygons = feature(world, world.objects.land).features.flatMap(({ geometry }) =>
    geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates,
  )
  return (
    polygons
      .map(([outer]) => eastward(outer.slice(0, -1)))
      // What goes round the whole world would be drawn right across.
      .filter((ring) => breadth(ring) < 300)
      .map((ring) => framed(ring.map(onCanvas), frame))
      .filter((ring) => ring.length > 2 && area(ring) >= smallest)
      .map((ring) => thinRing(ring, tolerance))
      .filter((ring) => ring.length > 2)
      .map(written)
  )
}

/** Writes a title's file, unless it says the same already. */
function write(title, text) {
  const target = atlasOf(title)
  if (!existsSync(target) || readFileSync(target, 'utf8') !== text) writeFileSync(target, text)
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
