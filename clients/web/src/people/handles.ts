/** Handles: what a person is found by. */

export const SHORTEST = 3
export const LONGEST = 20

/** What a field for one takes. */
export const HANDLE = {
  pattern: `[a-z0-9_]{${SHORTEST},${LONGEST}}`,
  maxlength: LONGEST,
  title: `${SHORTEST} to ${LONGEST} of a–z, 0–9 and _`,
  autocapitalize: 'none',
  spellcheck: false,
} as const

const WORDS = ['admiral', 'captain', 'ensign', 'helm', 'lookout', 'navigator', 'pilot', 'signals']

export function isHandle(text: string): boolean {
  return new RegExp(`^${HANDLE.pattern}$`).test(text)
}

/** A handle made of a name, or of chance where the name has too little for one. */
export function suggested(name: string, chance: () => number = Math.random): string {
  const made = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\s.-]+/g, '_')
    .replaceAll(/[^a-z0-9_]/g, '')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, LONGEST)
  return isHandle(made) ? made : another(WORDS[Math.floor(chance() * WORDS.length)]!, chance)
}

/** Another one like it, where it is taken. */
export function another(handle: string, chance: () => number = Math.random): string {
  return `${handle.replace(/_?\d+$/, '').slice(0, LONGEST - 5)}_${1000 + Math.floor(chance() * 9000)}`
}
