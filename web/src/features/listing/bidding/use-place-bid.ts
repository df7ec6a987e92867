import { useQueryClient } from '@tanstack/react-query'
import { responseBody, api } from '../../../api/client/client.ts'
import { useSingleMutation } from '../../../api/client/use-single-mutation.ts'
import { withIdempotencyKey } from '../../../api/client/with-idempotency-key.ts'
import { auctionQuery } from '../../../api/queries/bids.ts'
import { listingQuery } from '../../../api/queries/queries.ts'
import type { ListingDetail } from '../../../api/client/types.ts'
import { toDollars } from '../../../rules/money.ts'

interface BidToPlace {
  cents: number
  /**
   * True if the user has confirmed a bid that is far above the price. The server rejects such a bid with
   * `confirmation_needed` unless it is confirmed.
   */
  confirm: boolean
}

/** A bid on a listing: sends it, and holds the error of the last one. */
export type PlaceBid = ReturnType<typeof usePlaceBid>

export function usePlaceBid(listing: ListingDetail) {
  const queryClient = useQueryClient()
  return useSingleMutation({
    mutationFn: ({ cents, confirm }: BidToPlace) =>
      withIdempotencyKey('/api/bids', { listing_id: listing.id, amount: toDollars(cents), confirm }, (body, headers) =>
        responseBody(api.POST('/api/bids', { body, headers })),
      ),
    onSuccess: (placed) => {
      const { queryKey } = auctionQuery(listing.id)
      const standing = placed.is_winning ? 'leading' : 'outbid'
      const you = { standing, best_bid: placed.amount, bid_id: placed.id } as const
      queryClient.setQueryData(queryKey, (cached) => cached && { ...cached, current_bid: placed.current_bid, you })
      void queryClient.invalidateQueries({ queryKey })
      queryClient.setQueryData(listingQuery(listing.id).queryKey, (cached) => {
        if (cached === undefined || placed.bid_count < cached.bid_count) return cached
        return { ...cached, current_bid: placed.current_bid, bid_count: placed.bid_count }
      })
    },
    // Refetches the listing even if the bid was rejected, because another bid has probably raised the price.
    onSettled: () => queryClient.invalidateQueries({ queryKey: listingQuery(listing.id).queryKey }),
    meta: { failure: 'Failed to place bid:' },
  })
}
