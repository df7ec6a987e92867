import { newId } from '@marketplace/kit/values/ids.ts'
import type { Harness } from './harness.ts'

/**
 * Fields of an auction that live subscribers get. The fake catalog service returns the same fields for every listing
 * id.
 */
export interface FakeAuction {
  is_auction: boolean
  auction_end_date: string
  current_bid: number | null
  bid_count: number
  is_active: boolean
}

export const openAuction: FakeAuction = {
  is_auction: true,
  auction_end_date: new Date(Date.now() + 3_600_000).toISOString(),
  current_bid: null,
  bid_count: 0,
  is_active: true,
}

/** One bid of an auction's history, as the fake auction service returns it. */
export interface FakeBid {
  id: string
  amount: number
  is_winning: boolean
  created_at: string
  bidder: string
}

/** Returns a history of `count` bids, highest first. Each amount is $1.00 above the previous one. */
export function bidHistory(count: number, bidder = 'a***e'): FakeBid[] {
  return Array.from({ length: count }, (_, place) => ({
    id: newId(),
    amount: 1000 + (count - place) * 100,
    is_winning: place === 0,
    created_at: new Date().toISOString(),
    bidder,
  }))
}

/**
 * Makes the fake catalog service return an auction and the fake auction service return its bids, in the formats of
 * their public APIs.
 */
export function serveAuction(
  { upstreams }: Harness,
  given: Partial<FakeAuction> = {},
  bids: readonly FakeBid[] = bidHistory(given.bid_count ?? 0),
): void {
  upstreams.catalog.respond = ({ url }) => ({ ...openAuction, ...given, id: url.split('/').at(-1) })
  upstreams.auction.respond = () => bids
}
