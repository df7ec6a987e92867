import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { ListingDetail } from '../../api/types.ts'
import { isForSale } from '../../rules/listing.ts'
import { useAuth } from '../../session/use-auth.ts'
import { Alert } from '../../ui/Alert.tsx'
import { useServerNow } from '../../api/use-server-now.ts'
import { BidForm } from './BidForm.tsx'
import { BuyNow } from './BuyNow.tsx'
import classes from './BuyerActions.module.css'

function signInPrompt(listing: ListingDetail): string {
  if (!listing.is_auction) return 'Sign in to buy this item or contact the seller'
  return listing.buy_it_now_price === null ? 'Sign in to place a bid' : 'Sign in to place a bid or buy this item'
}

function SignInPrompt({ listing }: { listing: ListingDetail }) {
  return (
    <div className={classes.prompt}>
      <p>{signInPrompt(listing)}</p>
      <Link to="/sign-in" className={classes.signIn}>
        Sign In
      </Link>
    </div>
  )
}

function Controls({ listing, onBought }: { listing: ListingDetail; onBought: () => void }) {
  const { user, isPending } = useAuth()
  if (isPending) return <div className={classes.pending} />
  if (user === null) return <SignInPrompt listing={listing} />
  return (
    <div className={classes.bar}>
      {listing.is_auction ? <BidForm listing={listing} /> : <BuyNow listing={listing} onBought={onBought} />}
    </div>
  )
}

type Props = { listing: ListingDetail; isOwner: boolean }

/** What a visitor can do about the item: nothing on their own, nor once it is gone. */
export function BuyerActions({ listing, isOwner }: Props) {
  const now = useServerNow(1_000)
  const [bought, setBought] = useState<string | null>(null)
  const isOpen = isForSale(listing, now)
  return (
    <>
      <Alert isFloating tone="good" message={bought} onDismiss={() => setBought(null)} />
      {!isOpen && (
        <p className={classes.note}>{listing.is_auction ? 'Bidding is closed.' : 'This item is no longer for sale.'}</p>
      )}
      {isOpen && isOwner && <p className={classes.note}>This is your listing.</p>}
      {isOpen && !isOwner && (
        <Controls listing={listing} onBought={() => setBought('Payment successful! Your purchase is complete.')} />
      )}
    </>
  )
}
