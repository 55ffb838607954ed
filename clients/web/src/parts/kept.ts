/** Objects that stay the same while nothing in them changes: an item of a list that is the same object is not drawn anew. */

function same(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return Object.is(one, other)
  return one.length === other.length && one.every((item, place) => Object.is(item, other[place]))
}

/** Gives for each key the object of before where the one of now has the same fields; lists are compared item by item. */
export function keeper<T extends object>(): (key: string, now: T) => T {
  const kept = new Map<string, T>()
  return (key, now) => {
    const before = kept.get(key)
    const fields = Object.keys(now) as (keyof T)[]
    if (before && fields.length === Object.keys(before).length && fields.every((field) => same(before[field], now[field]))) return before
    kept.set(key, now)
    return now
  }
}
