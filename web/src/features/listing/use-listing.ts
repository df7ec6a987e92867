import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listingQuery } from '../../api/queries/queries.ts'
import { retryInterval } from '../../api/queries/retry-interval.ts'
import type { ListingDetail } from '../../api/client/types.ts'

/** Interval at which a fixed-price listing, which has no live stream, is refetched. */
const fixedPriceRefreshMs = 10_000

// Interval at which an auction is refetched while its live stream is not connected: 2 to 3 s. It differs between pages,
// because a gateway ends all its streams at the same moment, and the pages would otherwise poll at the same moments.
const minAuctionRefreshMs = 2_000
const auctionRefreshSpreadMs = 1_000

function refreshInterval(listing: ListingDetail | undefined, isLive: boolean, auctionRefreshMs: number) {
  if (listing === undefined || !listing.is_active || isLive) return false
  return listing.is_auction ? auctionRefreshMs : fixedPriceRefreshMs
}

/** Reads a listing, and refetches it regularly while it is active and its live stream is not connected (`isLive`). */
export function useListing(id: string, isLive: boolean) {
  const [auctionRefreshMs] = useState(() => minAuctionRefreshMs + Math.random() * auctionRefreshSpreadMs)
  return useQuery({
    ...listingQuery(id),
    refetchInterval: (query) => retryInterval(query) || refreshInterval(query.state.data, isLive, auctionRefreshMs),
    // Refetches the listing when the network is back, because the live stream may have broken unnoticed.
    refetchOnReconnect: true,
  })
}
