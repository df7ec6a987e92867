import { Link } from 'react-router-dom'
import type { ListingDetail } from '../../../api/client/types.ts'
import { formatCents } from '../../../rules/money.ts'
import { rememberReturnPage } from '../../../session/return-page.ts'
import { useAuth } from '../../../session/use-auth.ts'
import { WatchToggle } from '../../../watchlist/WatchToggle.tsx'
import { BidForm } from '../bidding/BidForm.tsx'
import { ConfirmBidsSetting } from '../bidding/confirm/ConfirmBidsSetting.tsx'
import { ShareButton } from '../contact/ShareButton.tsx'
import { PurchaseTotal } from '../details/PurchaseTotal.tsx'
import { BuyNow } from './BuyNow.tsx'
import { MakeOffer } from './MakeOffer.tsx'
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

interface Props {
  listing: ListingDetail
  onBought: () => void
  /** Called with a message after an action other than a purchase, such as an offer. */
  onDone: (message: string) => void
}

function FavoriteAndShare({ listing, onDone, size }: Pick<Props, 'listing' | 'onDone'> & { size: 44 | 52 }) {
  return (
    <>
      <WatchToggle listing={listing} className={classes.icon} size={size} />
      <ShareButton title={listing.title} className={classes.icon} size={size} onCopied={() => onDone('Link copied.')} />
    </>
  )
}

function AuctionControls({ listing, onBought, onDone }: Props) {
  return (
    <>
      <div className={classes.bar} data-bottom-bar>
        <BidForm listing={listing} />
      </div>
      <div className={classes.settingRow}>
        <ConfirmBidsSetting />
        <FavoriteAndShare listing={listing} size={44} onDone={onDone} />
      </div>
      <div className={classes.instant}>
        {listing.buy_it_now_price !== null && (
          <div>
            <p>Or buy it now for {formatCents(listing.buy_it_now_price)}</p>
            <PurchaseTotal itemPrice={listing.buy_it_now_price} shipping={listing.shipping_cost} />
          </div>
        )}
        <BuyNow listing={listing} onBought={onBought} />
      </div>
    </>
  )
}

function FixedPriceControls({ listing, onBought, onDone }: Props) {
  return (
    <>
      <div className={classes.bar} data-bottom-bar>
        <div className={classes.buyRow}>
          <BuyNow listing={listing} onBought={onBought}>
            <FavoriteAndShare listing={listing} size={52} onDone={onDone} />
          </BuyNow>
        </div>
      </div>
      {listing.accept_offers && (
        <MakeOffer listing={listing} onSent={() => onDone('Offer sent. The seller has 48 hours to respond.')} />
      )}
    </>
  )
}

/** The controls for bidding on or buying an item. Visitors see a sign-in prompt instead. */
export function PurchaseControls(props: Props) {
  const { user, isPending } = useAuth()
  if (isPending) return <div className={classes.pending} />
  if (user === null) return <SignInPrompt listing={props.listing} />
  return props.listing.is_auction ? <AuctionControls {...props} /> : <FixedPriceControls {...props} />
}
