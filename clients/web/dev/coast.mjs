// Coastlines for the titles' maps: Natural Earth through the package `world-atlas`, cut out, thinned and rounded.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { feature } from 'topojson-client'

/** The outer rings of all land, in longitude and latitude; a ring ends before it is back where it began. */
export function land() {
  const world = JSON.parse(readFileSync(createRequire(import.meta.url).resolve('world-atlas/land-10m.json'), 'utf8'))
  const polygons = feature(world, world.objects.land).features.flatMap(({ geometry }) =>
    geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates,
  )
  return polygons.map(([outer]) => outer.slice(0, -1))
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

export function framed(ring, frame) {
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
export function thinRing(ring, tolerance) {
  const half = Math.floor(ring.length / 2)
  const [first, second] = [ring.slice(0, half + 1), [...ring.slice(half), ring[0]]]
  return [...thinned(first, tolerance).slice(0, -1), ...thinned(second, tolerance).slice(0, -1)]
}

export function area(ring) {
  return Math.abs(ring.reduce((sum, [x, y], place) => sum + x * ring.at(place - 1)[1] - ring.at(place - 1)[0] * y, 0)) / 2
}

/** The first point, then steps from point to point, in halves of a unit or in other parts of it. */
export function written(ring, parts = 2) {
  let [x, y] = [0, 0]
  return ring
    .flatMap((point) => {
      const [nextX, nextY] = point.map((value) => Math.round(value * parts))
      const step = [nextX - x, nextY - y]
      ;[x, y] = [nextX, nextY]
      return step
    })
    .join(' ')
}

/** Writes a file of a title, unless it says the same already. */
export function write(title, text, file = 'atlas.ts') {
  const target = join(dirname(fileURLToPath(import.meta.url)), '..', 'src', 'titles', title, file)
  if (!existsSync(target) || readFileSync(target, 'utf8') !== text) writeFileSync(target, text)
}
