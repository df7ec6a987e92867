import { lockedDecider } from '../bid/locked-decider.ts'
import { createBidDecider } from '../bid/place-bid.ts'

/** The race suites run with each of these: the decider of production, and the one it falls back to. */
export const deciders = [
  { path: 'the locked decider alone', createDecider: lockedDecider },
  { path: 'the optimistic path', createDecider: createBidDecider },
]
