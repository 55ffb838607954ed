/** Drawings of what there is on the map, each about its middle and some fourteen units large. */

export const ANCHOR = 'M0-6.4a2 2 0 1 1 0 4M0-6.4a2 2 0 1 0 0 4M0-2.4V6.4M-3.4 0H3.4M-5.6 2.4C-5 5.6-2.6 6.4 0 6.4S5 5.6 5.6 2.4'
export const PLANE = 'M0-6.6l1.1 1.6.3 3.1L7-.2v1.9l-5.5-.5-.3 3.6 2 1.3v1L0 6.4l-3.2.7v-1l2-1.3-.3-3.6L-7 1.7V-.2l5.6-1.7.3-3.1z'
export const FORT = 'M-6 6V-5h3v2.4h1.6V-5h2.8v2.4H3V-5h3V6z'
export const SHIP = 'M-7 1.4H7L4.6 5.6H-5zM-4 1V-2h3V-5H1.4v3H4v3z'
export const TROOPS = 'M-6-4.6H6V4.6H-6zM-6-4.6L6 4.6M6-4.6L-6 4.6'
export const SUBMARINE = 'M-8 1.6C-8-.8-5-1.6-2-1.6V-5H2v3.4c3 0 6 .8 6 3.2S5 4.6 0 4.6-8 4-8 1.6Z'
export const EYE = 'M-5 0C-2.6-3.6 2.6-3.6 5 0 2.6 3.6-2.6 3.6-5 0ZM0-1.5A1.5 1.5 0 1 1 0 1.5 1.5 1.5 0 1 1 0-1.5Z'
