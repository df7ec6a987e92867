import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { offersQuery } from '../../api/offers.ts'
import type { ListingDetail } from '../../api/types.ts'
import { isForSale, wasBoughtEarly } from '../../rules/listing.ts'
import { formatCents } from '../../rules/money.ts'
import { useAuth } from '../../session/use-auth.ts'
import { Alert } from '../../ui/Alert.tsx'
import { useServerNow } from '../../api/use-server-now.ts'
import { WatchButton } from '../../watching/WatchButton.tsx'
import { BidForm } from './BidForm.tsx'
import { BuyNow } from './BuyNow.tsx'
import { MakeOffer } from './MakeOffer.tsx'
import { Owed, useOwed } from './Owed.tsx'
import { ShareButton } from './ShareButton.tsx'
import classes from './BuyerActions.module.css'

function signInPrompt(listing: ListingDetail): string {
  if (!listing.is_auction) return 'Sign in to buy this item or contact the seller'
  return listing.buy_it_now_price === null ? 'Sign in to place a bid' : 'Sign in to place a bid or buy this item'
}

function SignInPrompt({ listing }: { listing: ListingDetail }) {
  const { wasLost } = useAuth()
  return (
    <div className={classes.bar} data-bottom-bar>
      <div className={classes.prompt}>
        <div>
          <output>{wasLost && <p>Your session has ended; what you typed is kept.</p>}</output>
          <p>{signInPrompt(listing)}</p>
        </div>
        <Link to="/sign-in" className={classes.signIn}>
          Sign In
        </Link>
      </div>
    </div>
  )
}

type ControlsProps = { listing: ListingDetail; say: (done: string) => void }

const bought = 'Payment successful! Your purchase is complete.'
const boughtEarly = 'The item was bought with Buy It Now before the planned end.'

function AuctionControls({ listing, say }: ControlsProps) {
  return (
    <>
      <div className={classes.bar} data-bottom-bar>
        <BidForm listing={listing} />
      </div>
      <div className={classes.instant}>
        {listing.buy_it_now_price !== null && <p>Or skip the bidding for {formatCents(listing.buy_it_now_price)}</p>}
        <BuyNow listing={listing} onBought={() => say(bought)} />
      </div>
    </>
  )
}

function FixedPriceControls({ listing, say }: ControlsProps) {
  return (
    <>
      <div className={classes.bar} data-bottom-bar>
        <div className={classes.buyRow}>
          <BuyNow listing={listing} onBought={() => say(bought)} />
          <WatchButton listing={listing} className={classes.icon} size={52} />
          <ShareButton title={listing.title} className={classes.icon} onCopied={() => say('Link copied.')} />
        </div>
      </div>
      {listing.accept_offers && (
        <MakeOffer listing={listing} onSent={() => say('Offer sent. The seller has 48 hours to answer.')} />
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

/** Then its price counts, not the listed one. */
function useAcceptedOffer({ id, is_auction: isAuction }: ListingDetail): boolean {
  const { user } = useAuth()
  const { data: offers = [] } = useQuery({ ...offersQuery, enabled: user !== null && !isAuction })
  return offers.some((one) => one.listing_id === id && one.buyer_id === user?.id && one.status === 'accepted')
}

type Props = { listing: ListingDetail; isOwner: boolean }

/** What a visitor can do about the item: nothing on their own, nor once it is gone. */
export function BuyerActions({ listing, isOwner }: Props) {
  const now = useServerNow(1_000)
  const [done, setDone] = useState<string | null>(null)
  const isOpen = isForSale(listing, now)
  const accepted = useAcceptedOffer(listing)
  const owed = useOwed(listing, !isOwner && (accepted || (listing.is_auction && !isOpen)))
  return (
    <>
      <Alert isFloating tone="good" message={done} onDismiss={() => setDone(null)} />
      {!isOpen && (
        <p className={classes.note}>
          {listing.is_auction ? 'Bidding is closed.' : 'This item is no longer for sale.'}
          {/* Its buyer reads of the payment instead. */}
          {done === null && wasBoughtEarly(listing, now) && ` ${boughtEarly}`}
        </p>
      )}
      {isOpen && isOwner && <p className={classes.note}>This is your listing.</p>}
      {owed !== undefined && <Owed transaction={owed} />}
      {isOpen && !isOwner && owed === undefined && <Controls listing={listing} say={setDone} />}
    </>
  )
}
