import { conflict, missing, unavailable } from '@marketplace/kit/errors/problem.ts'
import type { Log } from '@marketplace/kit/telemetry/log.ts'
import { Cents } from '@marketplace/kit/values/money.ts'
import { z } from 'zod'
import type { AuctionState } from './auction-state.ts'

const Listing = z.object({
  id: z.string(),
  is_auction: z.boolean(),
  auction_end_date: z.string().nullable(),
  current_bid: Cents.nullable(),
  bid_count: z.int(),
  is_active: z.boolean(),
})

export type ReadAuction = (listingId: string) => Promise<AuctionState>

/**
 * Creates a function that reads auctions from the catalog service's public API, without a viewer id, so that the reads
 * do not count as views.
 */
export function auctionReader(catalogUrl: string, timeoutMs: number, log: Log): ReadAuction {
  return async (listingId) => {
    const listing = await readListing(new URL(`/api/listings/${listingId}`, catalogUrl), timeoutMs).catch(
      (error: unknown) => {
        log.warn({ err: error, listingId }, 'listing read for live stream failed')
        throw unavailable('The live view')
      },
    )
    if (listing === null) throw missing('listing')
    const { auction_end_date: endsAt } = listing
    if (!listing.is_auction || endsAt === null) throw conflict('not_an_auction', 'This listing is not an auction.')
    return {
      listingId: listing.id,
      currentBid: listing.current_bid,
      bidCount: listing.bid_count,
      endsAt,
      isActive: listing.is_active,
      // The catalog does not return the auction's sequence number, so the bid count is used. The sequence number equals
      // the bid count while the auction is open, and is never lower.
      number: listing.bid_count,
      bids: [],
    }
  }
}

async function readListing(url: URL, timeoutMs: number): Promise<z.output<typeof Listing> | null> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' })
  const body: unknown = await response.json()
  if (response.status === 404) return null
  if (!response.ok) throw new Error(`Catalog responded with status ${response.status}.`)
  return Listing.parse(body)
}
