/** Months as people say them, and as the titles' data write them. */

const NAMES = 'January February March April May June July August September October November December'.split(' ')

/** "August 1942" of `1942-08`. */
export function monthName(month: string): string {
  const name = NAMES[Number(month.slice(5)) - 1]
  return name ? `${name} ${month.slice(0, 4)}` : month
}

/** `1942-08` of "August 1942", and of a day of it. */
export function monthOf(name: string): string {
  const [month = '', year = ''] = name.split(/,? /)
  return `${year}-${String(NAMES.indexOf(month) + 1).padStart(2, '0')}`
}
