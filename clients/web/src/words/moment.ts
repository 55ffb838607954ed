/** A moment days ahead in words. Apart from other times, as the lobby has none. */

const MOMENT = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' })

/** By the reader's clock: "Wednesday 2 December at 14:05". Microseconds since the epoch come in. */
export const momentWords = (microseconds: number): string => MOMENT.format(microseconds / 1000)
