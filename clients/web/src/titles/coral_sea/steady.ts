/** Lists of what is drawn, of which most stays as it was: an entry like the one of before is that one, so that
 * only what has changed is drawn anew. */

function alike(one: unknown, other: unknown): boolean {
  if (one === other) return true
  return Array.isArray(one) && Array.isArray(other) && one.length === other.length && one.every((item, place) => item === other[place])
}

export function steady<One extends { id: string }>(): (list: One[]) => One[] {
  let before = new Map<string, One>()
  return (list) => {
    const now = list.map((one) => {
      const was = before.get(one.id)
      const fields = Object.keys(one) as (keyof One)[]
      return was && fields.every((field) => alike(one[field], was[field])) ? was : one
    })
    before = new Map(now.map((one) => [one.id, one]))
    return now
  }
}
