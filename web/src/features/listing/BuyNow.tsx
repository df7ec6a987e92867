import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { answer, api } from '../../api/client.ts'
import type { ListingDetail } from '../../api/types.ts'
import type { Order } from '../../payments/ConfirmPurchase.tsx'

const Checkout = lazy(async () => ({ default: (await import('../../payments/Checkout.tsx')).Checkout }))

function createIntent({ id, is_auction: isAuction }: ListingDetail) {
  if (isAuction) return answer(api.POST('/api/auctions/{id}/buy-now', { params: { path: { id } } }))
  return answer(api.POST('/api/payments/create-intent', { body: { listing_id: id, transaction_type: 'buy_now' } }))
}

function orderOf(listing: ListingDetail): Order {
  return {
    title: listing.title,
    itemPrice: listing.buy_it_now_price ?? listing.price,
    shipping: listing.shipping_cost,
    createIntent: () => createIntent(listing),
  }
}

/** Buys at the fixed price, or an auction at its buy-it-now price. A bid that ends that price leaves an open order open. */
export function BuyNow({ listing, onBought }: { listing: ListingDetail; onBought: () => void }) {
  const [order, setOrder] = useState<Order | null>(null)
  const { is_auction: isAuction, buy_it_now_price: instantPrice } = listing
  const isOffered = !isAuction || instantPrice !== null
  return (
    <>
      {isOffered && (
        <Button
          fullWidth
          size="lg"
          variant={isAuction ? 'default' : 'filled'}
          onClick={() => setOrder(orderOf(listing))}
        >
          {isAuction ? 'Buy It Now' : 'Buy Now'}
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
