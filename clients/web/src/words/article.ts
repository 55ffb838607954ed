/** Names in sentences: `The United States won`, but `Japan won`. */

/** A name with the article it has at the beginning of a sentence, as `domain.kernel.seats.the` gives it within one. */
export function withArticle(name: string): string {
  return /(s| Coast)$/.test(name) ? `The ${name}` : name
}
