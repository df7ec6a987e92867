import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listingQuery } from '../../api/queries/queries.ts'
import { isLasting } from '../../api/queries/retry-interval.ts'
import type { ListingDetail } from '../../api/client/types.ts'
import { isEndUnknown } from '../../rules/listing.ts'

// The delay doubles with each read: the end is stored within a second, or minutes later if a checkout was open.
const firstDelayMs = 2_000
const maxDelayMs = 60_000
// The last read is 16 minutes after the end of the auction, when every checkout that was open has ended.
const maxReads = 20

/**
 * Refetches an auction after its end until the stored end is known, because the live stream only reports that the
 * auction has ended. Stops if the listing is gone.
 */
export function useStoredEnd(listing: ListingDetail | undefined): void {
  const queryClient = useQueryClient()
  const id = listing !== undefined && isEndUnknown(listing) ? listing.id : null
  useEffect(() => {
    if (id === null) return undefined
    const { queryKey } = listingQuery(id)
    let timer: number | undefined
    let isStopped = false
    function readLater(reads: number) {
      const delayMs = Math.min(firstDelayMs * 2 ** reads, maxDelayMs)
      timer = window.setTimeout(async () => {
        await queryClient.refetchQueries({ queryKey })
        isStopped ||= reads + 1 === maxReads || isLasting(queryClient.getQueryState(queryKey)?.error)
        if (!isStopped) readLater(reads + 1)
      }, delayMs)
    }
    readLater(0)
    return () => {
      isStopped = true
      window.clearTimeout(timer)
    }
  }, [id, queryClient])
}
