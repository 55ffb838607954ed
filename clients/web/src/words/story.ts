/** The story of a unit as it is read: by day, and legs that follow on each other as one. */

import type { StoryLine } from '../protocol/wire'

export interface Day {
  when: string
  lines: StoryLine[]
}

const LEG = /^(.+ to )(\[[^\]]+\](?:, coast \w)?|hex \d{4}(?:, coast \w)?)$/

/** Whether a line is a leg that goes on from the one before: "Sailed with [J1] to hex 4937". */
function goesOn(line: StoryLine, before: StoryLine): boolean {
  const [here, there] = [LEG.exec(line.words), LEG.exec(before.words)]
  return line.chapter === before.chapter && line.kind === 'moved' && before.kind === 'moved' && here !== null && here[1] === there?.[1]
}

/** Legs in a row as one line, which names its last fact: "Sailed with [J1] to hex 4937, [rekata]". */
export function legs(lines: readonly StoryLine[]): StoryLine[] {
  const found: StoryLine[] = []
  let before: StoryLine | null = null
  for (const line of lines) {
    const last = found.at(-1)
    if (last && before && goesOn(line, before)) {
      found[found.length - 1] = { ...last, seq: line.seq, words: `${last.words}, ${LEG.exec(line.words)![2]}` }
    } else found.push(line)
    before = line
  }
  return found
}

/** By the day on which each began. */
export function days(lines: readonly StoryLine[]): Day[] {
  const found: Day[] = []
  for (const line of legs(lines)) {
    if (found.at(-1)?.when === line.when) found.at(-1)!.lines.push(line)
    else found.push({ when: line.when, lines: [line] })
  }
  return found
}
