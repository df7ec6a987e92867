import type { ListingDetail } from '../../../api/client/types.ts'
import {
  bidNames,
  buyItNowSale,
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

interface PriceProps {
  listing: ListingDetail
  /** The label above the price of an auction, such as "Current bid". Null for a fixed price. */
  name: string | null
  cents: number
}

function Price({ listing, name, cents }: PriceProps) {
  const before = priceBeforeSale(listing)
  const percent = discountPercent(listing)
  return (
    <div>
      {name !== null && <p className={classes.label}>{name}</p>}
      <p className={classes.price}>
        {/* The key changes with the price, so that React replaces the element, which restarts the animation. */}
        <span key={cents} className={classes.amount}>
          {formatCents(cents)}
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
 * Returns the label for an auction's planned end, which is `left` ms away. A purchase at the buy-it-now price ends the
 * auction before its planned end.
 */
function endLabel(hasEnded: boolean, left: number): string {
  if (!hasEnded) return 'Ends'
  return left > 0 ? 'Scheduled end' : 'Ended'
}

interface TimesProps {
  listing: ListingDetail
  now: number
  isHighestBidShown: boolean
}

function AuctionTimes({ listing, now, isHighestBidShown }: TimesProps) {
  const left = millisecondsLeft(listing, now)
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
      {isHighestBidShown && listing.current_bid !== null && (
        <div>
          <dt>{bidNames.highest}</dt>
          <dd>{formatCents(listing.current_bid)}</dd>
        </div>
      )}
    </dl>
  )
}

/** Shows the price of an auction: the bid or, if the item was bought with Buy It Now, the price that the buyer paid. */
function AuctionPrice({ listing }: { listing: ListingDetail }) {
  const now = useServerNow(1_000)
  const sale = buyItNowSale(listing, now)
  const name = sale === null ? bidNames[shownBid(listing, now)] : 'Sold for'
  return (
    <>
      <Price listing={listing} name={name} cents={sale ?? shownPrice(listing)} />
      <AuctionTimes listing={listing} now={now} isHighestBidShown={sale !== null} />
    </>
  )
}

export function PriceBlock({ listing }: { listing: ListingDetail }) {
  return (
    <section aria-label="Price" className={classes.block}>
      {listing.is_auction ? (
        <AuctionPrice listing={listing} />
      ) : (
        <Price listing={listing} name={null} cents={listing.price} />
      )}
    </section>
  )
}
