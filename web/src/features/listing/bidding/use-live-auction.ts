import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { hasStreamedBidsQuery, maxNewestBids, newestBidsQuery } from '../../../api/queries/bids.ts'
import { listingQuery } from '../../../api/queries/queries.ts'
import { recordServerInstant } from '../../../api/clock/server-clock.ts'
import type { ListingDetail } from '../../../api/client/types.ts'
import { applyUpdate, type AuctionUpdate } from '../../../rules/live.ts'
import { parseAuctionUpdate } from './parse-auction-update.ts'

const minRetryMs = 1_000
const maxRetryMs = 30_000

interface Listener {
  onUpdate: (data: string) => void
  onLive: (isLive: boolean) => void
}

/**
 * Subscribes to the live stream, and returns a function that unsubscribes. After an error response, reopens the stream
 * with increasing delays, because EventSource does not reconnect.
 */
function subscribe(id: string, { onUpdate, onLive }: Listener): () => void {
  let source: EventSource
  let timer: number | undefined
  let retryMs = minRetryMs
  function open() {
    source = new EventSource(`/api/auctions/${id}/stream`)
    source.addEventListener('open', () => {
      retryMs = minRetryMs
      onLive(true)
    })
    source.addEventListener('message', (event: MessageEvent<string>) => onUpdate(event.data))
    source.addEventListener('error', () => {
      onLive(false)
      if (source.readyState !== EventSource.CLOSED) return
      timer = window.setTimeout(open, retryMs)
      retryMs = Math.min(retryMs * 2, maxRetryMs)
    })
  }
  open()
  return () => {
    window.clearTimeout(timer)
    source.close()
  }
}

/**
 * Caches the newest bids of an update. Must run before the listing gets the update's bid count; otherwise, the page
 * would request the bids.
 */
function storeBids(queryClient: QueryClient, { listing_id: id, bid_count: bidCount, bids = [] }: AuctionUpdate): void {
  const isComplete = bids.length === Math.min(bidCount, maxNewestBids)
  queryClient.setQueryData(hasStreamedBidsQuery(id).queryKey, isComplete)
  if (!isComplete) return
  queryClient.removeQueries({
    queryKey: ['bids', id],
    type: 'inactive',
    // Keeps the query for the update's bid count, because the page may already observe this query.
    predicate: ({ queryKey }) => queryKey.at(-1) !== bidCount,
  })
  queryClient.setQueryData(newestBidsQuery(id, bidCount).queryKey, bids)
}

/**
 * Applies the live updates of a running auction to the cached listing. Reports through `setIsLive` whether the stream
 * is connected.
 */
export function useLiveAuction(listing: ListingDetail | undefined, setIsLive: (isLive: boolean) => void): void {
  const queryClient = useQueryClient()
  const id = listing?.is_auction && listing.is_active ? listing.id : null
  useEffect(() => {
    if (id === null) return undefined
    const { queryKey } = listingQuery(id)
    const stop = subscribe(id, {
      onLive: (isLive) => {
        setIsLive(isLive)
        if (!isLive) queryClient.setQueryData(hasStreamedBidsQuery(id).queryKey, false)
      },
      onUpdate: (data) => {
        const update = parseAuctionUpdate(data)
        if (update === null) return
        recordServerInstant(Date.parse(update.server_time), Date.now())
        storeBids(queryClient, update)
        queryClient.setQueryData(queryKey, (cached) => cached && applyUpdate(cached, update))
      },
    })
    return () => {
      stop()
      setIsLive(false)
      queryClient.setQueryData(hasStreamedBidsQuery(id).queryKey, false)
    }
  }, [id, queryClient, setIsLive])
}
