import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { auctionQuery } from '../../../api/queries/bids.ts'
import { retryInterval } from '../../../api/queries/retry-interval.ts'
import type { Auction, ListingDetail } from '../../../api/client/types.ts'

const minRereadMs = 1_000
const outcomePollMs = 4_000

function hasBid(auction: Auction | undefined): auction is Auction {
  const standing = auction?.you?.standing
  return standing !== undefined && standing !== 'none'
}

/**
 * Refetches the cached auction, at most once a second, until it has as many bids as the listing. Does nothing if the
 * user has not bid.
 */
function useReread(listing: ListingDetail, { data, dataUpdatedAt, errorUpdatedAt, refetch }: AuctionResult): void {
  const isBehind = hasBid(data) && listing.bid_count > data.bid_count
  const readAt = Math.max(dataUpdatedAt, errorUpdatedAt)
  useEffect(() => {
    if (!isBehind) return undefined
    const timer = window.setTimeout(() => void refetch(), Math.max(0, readAt + minRereadMs - Date.now()))
    return () => window.clearTimeout(timer)
  }, [isBehind, readAt, refetch])
}

interface AuctionResult {
  data: Auction | undefined
  dataUpdatedAt: number
  errorUpdatedAt: number
  refetch: () => unknown
}

/**
 * Returns the auction with the user's bid status, or undefined until the auction is loaded. If `isOver` is true, polls
 * the auction until its outcome is known.
 */
export function useAuction(listing: ListingDetail, { isOver, isEnabled }: { isOver: boolean; isEnabled: boolean }) {
  const auction = useQuery({
    ...auctionQuery(listing.id),
    enabled: isEnabled,
    refetchInterval: (query) =>
      retryInterval(query) || (isOver && query.state.data?.state !== 'ended' ? outcomePollMs : false),
  })
  useReread(listing, auction)
  return auction.data
}
