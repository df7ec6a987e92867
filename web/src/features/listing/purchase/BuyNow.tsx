import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { responseBody, api } from '../../../api/client/client.ts'
import type { ListingDetail } from '../../../api/client/types.ts'
import { listingQuery } from '../../../api/queries/queries.ts'
import type { Order } from '../../../payments/ConfirmPurchase.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { useFocusHeading } from '../../../ui/hooks/use-restore-focus.ts'

const Checkout = lazy(async () => ({ default: (await import('../../../payments/Checkout.tsx')).Checkout }))

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

function BuyButton({ isAuction, onClick }: { isAuction: boolean; onClick: () => void }) {
  // After a purchase, the focus returns from the dialog to this button. The button disappears with the updated listing,
  // so the focus then moves to the page heading.
  useFocusHeading()
  return (
    <Button fullWidth size="lg" variant={isAuction ? 'default' : 'filled'} onClick={onClick}>
      {isAuction ? 'Buy It Now' : 'Buy Now'}
    </Button>
  )
}

/**
 * The button that buys an item at its fixed price or an auction at its buy-it-now price. A bid that reaches this price
 * removes the button, but does not close a checkout that is already open.
 */
export function BuyNow({ listing, onBought }: { listing: ListingDetail; onBought: () => void }) {
  const [order, setOrder] = useState<Order | null>(null)
  const queryClient = useQueryClient()
  // Refetches the listing after an error, because the seller may have changed it.
  const rereadListing = (error: unknown) => {
    void queryClient.invalidateQueries({ queryKey: listingQuery(listing.id).queryKey })
    throw error
  }
  const start = () => setOrder({ ...orderOf(listing), createIntent: () => createIntent(listing).catch(rereadListing) })
  const { is_auction: isAuction, buy_it_now_price: instantPrice } = listing
  const isOffered = !isAuction || instantPrice !== null
  return (
    <>
      {isOffered && <BuyButton isAuction={isAuction} onClick={start} />}
      {listing.is_held_by_you && (
        <Button fullWidth variant="default" onClick={start}>
          Continue to payment
        </Button>
      )}
      <Suspense>
        {order !== null && (
          <Checkout
            order={order}
            isOffered={isOffered}
            onClose={() => setOrder(null)}
            onPaid={() => {
              setOrder(null)
              onBought()
            }}
          />
        )}
      </Suspense>
    </>
  )
}
