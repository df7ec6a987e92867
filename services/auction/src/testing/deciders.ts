import { lockedDecider } from '../bid/locked-decider.ts'
import { createBidDecider } from '../bid/place-bid.ts'

/**
 * The race tests run with each of these deciders. Production uses the optimistic path, which falls back to the locked
 * decider.
 */
export const deciders = [
  { path: 'the locked decider alone', createDecider: lockedDecider },
  { path: 'the optimistic path', createDecider: createBidDecider },
]
