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

// Maximum size, in bytes, of a masked name in JSON, which keeps a live-stream message below 1.5 kB.
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
 * Limits a masked name, such as `a***e`, to 100 bytes as JSON, by cutting its first and last character to one code
 * point each.
 */
export function boundBidder(masked: string): string {
  if (Buffer.byteLength(JSON.stringify(masked)) <= maxBidderBytes) return masked
  const [first = '', last = ''] = masked.split('***')
  return [first, last].map((character) => Array.from(character)[0] ?? '').join('***')
}
