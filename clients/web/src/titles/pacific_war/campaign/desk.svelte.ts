/** What of a campaign lies open beside the map, and whether its links are drawn; on a telephone the parts of a table come and go. */

export type Sheet = '' | 'calendar' | 'pools' | 'links' | 'trade'

interface Desk {
  sheet: Sheet
  /** Command Links are drawn on the map. */
  links: boolean
  /** The one headquarters whose links are drawn; '' for the nearest of each place. */
  hq: string
}

export const desk = $state<Desk>({ sheet: '', links: false, hq: '' })
