// Writes into src/titles/pacific_war the coastlines round each scenario's area, coasts/E1.ts and so on, and atlas.ts: the hexes with their coasts, and
// where in its hex a place lies and a fleet has water under it, all from the title's own data and Natural Earth; and what is
// printed of the months of a campaign, printed/C1.ts and so on. A unit is a nautical mile; x goes east and y south, from the centre of
// hex 0000.
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { area, framed, land, thinRing, write, written } from './coast.mjs'
import { dues } from './dues.mjs'

const data = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'domain', 'pacific_war', 'data')
const map = JSON.parse(readFileSync(join(data, 'map.json'), 'utf8'))
const hexes = JSON.parse(readFileSync(join(data, 'hexes.json'), 'utf8'))
const tables = JSON.parse(readFileSync(join(data, 'tables.json'), 'utf8'))
const { scenarios } = JSON.parse(readFileSync(join(data, 'scenarios.json'), 'utf8'))

const { projection, grid } = map
/** How far a line of the coast may be off, and the smallest island that is drawn, in square units. */
const TOLERANCE = 1.8
const SMALLEST = 7
/** On the whole map, which is never seen from as near. */
const COARSE = { tolerance: 3.2, smallest: 24 }
/** The coast goes on so far beyond the outermost hexes, farther than a wide window shows. */
const BEYOND = { across: 2800, down: 1300 }
/** Points of a hex that are looked at, as `classification.sample_offsets` says: so far apart. */
const SAMPLE = 5

const rad = (degrees) => (degrees * Math.PI) / 180

/** Longitude and latitude to the map, by the formula of the data's projection. */
function onMap([lon, lat]) {
  const [phi, middle, along] = [rad(lat), rad(projection.lat0), rad(lon - projection.lon0)]
  const under = 1 + Math.sin(middle) * Math.sin(phi) + Math.cos(middle) * Math.cos(phi) * Math.cos(along)
  const k = projection.radius_nm * Math.sqrt(2 / Math.max(1e-9, under))
  const x = k * Math.cos(phi) * Math.sin(along)
  const y = k * (Math.cos(middle) * Math.sin(phi) - Math.sin(middle) * Math.cos(phi) * Math.cos(along))
  return [x - grid.origin_x, grid.origin_y - y]
}

function centre(hex) {
  const [column, row] = [Number(hex.slice(0, 2)), Number(hex.slice(2, 4))]
  return [grid.column_step * column, grid.row_step * row - (column % 2 ? grid.odd_column_shift_y : 0)]
}

const FRAME = {
  left: -BEYOND.across,
  top: -BEYOND.down,
  right: grid.column_step * (grid.columns - 1) + BEYOND.across,
  bottom: grid.row_step * grid.rows + BEYOND.down,
}
const rings = land()
  .map((ring) => ring.map(onMap))
  .map((ring) => framed(ring, FRAME))
  .filter((ring) => ring.length > 2)

/** Parts of the coast by squares, so that a hex is cut out of what is near it. */
const TILE = 500
const tiles = new Map()
function tileAt(x, y) {
  const [left, top] = [Math.floor(x / TILE) * TILE, Math.floor(y / TILE) * TILE]
  const key = `${left} ${top}`
  const frame = { left: left - 70, top: top - 70, right: left + TILE + 70, bottom: top + TILE + 70 }
  if (!tiles.has(key)) {
    tiles.set(
      key,
      rings.map((ring) => framed(ring, frame)).filter((ring) => ring.length > 2),
    )
  }
  return tiles.get(key)
}

function inside([x, y], ring) {
  let odd = false
  for (let place = 0; place < ring.length; place++) {
    const [[ax, ay], [bx, by]] = [ring[place], ring.at(place - 1)]
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd
  }
  return odd
}

/** The points of a hex that are water, from its centre, in steps of `SAMPLE`; west to east, then south to north. */
function waterOf(hex) {
  const [x, y] = centre(hex)
  const frame = { left: x - 62, right: x + 62, top: y - 54, bottom: y + 54 }
  const near = tileAt(x, y)
    .map((ring) => framed(ring, frame))
    .filter((ring) => ring.length > 2)
  const found = []
  for (let i = -12; i <= 12; i++) {
    for (let j = -10; j <= 10; j++) {
      const [dx, dy] = [i * SAMPLE, j * SAMPLE]
      if (Math.sqrt(3) * Math.abs(dx) + Math.abs(dy) > 100) continue
      if (!near.some((ring) => inside([x + dx, y - dy], ring))) found.push([i, j])
    }
  }
  return found
}

