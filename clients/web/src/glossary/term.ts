/** What the words of a title mean, and where a sentence uses them. */

export interface Term {
  /** As the glossary lists it. */
  name: string
  /** Other forms in which it occurs; a plural in -s is found by itself. */
  forms?: readonly string[]
  /** One or two short sentences. */
  gloss: string
  /** The rule that says more; none for a word of the house. */
  rule?: string
  /** Too common to be marked wherever it stands: it is in the list alone. */
  common?: boolean
}

/** A piece of a sentence: the term of the glossary that it is, or '' for what stands between. */
export interface Cut {
  text: string
  term: string
}

/** Short forms in capitals are words of their own, however else the same letters are used. */
function pattern(form: string): string {
  if (!/[a-z]/.test(form)) return form
  const [first] = form
  return `[${first!.toUpperCase()}${first!.toLowerCase()}]${form.slice(1)}s?`
}

export class Lexicon {
  private readonly known = new Map<string, Term>()
  /** All forms in one, the longest first. */
  private readonly forms: RegExp

  constructor(
    readonly title: string,
    readonly terms: readonly Term[],
  ) {
    for (const term of terms) for (const form of [term.name, ...(term.forms ?? [])]) this.known.set(form.toLowerCase(), term)
    const marked = terms.filter((term) => !term.common).flatMap((term) => [term.name, ...(term.forms ?? [])])
    const longest = marked.sort((one, other) => other.length - one.length)
    this.forms = new RegExp(String.raw`(?<![\w-])(?:${longest.map(pattern).join('|')})(?![\w-])`, 'g')
  }

  find(form: string): Term | undefined {
    const text = form.toLowerCase()
    return this.known.get(text) ?? this.known.get(text.replace(/s$/, ''))
  }

  /** Cuts a text at the terms in it, each marked once: `seen` has those of the line so far. */
  cut(text: string, seen: Set<string>): Cut[] {
    const found: Cut[] = []
    let from = 0
    for (const match of text.matchAll(this.forms)) {
      const { name } = this.find(match[0])!
      if (seen.has(name)) continue
      seen.add(name)
      if (match.index > from) found.push({ text: text.slice(from, match.index), term: '' })
      found.push({ text: match[0], term: name })
      from = match.index + match[0].length
    }
    if (from < text.length) found.push({ text: text.slice(from), term: '' })
    return found
  }
}
