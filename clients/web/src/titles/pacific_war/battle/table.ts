/** The combat table (P3.1), which every attack uses: hits by column and face. */

const ROWS: readonly string[] = [
  '1 1 0 0 0 0 0 0 0 0',
  '2 1 1 0 0 0 0 0 0 0',
  '2 2 1 1 1 0 0 0 0 0',
  '3 2 2 1 1 1 1 0 0 0',
  '4 3 2 2 2 1 1 1 0 0',
  '5 4 3 3 2 2 1 1 1 0',
  '6 5 4 4 3 3 2 2 1 0',
  '8 6 5 5 4 4 3 2 2 1',
  '10 8 7 6 5 5 4 3 2 2',
  '12 10 9 8 7 6 5 4 3 2',
  '15 12 11 10 9 7 6 5 4 3',
  '18 15 13 12 11 9 8 6 5 3',
]

/** Hits of each column, from column 1 on, by face. */
export const COLUMNS: readonly (readonly number[])[] = ROWS.map((row) => row.split(' ').map(Number))
/** The least strength of each column. */
export const LEAST: readonly number[] = [1, 2, 3, 5, 7, 10, 14, 19, 26, 35, 46, 61]

/** The face that a recorded die shows: a 10 is the face 0 (P0.2). */
export function faceOf(die: number, sides: number): number {
  return sides === 10 ? die % 10 : die
}

/** The column that a roll's target names, 0 for none; null where it is no roll on the table. A single ship's target also names
 * whom she fires at. */
export function columnOf(target: string): number | null {
  const found = /^(?:no column|column (\d+))(?: at .+)?$/.exec(target)
  return found && Number(found[1] ?? 0)
}

/** The hits of a face in a column that is shifted already. */
export function hits(column: number, face: number): number {
  return COLUMNS[column - 1]?.[face] ?? 0
}

/** The column of a strength before any shift; 0 for none. */
export function columnFor(strength: number): number {
  return LEAST.filter((least) => strength >= least).length
}

/** A term of a sum as players read it: "+1", "−2", "0". */
export function signed(value: number): string {
  return value < 0 ? `−${-value}` : value > 0 ? `+${value}` : '0'
}

/** A column that is shifted already, and by what: "column 2 after −2 night, +1 date". */
export function columnWords(column: number, shifts: readonly { reason: string; amount: number }[]): string {
  const by = shifts.map((one) => `${signed(one.amount)} ${one.reason}`).join(', ')
  return `${column ? `column ${column}` : 'no column'}${by && ` after ${by}`}`
}