const AROUND = [-1, 0, 1].flatMap((di) => [-1, 0, 1].map((dj) => [di, dj]))

/** Points that touch each other, in the order of the first of each group. */
function groups(points) {
  const left = new Map(points.map((point) => [point.join(), point]))
  const found = []
  for (const point of points) {
    if (!left.delete(point.join())) continue
    const group = [point]
    for (const [i, j] of group) {
      for (const [di, dj] of AROUND) {
        const key = `${i + di},${j + dj}`
        const next = left.get(key)
        if (next && left.delete(key)) group.push(next)
      }
    }
    found.push(group)
  }
  return found
}

/** The point of a group farthest from all that is not in it and inside its hex; nearer the middle where that is equal. */
function deepest(group) {
  const key = (i, j) => 100 * i + j
  const own = new Set(group.map(([i, j]) => key(i, j)))
  const round = (i, j, r) => {
    for (let d = -r; d <= r; d++) {
      if (!own.has(key(i + d, j - r)) || !own.has(key(i + d, j + r)) || !own.has(key(i - r, j + d)) || !own.has(key(i + r, j + d))) {
        return false
      }
    }
    return true
  }
  const worth = ([i, j]) => {
    let free = 0
    while (round(i, j, free + 1)) free++
    // A fleet that lies right at the edge of its hex seems to be in the next one.
    return free - 0.06 * Math.hypot(i, j)
  }
  let [best, most] = [group[0], -Infinity]
  for (const point of group) {
    const found = worth(point)
    if (found > most) [best, most] = [point, found]
  }
  return best
}

function towards(hex, other) {
  const [[x, y], [ax, ay]] = [centre(hex), centre(other)]
  return [ax - x, y - ay]
}

/** How well a group of water fits a coast: it touches the sides by which the coast is left. */
function fit(group, coast) {
  const links = (hexes.links[coast] ?? []).map((one) => towards(coast.slice(0, 4), one.slice(0, 4)))
  return links.reduce((sum, [x, y]) => {
    const far = Math.hypot(x, y)
    return sum + Math.max(...group.map(([i, j]) => ((i * x + j * y) * SAMPLE) / far)) - 50
  }, 0)
}

/** Nodes to where a fleet lies, from the centre of the hex, in steps of `SAMPLE`, y to the south; the open sea is left out. */
const anchors = {}
const letters = hexes.kind_rows.flatMap((row, y) =>
  [...row].map((kind, x) => [kind, `${String(x).padStart(2, '0')}${String(y).padStart(2, '0')}`]),
)
const dry = new Set(hexes.no_sea)
for (const [kind, hex] of letters) {
  if (kind !== 'h' || dry.has(hex)) continue
  const nodes = hexes.coasts[hex] ?? [hex]
  const found = groups(waterOf(hex))
  if (!found.length) continue
  if (nodes.length === 1) {
    const [i, j] = deepest(found.reduce((best, one) => (one.length > best.length ? one : best)))
    anchors[hex] = [i, -j]
    continue
  }
  // Waters that are no node, lakes, are not counted among the coasts: which is which their links tell.
  const free = [...found]
  for (const node of nodes) {
    if (!free.length) break
    const best = free.reduce((one, other) => (fit(other, node) > fit(one, node) + 1e-9 ? other : one))
    const group = found.length === nodes.length ? found[nodes.indexOf(node)] : best
    free.splice(free.indexOf(best), 1)
    const [i, j] = deepest(group)
    anchors[node] = [i, -j]
  }
}

/** Latitude and longitude of a point of the map, the longitude from 0 to 360. */
function onGlobe([x, y]) {
  const [east, north] = [x + grid.origin_x, grid.origin_y - y]
  const far = Math.hypot(east, north)
  const [angle, middle] = [2 * Math.asin(far / (2 * projection.radius_nm)), rad(projection.lat0)]
  const part = far ? north / far : 0
  const lat = Math.asin(Math.cos(angle) * Math.sin(middle) + part * Math.sin(angle) * Math.cos(middle))
  const lon = Math.atan2(east * Math.sin(angle), far * Math.cos(middle) * Math.cos(angle) - north * Math.sin(middle) * Math.sin(angle))
  return [(lat * 180) / Math.PI, ((((lon * 180) / Math.PI + projection.lon0 + 360) % 360) + 360) % 360]
}

