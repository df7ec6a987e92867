import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useServerNow } from '../../../api/clock/use-server-now.ts'
import { listingOffersQuery } from '../../../api/queries/offers.ts'
import type { ListingDetail } from '../../../api/client/types.ts'
import { paymentMessages, type PaymentResult } from '../../../payments/card-fields.ts'
import { isForSale } from '../../../rules/listing.ts'
import { useAuth } from '../../../session/use-auth.ts'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import { ClosedNote } from './ClosedNote.tsx'
import { PendingPayment, usePendingPayment } from './PendingPayment.tsx'
import { PurchaseControls } from './PurchaseControls.tsx'
import { ReservedNote } from './ReservedNote.tsx'
import { UnchargeableWin } from './UnchargeableWin.tsx'
import classes from './BuyerActions.module.css'

/**
 * Returns whether an offer between the user and the seller was accepted, so that the user can buy at the offer's price.
 */
function useAcceptedOffer({ id, is_auction: isAuction }: ListingDetail): boolean {
  const { user } = useAuth()
  const { data: offers = [] } = useQuery({ ...listingOffersQuery(id), enabled: user !== null && !isAuction })
  return offers.some((offer) => offer.listing_id === id && offer.buyer_id === user?.id && offer.status === 'accepted')
}

function OwnListing({ listing }: { listing: ListingDetail }) {
  const isEditable = !listing.is_auction && listing.status === 'active'
  return (
    <p className={classes.note}>
      This is your listing.{isEditable && ' '}
      {isEditable && <Link to={`/listing/${listing.id}/edit`}>Edit listing</Link>}
    </p>
  )
}

function SellSimilar({ listing }: { listing: ListingDetail }) {
  if (listing.status !== 'sold' && listing.status !== 'ended') return null
  return (
    <p className={classes.note}>
      <Link to={`/create-listing?similar=${listing.id}`}>Sell a similar item</Link>
    </p>
  )
}

interface Props {
  listing: ListingDetail
  isOwner: boolean
}

/** Shows buyers the purchase controls, or explains why the item cannot be bought. */
export function BuyerActions({ listing, isOwner }: Props) {
  const now = useServerNow(1_000)
  const [message, setMessage] = useState<string | null>(null)
  const [hasJustBought, setHasJustBought] = useState(false)
  const isOpen = isForSale(listing, now)
  const accepted = useAcceptedOffer(listing)
  const pendingPayment = usePendingPayment(listing, !isOwner && (accepted || (listing.is_auction && !isOpen)))
  const isPaymentPending = pendingPayment !== undefined
  const canBuy = isOpen && !isOwner && !isPaymentPending && !hasJustBought
  function finishPurchase(result: PaymentResult) {
    setHasJustBought(result === 'succeeded')
    setMessage(paymentMessages[result])
  }
  return (
    <>
      <Alert isFloating tone="good" message={message} onDismiss={() => setMessage(null)} />
      {/* The listing may still be for sale a moment after the purchase. */}
      {(!isOpen || hasJustBought) && (
        <ClosedNote
          listing={listing}
          isOwner={isOwner}
          hasJustBought={hasJustBought}
          isPaymentPending={isPaymentPending}
        />
      )}
      {!isOpen && isOwner && listing.is_auction && <UnchargeableWin listing={listing} />}
      {!isOpen && isOwner && <SellSimilar listing={listing} />}
      {isOpen && isOwner && <OwnListing listing={listing} />}
      {pendingPayment !== undefined && <PendingPayment transaction={pendingPayment} />}
      {!isOwner && <PurchaseControls listing={listing} canBuy={canBuy} onPaid={finishPurchase} onDone={setMessage} />}
      {canBuy && <ReservedNote listing={listing} />}
    </>
  )
}
