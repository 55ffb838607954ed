/** What only a campaign says, as it is loaded. */

export { boatCard } from './boats'
export * from './chapters'
export * from './choices'
export { pointsOf } from './figures'
export * from './months'