/** All that can be seen round an area: its sheet (`plan.ts`) in a window of any shape, and the shelf of coasts beyond. */
const SHEET = { margin: 45, least: 620, shapes: [0.62, 2.4], shelf: 70 }
function surroundings({ lat, lon }) {
  const within = ([south, north], value) => south <= value && value <= north
  const centres = letters
    .map(([, hex]) => centre(hex))
    .filter((point) => {
      const [north, east] = onGlobe(point)
      return within(lat, north) && within(lon, east)
    })
  const [xs, ys] = [centres.map(([x]) => x), centres.map(([, y]) => y)]
  const [west, east, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const across = east - west + 2 * (grid.row_step / Math.sqrt(3) + SHEET.margin)
  const down = bottom - top + grid.row_step + 2 * SHEET.margin
  const sheets = SHEET.shapes.map((shape) => {
    const tall = Math.max(down, across / shape, SHEET.least / Math.max(1, shape))
    return [tall * shape, tall]
  })
  const [width, height] = [0, 1].map((side) => Math.max(...sheets.map((sheet) => sheet[side])) / 2 + SHEET.shelf)
  const [x, y] = [(west + east) / 2, (top + bottom) / 2]
  return { left: x - width, right: x + width, top: y - height, bottom: y + height }
}

const coastlines = (smallest, tolerance) => rings.filter((ring) => area(ring) >= smallest).map((ring) => thinRing(ring, tolerance))
const fine = coastlines(SMALLEST, TOLERANCE)
function coastIn(frame, lines = fine) {
  return lines
    .map((ring) => framed(ring, frame))
    .filter((ring) => ring.length > 2)
    .map((ring) => written(ring, 1))
}

/** Names of waters and islands with where they are written, longitude east and latitude, and from how far they are read:
 * 0 from the farthest. */
const NAMES = [
  ['Pacific Ocean', 178, 30, 0],
  ['Coral Sea', 155, -16.5, 0],
  ['Philippine Sea', 133, 18, 0],
  ['South China Sea', 114, 13, 0],
  ['Bay of Bengal', 89, 13, 0],
  ['Indian Ocean', 92, -12, 0],
  ['Bering Sea', 178, 57, 0],
  ['Sea of Japan', 134.6, 40, 0],
  ['Sea of Okhotsk', 149, 54, 0],
  ['East China Sea', 124.5, 29, 0],
  ['Tasman Sea', 159, -34, 0],
  ['Arafura Sea', 135, -9.6, 0],
  ['Solomon Sea', 153, -8.2, 1],
  ['Bismarck Sea', 148.3, -3.9, 1],
  ['Java Sea', 111, -5, 1],
  ['Celebes Sea', 122, 3.6, 1],
  ['Banda Sea', 127, -5.6, 1],
  ['Timor Sea', 126.5, -11.5, 1],
  ['Sulu Sea', 120, 8.2, 1],
  ['Gulf of Alaska', 214, 57, 0],
  ['Hawaiian Islands', 205, 23.4, 0],
  ['Marshall Islands', 169.6, 9.6, 0],
  ['Gilbert Islands', 175, 0.4, 0],
  ['Caroline Islands', 149, 6.2, 0],
  ['Mariana Islands', 148.2, 17.3, 0],
  ['Aleutian Islands', 185, 53.5, 0],
  ['Kurile Islands', 151.5, 45.5, 0],
  ['New Hebrides', 169.6, -17, 0],
  ['Solomon Islands', 161.8, -7.2, 0],
  ['New Guinea', 142.2, -5.6, 0],
  ['Australia', 146, -22, 0],
  ['New Caledonia', 164.2, -22.6, 1],
  ['New Britain', 150.4, -5.6, 1],
  ['New Ireland', 151.7, -3.3, 2],
  ['Bougainville', 155.3, -6.2, 2],
  ['Choiseul', 157.1, -7, 2],
  ['Santa Isabel', 159.3, -8.1, 2],
  ['New Georgia', 157.6, -8.4, 2],
  ['Guadalcanal', 160.3, -9.7, 2],
  ['Malaita', 161.1, -9, 2],
  ['San Cristobal', 161.9, -10.6, 2],
  ['Rennell', 160.3, -11.7, 2],
  ['Louisiade Archipelago', 153.6, -11.5, 2],
  ['Hawaii', 204.4, 19.6, 2],
  ['Maui', 203.7, 20.8, 2],
  ['Kauai', 200.4, 22.1, 2],
  ['Borneo', 114, 0.8, 0],
  ['Sumatra', 102, -0.8, 0],
  ['Java', 110.5, -7.3, 1],
  ['Celebes', 120.6, -2.4, 1],
  ['Luzon', 121, 16.4, 1],
  ['Mindanao', 125, 7.6, 1],
  ['Formosa', 121, 23.8, 1],
  ['Honshu', 138.6, 36.4, 0],
  ['Hokkaido', 142.8, 43.4, 1],
  ['Kyushu', 131, 32.7, 1],
  ['Ceylon', 80.8, 7.6, 1],
  ['New Zealand', 175.4, -39, 0],
  ['Fiji', 178, -17.6, 1],
  ['Samoa', 188, -13.3, 1],
  ['Tonga', 184.6, -20.6, 1],
]
const names = NAMES.map(([name, lon, lat, near]) => [name, ...onMap([lon, lat]).map(Math.round), near])

const bands = [1, 3, 5, 7, 10]
const rows = Object.entries(tables.search.detect_if_d10_at_most).filter(([kind]) => kind !== 'bands')
const reach = Object.fromEntries(rows.map(([kind, row]) => [kind, Math.max(...bands.filter((_, place) => row[place] !== null))]))
const { battle_cycle: allowance } = tables.movement

/** A number from −18 to 18 as a letter. */
const letter = (value) => String.fromCharCode(85 + value)
const places = map.locations.map(({ id, name, lat, lon, hex, port, airbase, terrain, homeland }) => {
  const [[x, y], [cx, cy]] = [onMap([lon, lat]), centre(hex)]
  return [id, name, hex, Math.round(x - cx), Math.round(y - cy), port ?? 0, airbase ?? 0, terrain, homeland ? 1 : 0]
})

write(
  'pacific_war',
  `// Made by dev/pacific_war.mjs at every build from world-atlas and domain/pacific_war/data. Do not edit.

/** Columns and rows of the map, and from one to the next; odd columns lie half a row further south. */
export const GRID = ${JSON.stringify({ columns: grid.columns, rows: grid.rows, across: grid.column_step, down: grid.row_step })} as const

/** Row by row, from the west: s sea, h shore, l land. */
export const KINDS: readonly string[] = ${JSON.stringify(hexes.kind_rows)}

/** Row by row the terrain on land, each a letter of \`TERRAINS\`. */
export const TERRAIN: readonly string[] = ${JSON.stringify(hexes.terrain_rows)}
export const TERRAINS: Readonly<Record<string, string>> = ${JSON.stringify(hexes.terrain_letters)}

/** Hexes with several coasts, to their nodes. */
export const COASTS: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(hexes.coasts)}

/** Hexes without a node though they are no land; pairs of hexes between which no fleet passes. */
export const DRY: readonly string[] = ${JSON.stringify(hexes.no_sea)}
export const CLOSED: readonly string[] = ${JSON.stringify(hexes.sea_closed.map((pair) => pair.join(' ')))}

/** All neighbours of the nodes of which the other rules do not tell. */
export const LINKS: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(Object.entries(hexes.links).map(([node, list]) => [node, list.join(' ')])))}

/** Where a fleet lies in its hex: nodes with two letters, steps of ${SAMPLE} units east and south of the centre, U for none. */
export const ANCHORS = ${JSON.stringify(
    Object.entries(anchors)
      .map(([node, [i, j]]) => node + letter(i) + letter(j))
      .join(' '),
  )}

/** Id, name, hex, units east and south of its centre, size of port and airbase, terrain, whether it is homeland. */
export const PLACES: readonly (readonly [string, string, string, number, number, number, number, string, number])[] = ${JSON.stringify(places)}

/** Name, where its middle is written, and from how far it is read: 0 from the farthest. */
export const NAMES: readonly (readonly [string, number, number, number])[] = ${JSON.stringify(names)}

/** Kind of a source of search to the most hexes at which it finds something. */
export const REACH: Readonly<Record<string, number>> = ${JSON.stringify(reach)}

/** Speed class to the hexes of a movement phase. */
export const ALLOWANCE: Readonly<Record<string, number>> = ${JSON.stringify(allowance)}
`,
)
for (const folder of ['coasts', 'printed']) {
  mkdirSync(join(dirname(fileURLToPath(import.meta.url)), '..', 'src', 'titles', 'pacific_war', folder), { recursive: true })
}
/** Where a scenario has no area, the whole map is its. */
const coasts = scenarios.map(({ id, area: limits }) => [limits ? id : 'whole', limits])
for (const [name, limits] of new Map(coasts)) {
  const lines = limits ? coastIn(surroundings(limits)) : coastIn(FRAME, coastlines(COARSE.smallest, COARSE.tolerance))
  write(
    'pacific_war',
    `// Made by dev/pacific_war.mjs at every build from world-atlas. Do not edit.

/** Coastlines as rings: the first point, then steps from point to point, in units. */
export const COAST: readonly string[] = ${JSON.stringify(lines)}
`,
    `coasts/${name}.ts`,
  )
}

const units = ['naval', 'air', 'ground'].flatMap((kind) => JSON.parse(readFileSync(join(data, `units-${kind}.json`), 'utf8')).units)
/** The units of the war that come after its start; a part of a division is no unit of its own, a carrier's group comes with her. */
const comers = (start) => units.filter((one) => one.arrive > start && one.base && !one.carrier && !one.id.includes('.'))

/** When units come, and where: by side, month, base and day. */
function arrivals({ type, start_month: start, reinforcements = [] }) {
  const rows =
    type === 'strategic'
      ? comers(start).map(({ arrive, side, base, id }) => ({ month: arrive, side, at: base, units: [id] }))
      : reinforcements
  const found = new Map()
  for (const { month, side, at, day = 0, units: ids } of rows) {
    const key = [side, month, at, day].join()
    found.set(key, [side, month, day, at, [...(found.get(key)?.[4] ?? []), ...ids].sort()])
  }
  return [...found.values()].sort(([, one], [, other]) => (one < other ? -1 : Number(one > other)))
}

const staffs = JSON.parse(readFileSync(join(data, 'headquarters.json'), 'utf8')).headquarters

for (const one of scenarios.filter(({ start_month: start }) => start)) {
  write(
    'pacific_war',
    `// Made by dev/pacific_war.mjs at every build from domain/pacific_war/data. Do not edit.

/** Whose units come, in which month, the first day on which they may be activated (0: any), the base for which they are listed, their ids. */
export const ARRIVALS: readonly (readonly ['JP' | 'AL', string, number, string, readonly string[]])[] = ${JSON.stringify(arrivals(one))}

/** What the tables of dates change after the first month: from which month, whose, of which table, which part of it, before, from then on. */
export const DUES: readonly (readonly [string, 'JP' | 'AL', string, string, number, number])[] = ${JSON.stringify(dues(one, tables, staffs))}
`,
    `printed/${one.id}.ts`,
  )
}
write(
  'pacific_war',
  `// Made by dev/pacific_war.mjs at every build from domain/pacific_war/data. Do not edit.

/** The places with a resource hex. */
export const RESOURCES: readonly string[] = ${JSON.stringify(map.locations.filter(({ resource }) => resource).map(({ id }) => id))}

/** Boxes beyond the map, to the ports by which one comes in. */
export const ENTRIES: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(Object.fromEntries(map.boxes.map(({ id, entry }) => [id, entry])))}
`,
  'printed/places.ts',
)
write(
  'pacific_war',
  `// Made by dev/pacific_war.mjs at every build from domain/pacific_war/data. Do not edit.

/** What the Allies may share out in a month of the war, from each purse. */
export const PURSES: Readonly<Record<string, Readonly<Record<string, number>>>> = ${JSON.stringify(
    Object.fromEntries(
      Object.entries(tables.command_points.allied_us).map(([month, US]) => [month, { US, CW: tables.command_points.allied_cw[month] }]),
    ),
  )}
`,
  'printed/purses.ts',
)
