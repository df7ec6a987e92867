import type { Cents } from '@marketplace/kit/values/money.ts'

/** One accepted bid as other users see it. */
export interface BidLine {
  id: string
  amount: Cents
  placedAt: string
  /** Masked name, such as `a***e`. */
  bidder: string
}

/** The number of bids in each state of a live stream. */
export const maxBids = 5

// Keeps a state below 1.5 kB: one character of a name may consist of many code points.
const maxBidderBytes = 100

/** Merges bids of one auction to its newest, highest first. The operation is commutative and idempotent. */
export function mergeBids(one: readonly BidLine[], other: readonly BidLine[]): readonly BidLine[] {
  if (other.length === 0) return one
  const lines = new Map([...one, ...other].map((line) => [line.id, line]))
  return [...lines.values()].toSorted((left, right) => right.amount - left.amount).slice(0, maxBids)
}

/** Shortens a masked name of over 100 bytes of JSON to the first code points of its two characters. */
export function boundBidder(masked: string): string {
  if (Buffer.byteLength(JSON.stringify(masked)) <= maxBidderBytes) return masked
  const [first = '', last = ''] = masked.split('***')
  return [first, last].map((character) => Array.from(character)[0] ?? '').join('***')
}
