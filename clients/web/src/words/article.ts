/** Names in sentences: `The United States won`, but `Japan won`. */

/** A name with the article it has at the beginning of a sentence. */
export function withArticle(name: string): string {
  return the(name).replace(/^the /, 'The ')
}

/** A name with the article it has within a sentence, as `domain.kernel.seats.the` gives it. `said` stands in its place
 * where the name itself comes later, as an id in brackets. */
export function the(name: string, said = name): string {
  return /(s| Coast)$/.test(name) ? `the ${said}` : said
}
