/** JSON merge patches (RFC 7396), applied without changing what they are applied to: what a patch does not
 * touch is shared between the old view and the new one, so that a whole match of views fits in memory. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function patched<T>(target: T, change: unknown): T {
  if (!isObject(change)) return change as T
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(change)) {
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- this is how a merge patch removes something
    if (value === null) delete result[key]
    else result[key] = patched(Object.hasOwn(result, key) ? result[key] : undefined, value)
  }
  return result as T
}
