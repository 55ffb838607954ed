/** The coastlines round a scenario's area, or of the whole map: much to load, so the map is there before them, and they are read
 * once. */

import type { Plan } from '../plan'

interface Ring {
  d: string
  left: number
  top: number
  right: number
  bottom: number
}

const FILES = import.meta.glob<{ COAST: readonly string[] }>('../coasts/*.ts')

let rings = $state.raw<Readonly<Record<string, readonly Ring[]>>>({})
const asked = new Set<string>()

function read(ring: string): Ring {
  const steps = ring.split(' ').map(Number)
  let [x, y] = [0, 0]
  const bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  const points: string[] = []
  for (let place = 0; place < steps.length; place += 2) {
    x += steps[place]!
    y += steps[place + 1]!
    bounds.left = Math.min(bounds.left, x)
    bounds.right = Math.max(bounds.right, x)
    bounds.top = Math.min(bounds.top, y)
    bounds.bottom = Math.max(bounds.bottom, y)
    points.push(`${x} ${y}`)
  }
  return { d: `M${points.join('L')}Z`, ...bounds }
}

async function load(scenario: string): Promise<void> {
  const found = await (FILES[`../coasts/${scenario}.ts`] ?? FILES['../coasts/whole.ts'])?.()
  if (found) rings = { ...rings, [scenario]: found.COAST.map(read) }
}

/** A shelf round a coast comes into sight from so far outside. */
const NEAR = 40

/** The coasts that come into a sheet as one path; '' until they are loaded. */
export function coastOf(scenario: string, { left, top, width, height }: Pick<Plan, 'left' | 'top' | 'width' | 'height'>): string {
  if (!asked.has(scenario)) {
    asked.add(scenario)
    // Without them the hexes still say what is land.
    void load(scenario).catch(() => asked.delete(scenario))
  }
  return (rings[scenario] ?? [])
    .filter(
      (ring) => ring.right > left - NEAR && ring.left < left + width + NEAR && ring.bottom > top - NEAR && ring.top < top + height + NEAR,
    )
    .map(({ d }) => d)
    .join('')
}
