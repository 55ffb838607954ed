/** Rules by their numbers. Known before a title's folder is loaded, for prompts, the log and lists cite them. */

/** The letter before the numbers of a title's rules, where its log holds them without it. */
const LETTERS: Readonly<Record<string, string>> = { pacific_war: 'P' }

/** A rule as the title's rulebook numbers it. */
export function ruleName(number: string, title: string): string {
  return /^\d/.test(number) ? (LETTERS[title] ?? '') + number : number
}
