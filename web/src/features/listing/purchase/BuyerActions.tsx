import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { listingOffersQuery } from '../../../api/queries/offers.ts'
import type { ListingDetail } from '../../../api/client/types.ts'
import { isForSale, wasBoughtEarly } from '../../../rules/listing.ts'
import { formatCents } from '../../../rules/money.ts'
import { rememberReturnPage } from '../../../session/return-page.ts'
import { useAuth } from '../../../session/use-auth.ts'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import { useServerNow } from '../../../api/clock/use-server-now.ts'
import { WatchToggle } from '../../../watchlist/WatchToggle.tsx'
import { BidForm } from '../bidding/BidForm.tsx'
import { ConfirmBidsSetting } from '../bidding/confirm/ConfirmBidsSetting.tsx'
import { PurchaseTotal } from '../details/PurchaseTotal.tsx'
import { AuctionOutcome } from '../bidding/AuctionOutcome.tsx'
import { BuyNow } from './BuyNow.tsx'
import { MakeOffer } from './MakeOffer.tsx'
import { PendingPayment, usePendingPayment } from './PendingPayment.tsx'
import { EndNote, ReservedNote } from './StatusNotes.tsx'
import { ShareButton } from '../contact/ShareButton.tsx'
import { UnchargeableWin } from './UnchargeableWin.tsx'
import classes from './BuyerActions.module.css'

function signInPrompt(listing: ListingDetail): string {
  if (!listing.is_auction) return 'Sign in to buy this item or contact the seller'
  return listing.buy_it_now_price === null ? 'Sign in to place a bid' : 'Sign in to place a bid or buy this item'
}

function SignInPrompt({ listing }: { listing: ListingDetail }) {
  const { hasExpired } = useAuth()
  return (
    <div className={classes.bar} data-bottom-bar>
      <div className={classes.prompt}>
        <div>
          <output>{hasExpired && <p>You've been signed out. We saved what you typed.</p>}</output>
          <p>{signInPrompt(listing)}</p>
        </div>
        <Link to="/sign-in" className={classes.signIn} onClick={() => rememberReturnPage()}>
          Sign In
        </Link>
      </div>
    </div>
  )
}

interface ControlsProps {
  listing: ListingDetail
  onDone: (message: string) => void
}

const bought = 'Payment successful! Your purchase is complete.'
const boughtEarly = 'Someone bought this item with Buy It Now before the auction ended.'

function AuctionControls({ listing, onDone }: ControlsProps) {
  return (
    <>
      <div className={classes.bar} data-bottom-bar>
        <BidForm listing={listing} />
      </div>
      <ConfirmBidsSetting />
      <div className={classes.instant}>
        {listing.buy_it_now_price !== null && (
          <div>
            <p>Or buy it now for {formatCents(listing.buy_it_now_price)}</p>
            <PurchaseTotal itemPrice={listing.buy_it_now_price} shipping={listing.shipping_cost} />
          </div>
        )}
        <BuyNow listing={listing} onBought={() => onDone(bought)} />
      </div>
    </>
  )
}

function FixedPriceControls({ listing, onDone }: ControlsProps) {
  return (
    <>
      <div className={classes.bar} data-bottom-bar>
        <div className={classes.buyRow}>
          <BuyNow listing={listing} onBought={() => onDone(bought)} />
          <WatchToggle listing={listing} className={classes.icon} size={52} />
          <ShareButton title={listing.title} className={classes.icon} onCopied={() => onDone('Link copied.')} />
        </div>
      </div>
      {listing.accept_offers && (
        <MakeOffer listing={listing} onSent={() => onDone('Offer sent. The seller has 48 hours to respond.')} />
      )}
    </>
  )
}

function Controls(props: ControlsProps) {
  const { user, isPending } = useAuth()
  if (isPending) return <div className={classes.pending} />
  if (user === null) return <SignInPrompt listing={props.listing} />
  return props.listing.is_auction ? <AuctionControls {...props} /> : <FixedPriceControls {...props} />
}

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

/** Shows the purchase controls to buyers while the item is for sale, and otherwise notes about the listing's state. */
export function BuyerActions({ listing, isOwner }: Props) {
  const now = useServerNow(1_000)
  const [message, setMessage] = useState<string | null>(null)
  const isOpen = isForSale(listing, now)
  const accepted = useAcceptedOffer(listing)
  const pendingPayment = usePendingPayment(listing, !isOwner && (accepted || (listing.is_auction && !isOpen)))
  return (
    <>
      <Alert isFloating tone="good" message={message} onDismiss={() => setMessage(null)} />
      {!isOpen && (
        <p className={classes.note}>
          {listing.is_auction ? 'Bidding has ended.' : 'This item is no longer available.'}
          {!listing.is_auction && <EndNote listing={listing} />}
          {/* The user who bought the item sees the payment message instead of this text. */}
          {message === null && wasBoughtEarly(listing, now) && ` ${boughtEarly}`}
          {listing.is_auction && pendingPayment === undefined && <AuctionOutcome listing={listing} isOwner={isOwner} />}
        </p>
      )}
      {!isOpen && isOwner && listing.is_auction && <UnchargeableWin listing={listing} />}
      {!isOpen && isOwner && <SellSimilar listing={listing} />}
      {isOpen && isOwner && <OwnListing listing={listing} />}
      {pendingPayment !== undefined && <PendingPayment transaction={pendingPayment} />}
      {isOpen && !isOwner && pendingPayment === undefined && <Controls listing={listing} onDone={setMessage} />}
      {isOpen && !isOwner && pendingPayment === undefined && <ReservedNote listing={listing} />}
    </>
  )
}
