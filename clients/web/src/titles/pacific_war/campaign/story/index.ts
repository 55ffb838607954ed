/** What the chapters of a campaign came to, for its log and for whoever comes back; loaded with the first campaign. */

export { default as Digest } from './Digest.svelte'
export { default as Since } from './Since.svelte'
export { told } from './told.svelte'
