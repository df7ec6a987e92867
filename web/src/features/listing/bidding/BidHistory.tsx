import { useQuery } from '@tanstack/react-query'
import { bidsQuery } from '../../../api/queries/queries.ts'
import type { ListingDetail } from '../../../api/client/types.ts'
import { formatCents } from '../../../rules/money.ts'
import { dateAndTime } from '../../../rules/time.ts'
import { RelativeTime } from '../../../ui/page/RelativeTime.tsx'
import classes from './BidHistory.module.css'

const maxShown = 5

/** The newest bids; the server masks the bidders' names. The query key contains the bid count, so each bid triggers a fetch. */
export function BidHistory({ listing }: { listing: ListingDetail }) {
  const { data: bids = [] } = useQuery(bidsQuery(listing.id, listing.bid_count))
  if (bids.length === 0) return null
  return (
    <section aria-labelledby="bids" className={classes.history}>
      <h2 id="bids" className={classes.heading}>
        Latest bids
      </h2>
      <ol>
        {bids.slice(0, maxShown).map((bid) => (
          <li key={bid.id} className={classes.bid}>
            <span>{bid.bidder}</span>
            <RelativeTime at={bid.created_at}>{dateAndTime(new Date(bid.created_at))}</RelativeTime>
            <span className={classes.amount}>{formatCents(bid.amount)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
