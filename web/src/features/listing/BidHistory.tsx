import { useQuery } from '@tanstack/react-query'
import { bidsQuery } from '../../api/queries.ts'
import type { ListingDetail } from '../../api/types.ts'
import { formatCents } from '../../rules/money.ts'
import { dateAndTime } from '../../rules/time.ts'
import { Moment } from '../../ui/Moment.tsx'
import classes from './BidHistory.module.css'

const mostShown = 5

/** The newest bids, bidders masked by the server. The listing's bid count in the key has it fetched again after each bid. */
export function BidHistory({ listing }: { listing: ListingDetail }) {
  const { data: bids = [] } = useQuery(bidsQuery(listing.id, listing.bid_count))
  if (bids.length === 0) return null
  return (
    <section aria-labelledby="bids" className={classes.history}>
      <h2 id="bids" className={classes.heading}>
        Latest bids
      </h2>
      <ol>
        {bids.slice(0, mostShown).map((bid) => (
          <li key={bid.id} className={classes.bid}>
            <span>{bid.bidder}</span>
            <Moment at={bid.created_at}>{dateAndTime(new Date(bid.created_at))}</Moment>
            <span className={classes.amount}>{formatCents(bid.amount)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
