/** A rulebook as its players read it. Its source also holds what is for engines and their authors:
 *
 * - `<!-- engine -->` … `<!-- /engine -->` encloses it, in a line or around blocks and whole chapters, never nested. A column
 *   of a table goes where its head is enclosed whole, a row where nothing else is in it, and a chapter with all it held.
 * - `[S, X]` or `[source; …]` after a rule says where it comes from.
 *
 * Its months are numbers, as in the titles' data, and are read as names. */

import { monthName } from '../words/months'

/** What stood in a cell of a table that is left out. */
export const LEFT_OUT = '\u0001'

/** Up to the next mark and never beyond it, whatever else has to follow. */
const ENGINE = /<!-- engine -->(?:(?!<!-- \/engine -->)[^])*<!-- \/engine -->/g
/** The same at the beginning of a line: it goes with the line if it fills it, so that a paragraph around it goes on. */
const ENGINE_LINES = new RegExp(String.raw`^[ \t]*(?:${ENGINE.source}[ \t]*)+\n?`, 'gm')
const ENGINE_CELL = new RegExp(String.raw`(?<=\|)[ \t]*${ENGINE.source}[ \t]*(?=\|)`, 'g')
const ORIGIN = /[ \t]*\n?[ \t]*\[(?:[SPHX](?:, ?[SPHX])*(?:;[^\]]*)?|(?:source|public|house)\b[^\]]*)\](?!\()/g

const MONTH = /\b19\d\d-(?:0[1-9]|1[0-2])\b/g

export function forPlayers(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(ENGINE_LINES, '')
    .replace(ENGINE_CELL, ` ${LEFT_OUT} `)
    .replace(ENGINE, '')
    .replace(ORIGIN, '')
    .replace(MONTH, monthName)
    .replace(/(?<=\S) {2,}(?=\S)/g, ' ')
    .replace(/ +(?=[.,;:)](\s|$))/gm, '')
}

/** A table without the columns and rows that are left out. */
export function cellsForPlayers(rows: readonly string[][]): string[][] {
  const [head = []] = rows
  return rows
    .map((row) => row.filter((_, column) => head[column] !== LEFT_OUT).map((cell) => (cell === LEFT_OUT ? '' : cell)))
    .filter((row, place) => place === 0 || row.some(Boolean))
}
