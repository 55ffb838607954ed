/** How much of the board lies under notices just now, from its upper edge; pixels. */
export const covered = $state({ board: 0 })
