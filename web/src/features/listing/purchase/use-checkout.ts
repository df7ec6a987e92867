import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { responseBody, api } from '../../../api/client/client.ts'
import type { ListingDetail } from '../../../api/client/types.ts'
import { useServerNow } from '../../../api/clock/use-server-now.ts'
import { listingQuery } from '../../../api/queries/queries.ts'
import type { Order } from '../../../payments/ConfirmPurchase.tsx'

function createIntent({ id, is_auction: isAuction, terms_version: listing_version }: ListingDetail) {
  if (isAuction) {
    const auction = { params: { path: { id } }, body: { listing_version } }
    return responseBody(api.POST('/api/auctions/{id}/buy-now', auction))
  }
  return responseBody(
    api.POST('/api/payments/create-intent', { body: { listing_id: id, transaction_type: 'buy_now', listing_version } }),
  )
}

function orderOf(listing: ListingDetail): Omit<Order, 'createIntent'> {
  return {
    title: listing.title,
    itemPrice: listing.buy_it_now_price ?? listing.price,
    shipping: listing.shipping_cost,
  }
}

/** Returns whether the item is on hold for the user, and `setHeldUntil`, which sets the end of the hold. */
function useHold(listing: ListingDetail) {
  const [heldUntil, setHeldUntil] = useState<string | null>(null)
  const now = useServerNow(1_000)
  const hasExpired = heldUntil !== null && Date.parse(heldUntil) <= now
  return { isHeld: listing.is_held_by_you && !hasExpired, setHeldUntil }
}

export interface CheckoutState {
  /** The order of the open checkout; null if no checkout is open. */
  order: Order | null
  /** Whether the listing has a fixed price or a buy-it-now price. */
  isOffered: boolean
  /** Whether the item is on hold for the user. */
  isHeld: boolean
  start: () => void
  close: () => void
}

/** State of the checkout of an item at its fixed price or buy-it-now price. */
export function useCheckout(listing: ListingDetail): CheckoutState {
  const [order, setOrder] = useState<Order | null>(null)
  const { isHeld, setHeldUntil } = useHold(listing)
  const queryClient = useQueryClient()
  async function createHold() {
    try {
      const intent = await createIntent(listing)
      setHeldUntil(intent.expires_at)
      return intent
    } catch (error) {
      // The seller may have changed the listing.
      void queryClient.invalidateQueries({ queryKey: listingQuery(listing.id).queryKey })
      throw error
    }
  }
  return {
    order,
    isOffered: !listing.is_auction || listing.buy_it_now_price !== null,
    isHeld,
    start: () => setOrder({ ...orderOf(listing), createIntent: createHold }),
    close: () => setOrder(null),
  }
}
