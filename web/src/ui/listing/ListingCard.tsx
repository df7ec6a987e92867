import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useServerNow } from '../../api/clock/use-server-now.ts'
import type { CardListing } from '../../api/client/types.ts'
import { bidNames, discountPercent, priceBeforeSale, shownBid, shownPrice } from '../../rules/listing.ts'
import { formatCents } from '../../rules/money.ts'
import { factsOf } from '../../rules/pictures.ts'
import { listedDescription } from '../../rules/text.ts'
import { exactTime } from '../../rules/time.ts'
import { StatusBadge } from '../feedback/StatusBadge.tsx'
import { Countdown } from './Countdown.tsx'
import { Picture } from './Picture.tsx'
import classes from './ListingCard.module.css'

function ShippingFact({ cents }: { cents: number }) {
  return cents === 0 ? <span className={classes.free}>Free shipping</span> : <span>+{formatCents(cents)} shipping</span>
}

function Status({ listing }: { listing: CardListing }) {
  if (listing.is_auction && listing.auction_end_date !== null) return <Countdown endsAt={listing.auction_end_date} />
  return listing.status === 'reserved' && <StatusBadge tone="time">Reserved</StatusBadge>
}

function Discount({ listing }: { listing: CardListing }) {
  const percent = listing.is_auction ? null : discountPercent(listing)
  return percent !== null && <span className={classes.discount}>-{percent}%</span>
}

/** Shows the label of an auction's price, such as "current bid". Updated once a minute. */
function BidName({ listing }: { listing: CardListing }) {
  const bid = shownBid(listing, useServerNow(60_000))
  return <span className={classes.label}>{bidNames[bid].toLowerCase()}</span>
}

/**
 * Returns the exact end of an auction, which the card shows as a tooltip. Returns undefined for a fixed-price listing.
 */
function endOf({ auction_end_date: end }: CardListing): string | undefined {
  return end === null ? undefined : `Ends ${exactTime(new Date(end))}`
}

/**
 * Navigation state that makes the listing page's back link return to the list, with its filters and scroll position.
 */
const fromList = { isFromList: true }

interface Props {
  listing: CardListing
  layout?: 'grid' | 'list'
  badge?: ReactNode
  facts?: ReactNode
  /** A control in the upper corner of the picture. */
  corner?: ReactNode
  isMain?: boolean
  /** Where the card is shown, which determines the width of its picture. */
  shown?: 'card' | 'shelf'
}

/**
 * A card that shows a listing and links to it. `badge` replaces the countdown or status beside the discount, and
 * `facts` replaces the default facts.
 */
export function ListingCard({ listing, layout = 'grid', badge, facts, corner, ...picture }: Props) {
  const before = priceBeforeSale(listing)
  return (
    <article className={classes.card} data-layout={layout}>
      <div className={classes.picture}>
        <Picture src={listing.picture} facts={factsOf(listing.picture_facts)} alt="" {...picture} />
        <div className={classes.badges}>
          {badge ?? <Status listing={listing} />}
          <Discount listing={listing} />
        </div>
      </div>
      <div className={classes.text}>
        <p className={classes.price}>
          {formatCents(shownPrice(listing))}
          {before !== null && <s className={classes.before}>{formatCents(before)}</s>}
          {listing.is_auction && <BidName listing={listing} />}
        </p>
        <h3 dir="auto" className={classes.title}>
          <Link to={`/listing/${listing.id}`} state={fromList} className={classes.link} title={endOf(listing)}>
            {listing.title}
          </Link>
        </h3>
        {layout === 'list' && listing.description !== '' && (
          <p dir="auto" className={classes.description}>
            {listedDescription(listing.description)}
          </p>
        )}
        <p className={classes.facts}>
          {facts ?? <ShippingFact cents={listing.shipping_cost} />}
          {layout === 'list' && listing.location !== '' && <bdi className={classes.location}>{listing.location}</bdi>}
        </p>
      </div>
      {/* The control follows the link, so that the keyboard focus reaches the item before its control. */}
      {corner !== undefined && <div className={classes.corner}>{corner}</div>}
    </article>
  )
}
