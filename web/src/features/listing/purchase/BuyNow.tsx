import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { responseBody, api } from '../../../api/client/client.ts'
import type { ListingDetail } from '../../../api/client/types.ts'
import { useServerNow } from '../../../api/clock/use-server-now.ts'
import { listingQuery } from '../../../api/queries/queries.ts'
import type { Order } from '../../../payments/ConfirmPurchase.tsx'
import { Button, type ButtonProps } from '../../../ui/controls/Button.tsx'
import { useFocusHeading } from '../../../ui/hooks/use-restore-focus.ts'
import classes from './BuyerActions.module.css'

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

function CheckoutButton(button: ButtonProps) {
  // Moves the focus to the page heading when the button disappears after a purchase.
  useFocusHeading()
  return <Button fullWidth {...button} />
}

/** Returns whether the item is on hold for the user, and `setHeldUntil`, which sets the end of the hold. */
function useHold(listing: ListingDetail) {
  const [heldUntil, setHeldUntil] = useState<string | null>(null)
  const now = useServerNow(1_000)
  const hasExpired = heldUntil !== null && Date.parse(heldUntil) <= now
  return { isHeld: listing.is_held_by_you && !hasExpired, setHeldUntil }
}

interface Props {
  listing: ListingDetail
  onBought: () => void
  /** Buttons beside the buy button. */
  children?: ReactNode
}

/**
 * The button for buying an item at its fixed price or buy-it-now price. An open checkout stays open if a bid reaches the
 * buy-it-now price, which removes the button.
 */
export function BuyNow({ listing, onBought, children }: Props) {
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
  const start = () => setOrder({ ...orderOf(listing), createIntent: createHold })
  const { is_auction: isAuction, buy_it_now_price: instantPrice } = listing
  const isOffered = !isAuction || instantPrice !== null
  return (
    <>
      {isOffered && (
        <CheckoutButton size="lg" variant={isAuction || isHeld ? 'default' : 'filled'} onClick={start}>
          {isAuction ? 'Buy It Now' : 'Buy Now'}
        </CheckoutButton>
      )}
      {children}
      {isHeld && (
        <CheckoutButton size="lg" className={classes.continue} onClick={start}>
          Continue to payment
        </CheckoutButton>
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
