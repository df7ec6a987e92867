import type { ListingDetail } from '../../../api/client/types.ts'
import {
  bidNames,
  discountPercent,
  millisecondsLeft,
  priceBeforeSale,
  shownBid,
  shownPrice,
} from '../../../rules/listing.ts'
import { formatCents } from '../../../rules/money.ts'
import { dateAndTime, detailCountdown, urgency } from '../../../rules/time.ts'
import { useServerNow } from '../../../api/clock/use-server-now.ts'
import { RelativeTime } from '../../../ui/page/RelativeTime.tsx'
import { PurchaseTotal } from './PurchaseTotal.tsx'
import classes from './PriceBlock.module.css'

const originalPriceNotes = {
  stated: 'Original price stated by the seller',
  proven: 'Lowest price in the 30 days before the reduction',
}

/** Shows the name of the bid that is the auction's price, such as "Current bid". */
function BidName({ listing }: { listing: ListingDetail }) {
  const bid = shownBid(listing, useServerNow(1_000))
  return <p className={classes.label}>{bidNames[bid]}</p>
}

function Price({ listing }: { listing: ListingDetail }) {
  const before = priceBeforeSale(listing)
  const percent = discountPercent(listing)
  return (
    <div>
      {listing.is_auction && <BidName listing={listing} />}
      <p className={classes.price}>
        {/* The key changes with the price, so that React replaces the element, which restarts the animation. */}
        <span key={shownPrice(listing)} className={classes.amount}>
          {formatCents(shownPrice(listing))}
        </span>
        {before !== null && (
          <>
            <s className={classes.before}>{formatCents(before)}</s>
            {percent !== null && <span className={classes.discount}>-{percent}%</span>}
          </>
        )}
      </p>
      {before !== null && listing.original_price_kind !== null && (
        <p className={classes.source}>{originalPriceNotes[listing.original_price_kind]}</p>
      )}
      {listing.shipping_cost > 0 && <p className={classes.note}>+ {formatCents(listing.shipping_cost)} shipping</p>}
      {listing.shipping_cost === 0 && <p className={classes.free}>Free shipping</p>}
      {listing.is_active && !listing.is_auction && (
        <PurchaseTotal itemPrice={listing.price} shipping={listing.shipping_cost} />
      )}
    </div>
  )
}

/**
 * Returns the label for the planned end, which is `left` ms away; an auction ends earlier only if it is bought at its
 * buy-it-now price.
 */
function endLabel(hasEnded: boolean, left: number): string {
  if (!hasEnded) return 'Ends'
  return left > 0 ? 'Scheduled end' : 'Ended'
}

function AuctionTimes({ listing }: { listing: ListingDetail }) {
  const left = millisecondsLeft(listing, useServerNow(1_000))
  const hasEnded = left <= 0 || !listing.is_active
  const endsAt = listing.auction_end_date
  const bids = `${listing.bid_count} ${listing.bid_count === 1 ? 'bid' : 'bids'}`
  return (
    <dl className={classes.times} data-urgency={hasEnded ? 'ended' : urgency(left)}>
      <div>
        <dt>{hasEnded ? 'Status' : 'Time left'}</dt>
        <dd className={classes.countdown}>
          <span role="timer">{detailCountdown(hasEnded ? 0 : left)}</span>
        </dd>
      </div>
      <div>
        <dt>{endLabel(hasEnded, left)}</dt>
        <dd>{endsAt !== null && <RelativeTime at={endsAt}>{dateAndTime(new Date(endsAt))}</RelativeTime>}</dd>
      </div>
      <div>
        <dt>Starting bid</dt>
        <dd>
          {formatCents(listing.starting_bid ?? listing.price)} <span className={classes.bids}>({bids})</span>
        </dd>
      </div>
    </dl>
  )
}

export function PriceBlock({ listing }: { listing: ListingDetail }) {
  return (
    <section aria-label="Price" className={classes.block}>
      <Price listing={listing} />
      {listing.is_auction && <AuctionTimes listing={listing} />}
    </section>
  )
}
