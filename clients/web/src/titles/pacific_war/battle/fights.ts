/** What is drawn of battles: loaded once the cycle comes to them, so that it is there when something is fought. */

export { default as Ground } from './Ground.svelte'
export { default as Muster } from './Muster.svelte'
export { default as Naval } from './Naval.svelte'
export { default as Strike } from './Strike.svelte'
