/** Whose colours a side has. Known before a title's folder is loaded, for lists and invitations show them, too. */

/** Titles whose first side is the American one. */
const US_FIRST = new Set(['nimitz'])

/** Whether a side has the US colours; else it has Japan's. */
export function isUs(title: string, side: number): boolean {
  return side > 0 !== US_FIRST.has(title)
}
