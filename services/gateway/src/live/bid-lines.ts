import type { Cents } from '@marketplace/kit/values/money.ts'

/** One accepted bid as other users see it. */
export interface BidLine {
  id: string
  amount: Cents
  placedAt: string
  /** Masked name, such as `a***e`. */
  bidder: string
}

/** Maximum number of bids in one message of an auction's live stream. */
export const maxBids = 5

// Maximum size of a masked name in JSON, in bytes, so that a live-stream message stays below 1.5 kB even if a visible
// character consists of many code points.
const maxBidderBytes = 100

/**
 * Merges two lists of bids in one auction and returns the newest bids, highest first. The order of the lists does not
 * affect the result, and merging a list twice has no effect.
 */
export function mergeBids(one: readonly BidLine[], other: readonly BidLine[]): readonly BidLine[] {
  if (other.length === 0) return one
  const lines = new Map([...one, ...other].map((line) => [line.id, line]))
  return [...lines.values()].toSorted((left, right) => right.amount - left.amount).slice(0, maxBids)
}

/**
 * Shortens a masked name, such as `a***e`, if it exceeds 100 bytes as JSON. Each of its two visible characters is cut
 * to its first code point.
 */
export function boundBidder(masked: string): string {
  if (Buffer.byteLength(JSON.stringify(masked)) <= maxBidderBytes) return masked
  const [first = '', last = ''] = masked.split('***')
  return [first, last].map((character) => Array.from(character)[0] ?? '').join('***')
}
