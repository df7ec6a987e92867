import { conflict, missing, unavailable } from '@marketplace/kit/problem.ts'
import type { Log } from '@marketplace/kit/log.ts'
import { Cents } from '@marketplace/kit/money.ts'
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

/** Reads an auction through catalog's public answer, as somebody whom no view is counted for. */
export function auctionReader(catalogUrl: string, timeoutMs: number, log: Log): ReadAuction {
  return async (listingId) => {
    const listing = await readListing(new URL(`/api/listings/${listingId}`, catalogUrl), timeoutMs).catch(
      (error: unknown) => {
        log.warn({ err: error, listingId }, 'a listing could not be read for its watchers')
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
      // The answer has no number. This one is right while the auction is open, since until then only bids raise it, and
      // never above the true one, so that no client takes news for something older.
      number: listing.bid_count,
    }
  }
}

async function readListing(url: URL, timeoutMs: number): Promise<z.output<typeof Listing> | null> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' })
  const body: unknown = await response.json()
  if (response.status === 404) return null
  if (!response.ok) throw new Error(`Catalog answered ${response.status}.`)
  return Listing.parse(body)
}
