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

// Maximum size in bytes of a masked name as JSON. Longer names are shortened, so that a live-stream message with the
// state of an auction stays below 1.5 kB. A name can be long because one visible character may consist of many code
// points.
const maxBidderBytes = 100

/**
 * Merges two lists of bids of one auction and returns the newest ones, highest first. The order of merges and repeated
 * merges do not affect the result.
 */
export function mergeBids(one: readonly BidLine[], other: readonly BidLine[]): readonly BidLine[] {
  if (other.length === 0) return one
  const lines = new Map([...one, ...other].map((line) => [line.id, line]))
  return [...lines.values()].toSorted((left, right) => right.amount - left.amount).slice(0, maxBids)
}

/**
 * Shortens a masked name, such as `a***e`, that takes more than 100 bytes as JSON. The character before and the
 * character after the asterisks are each cut to their first code point.
 */
export function boundBidder(masked: string): string {
  if (Buffer.byteLength(JSON.stringify(masked)) <= maxBidderBytes) return masked
  const [first = '', last = ''] = masked.split('***')
  return [first, last].map((character) => Array.from(character)[0] ?? '').join('***')
}
