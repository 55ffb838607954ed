/** What is read and drawn of battles: loaded once the cycle comes to them, so that it is there when something is fought. */

export { combatIn } from './ground'
export { default as Ground } from './Ground.svelte'
export { default as Muster } from './Muster.svelte'
export { battleIn } from './naval'
export { default as Naval } from './Naval.svelte'
export { missionIn } from './strike'
export { default as Strike } from './Strike.svelte'
