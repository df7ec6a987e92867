import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { listingQuery } from '../../api/queries.ts'
import { noteServerInstant } from '../../api/server-clock.ts'
import type { ListingDetail } from '../../api/types.ts'
import { withAuctionState } from '../../rules/live.ts'
import { readState } from './read-state.ts'

const firstRetryMs = 1_000
const longestRetryMs = 30_000

type Listener = { onState: (data: string) => void; onLive: (isLive: boolean) => void }

/** An EventSource that is opened again after the server refused it; after a dropped connection it does that itself. */
function listen(id: string, { onState, onLive }: Listener): () => void {
  let source: EventSource
  let timer: number | undefined
  let retryMs = firstRetryMs
  function open() {
    source = new EventSource(`/api/auctions/${id}/stream`)
    source.addEventListener('open', () => {
      retryMs = firstRetryMs
      onLive(true)
    })
    source.addEventListener('message', (event: MessageEvent<string>) => onState(event.data))
    source.addEventListener('error', () => {
      onLive(false)
      if (source.readyState !== EventSource.CLOSED) return
      timer = window.setTimeout(open, retryMs)
      retryMs = Math.min(retryMs * 2, longestRetryMs)
    })
  }
  open()
  return () => {
    window.clearTimeout(timer)
    source.close()
  }
}

/** Writes a running auction's live states into the listing's query, and tells whether they come. */
export function useLiveAuction(listing: ListingDetail | undefined, setIsLive: (isLive: boolean) => void): void {
  const queryClient = useQueryClient()
  const id = listing?.is_auction && listing.is_active ? listing.id : null
  useEffect(() => {
    if (id === null) return undefined
    const { queryKey } = listingQuery(id)
    const stop = listen(id, {
      onLive: setIsLive,
      onState: (data) => {
        const state = readState(data)
        if (state === null) return
        noteServerInstant(Date.parse(state.server_time), Date.now())
        queryClient.setQueryData(queryKey, (known) => known && withAuctionState(known, state))
      },
    })
    return () => {
      stop()
      setIsLive(false)
    }
  }, [id, queryClient, setIsLive])
}
