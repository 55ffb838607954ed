/** Names in sentences: `The United States won`, but `Japan won`. */

/** A name with the article it has at the beginning of a sentence, as `domain.kernel.seats.the` gives it within one. */
export function withArticle(name: string): string {
  const found = the(name)
  return found === name ? name : `The ${name}`
}

/** A name with the article it has within a sentence. */
export function the(name: string): string {
  return /(s| Coast)$/.test(name) ? `the ${name}` : name
}
