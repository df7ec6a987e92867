import { Button } from '@mantine/core'
import { useState } from 'react'
import { answer, api } from '../../api/client.ts'
import type { ListingDetail } from '../../api/types.ts'
import { Checkout } from '../../payments/Checkout.tsx'

export function BuyNow({ listing, onBought }: { listing: ListingDetail; onBought: () => void }) {
  const [isBuying, setIsBuying] = useState(false)
  const order = {
    title: listing.title,
    itemPrice: listing.price,
    shipping: listing.shipping_cost,
    createIntent: () =>
      answer(
        api.POST('/api/payments/create-intent', { body: { listing_id: listing.id, transaction_type: 'buy_now' } }),
      ),
  }
  return (
    <>
      <Button fullWidth size="lg" onClick={() => setIsBuying(true)}>
        Buy Now
      </Button>
      {isBuying && (
        <Checkout
          order={order}
          onClose={() => setIsBuying(false)}
          onPaid={() => {
            setIsBuying(false)
            onBought()
          }}
        />
      )}
    </>
  )
}
