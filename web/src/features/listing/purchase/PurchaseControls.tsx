import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { ListingDetail } from '../../../api/client/types.ts'
import type { PaymentResult } from '../../../payments/card-fields.ts'
import { formatCents } from '../../../rules/money.ts'
import { rememberReturnPage } from '../../../session/return-page.ts'
import { useAuth } from '../../../session/use-auth.ts'
import { Alert } from '../../../ui/feedback/Alert.tsx'
import { useFocusHeading } from '../../../ui/hooks/use-restore-focus.ts'
import { WatchToggle } from '../../../watchlist/WatchToggle.tsx'
import { bidRefusalText } from '../bidding/bid-refusal.ts'
import { BidForm } from '../bidding/BidForm.tsx'
import { ConfirmBidsSetting } from '../bidding/confirm/ConfirmBidsSetting.tsx'
import { usePlaceBid } from '../bidding/use-place-bid.ts'
import { ShareButton } from '../contact/ShareButton.tsx'
import { PurchaseTotal } from '../details/PurchaseTotal.tsx'
import { BuyNow } from './BuyNow.tsx'
import { CheckoutDialog } from './CheckoutDialog.tsx'
import { MakeOffer } from './MakeOffer.tsx'
import { useCheckout } from './use-checkout.ts'
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
  /** If false, only the dialogs that are open and the error of the last bid are shown. */
  canBuy: boolean
  onPaid: (result: PaymentResult) => void
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

/** Controls that disappear when the item can no longer be bought. */
function OpenControls({ children }: { children: ReactNode }) {
  useFocusHeading()
  return children
}

function AuctionControls({ listing, canBuy, onPaid, onDone }: Props) {
  const bid = usePlaceBid(listing)
  const checkout = useCheckout(listing)
  return (
    <>
      {canBuy ? (
        <OpenControls>
          <div className={classes.bar} data-bottom-bar>
            <BidForm listing={listing} bid={bid} />
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
            <BuyNow isAuction checkout={checkout} />
          </div>
        </OpenControls>
      ) : (
        <Alert isFloating message={bidRefusalText(bid.error)} onDismiss={() => bid.reset()} />
      )}
      <CheckoutDialog checkout={checkout} canBuy={canBuy} onPaid={onPaid} />
    </>
  )
}

function FixedPriceControls({ listing, canBuy, onPaid, onDone }: Props) {
  const checkout = useCheckout(listing)
  return (
    <>
      {canBuy && (
        <OpenControls>
          <div className={classes.bar} data-bottom-bar>
            <div className={classes.buyRow}>
              <BuyNow isAuction={false} checkout={checkout}>
                <FavoriteAndShare listing={listing} size={52} onDone={onDone} />
              </BuyNow>
            </div>
          </div>
        </OpenControls>
      )}
      <MakeOffer
        listing={listing}
        canOffer={canBuy && listing.accept_offers}
        onSent={() => onDone('Offer sent. The seller has 48 hours to respond.')}
      />
      <CheckoutDialog checkout={checkout} canBuy={canBuy} onPaid={onPaid} />
    </>
  )
}

/**
 * The controls for bidding on or buying an item. Visitors see a sign-in prompt instead. An open dialog and the error of
 * a bid stay when the item can no longer be bought, so that the user can read why.
 */
export function PurchaseControls(props: Props) {
  const { user, isPending } = useAuth()
  const { listing, canBuy } = props
  if (user !== null) return listing.is_auction ? <AuctionControls {...props} /> : <FixedPriceControls {...props} />
  if (!canBuy) return null
  return isPending ? <div className={classes.pending} /> : <SignInPrompt listing={listing} />
}
