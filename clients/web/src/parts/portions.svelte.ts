/** A board that changes as a whole is drawn in portions, one with each frame: all at once would hold the page up. */

const PORTION = 12

/** Of a list what is to be drawn now: what was drawn before, and of the rest one portion more with each frame. */
export function inPortions<T extends { id: string }>(all: () => readonly T[]): () => T[] {
  let drawn = new Set<string>()
  let frames = $state(0)
  const now = $derived.by(() => {
    void frames
    let fresh = 0
    return all().filter(({ id }) => drawn.has(id) || fresh++ < PORTION)
  })
  $effect(() => {
    drawn = new Set(now.map(({ id }) => id))
    if (now.length === all().length) return
    const frame = requestAnimationFrame(() => frames++)
    return () => cancelAnimationFrame(frame)
  })
  return () => now
}
