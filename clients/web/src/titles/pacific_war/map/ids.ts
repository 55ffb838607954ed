/** What the page calls the things that are clicked and have no id of their own. What is done with a unit, once it is picked,
 * is picked in the tray: `cap:cvg_shokaku:2`. */

/** A node, as a goal. */
export const AT = 'at:'
/** A hex on land, as a goal. */
export const HEX = 'hex:'
/** What is picked of a row of numbers. */
export const MANY = 'many:'
/** So many points for the pool of a later Operation. */
export const POOL = 'pool:'
/** A headquarters, on the boards where its points are shared out or bid. */
export const HQ = 'hq:'
/** Confirms a way on which something may happen. */
export const SAIL = 'go:sail'

/** What is done with what is picked, by the first part of its id. */
const ACTS = [
  'cap',
  'add',
  'para',
  'kind',
  'ferry',
  'search',
  'embark',
  'ashore',
  'transfer',
  'join',
  'bombard',
  'demolish',
  'off',
  'new',
  'on',
  'back',
  'many',
  'pool',
  'do',
] as const

/** Whether an id stands for what is done with something, in the tray. */
export function isAct(id: string): boolean {
  return id.includes(':') && (ACTS as readonly string[]).includes(id.split(':')[0]!)
}
