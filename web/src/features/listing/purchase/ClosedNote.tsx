import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { useServerNow } from '../../../api/clock/use-server-now.ts'
import { retryInterval } from '../../../api/queries/retry-interval.ts'
import { listingTransactionsQuery } from '../../../api/queries/transactions.ts'
import type { ListingDetail } from '../../../api/client/types.ts'
import { wasBoughtEarly } from '../../../rules/listing.ts'
import { monthAndDay } from '../../../rules/time.ts'
import { useAuth } from '../../../session/use-auth.ts'
import { RelativeTime } from '../../../ui/page/RelativeTime.tsx'
import { AuctionOutcome } from '../bidding/AuctionOutcome.tsx'
import classes from './BuyerActions.module.css'

const boughtEarly = 'Someone bought this item with Buy It Now before the auction ended.'

interface Props {
  listing: ListingDetail
  isOwner: boolean
  /** Whether the user has bought the item since the page was opened. */
  hasJustBought: boolean
  isPaymentPending: boolean
}

interface Purchase {
  isBuyer: boolean
  isBuyItNow: boolean
  isLoading: boolean
}

/** Returns whether the user has bought the item, and whether that is still loading. */
function usePurchase({ listing, isOwner, hasJustBought }: Props): Purchase {
  const { user } = useAuth()
  const canHaveBuyer = listing.is_auction || listing.status === 'sold'
  const { data = [], isLoading } = useQuery({
    ...listingTransactionsQuery(listing.id),
    enabled: user !== null && !isOwner && canHaveBuyer,
    refetchInterval: retryInterval,
  })
  const purchase = data.find(
    ({ listing_id: id, user_role: role, status }) => id === listing.id && role === 'buyer' && status === 'completed',
  )
  return {
    isBuyer: hasJustBought || purchase !== undefined,
    isBuyItNow: hasJustBought || purchase?.transaction_type === 'buy_now',
    isLoading,
  }
}

/** Tells the user that a fixed-price item was sold or is no longer available. */
function FixedPriceEnd({ listing, isBuyer }: { listing: ListingDetail; isBuyer: boolean }) {
  const { status, ended_at: endedAt, end_reason: reason } = listing
  const soldOn = status === 'sold' && endedAt !== null && (
    <RelativeTime at={endedAt}>{monthAndDay(new Date(endedAt))}</RelativeTime>
  )
  if (isBuyer) return <>You bought this item{soldOn && <> on {soldOn}</>}.</>
  return (
    <>
      This item is no longer available.
      {soldOn && <> Sold on {soldOn}.</>}
      {status !== 'sold' && reason === 'seller' && ' The seller ended this listing.'}
    </>
  )
}

function AuctionEnd({ listing, isOwner, isPaymentPending, purchase }: Props & { purchase: Purchase }) {
  const isBoughtEarly = wasBoughtEarly(listing, useServerNow(1_000))
  if (purchase.isBuyItNow) return <>Bidding has ended. You bought this item with Buy It Now.</>
  return (
    <>
      Bidding has ended.
      {isBoughtEarly && !purchase.isLoading && ` ${boughtEarly}`}
      {!isPaymentPending && <AuctionOutcome listing={listing} isOwner={isOwner} />}
    </>
  )
}

/** Tells the user how a sale or auction ended, and links the buyer to the transactions. */
export function ClosedNote(props: Props) {
  const purchase = usePurchase(props)
  return (
    <p className={classes.note}>
      {props.listing.is_auction ? (
        <AuctionEnd {...props} purchase={purchase} />
      ) : (
        <FixedPriceEnd listing={props.listing} isBuyer={purchase.isBuyer} />
      )}
      {purchase.isBuyer && (
        <>
          {' '}
          <Link to="/transactions">View your transactions</Link>
        </>
      )}
    </p>
  )
}
