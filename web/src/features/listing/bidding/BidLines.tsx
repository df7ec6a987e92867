import type { BidLine } from '../../../api/client/types.ts'
import { formatCents } from '../../../rules/money.ts'
import { dateAndTime } from '../../../rules/time.ts'
import { RelativeTime } from '../../../ui/page/RelativeTime.tsx'
import classes from './BidHistory.module.css'

/** Bids, highest first. The server has masked the bidders' names. */
export function BidLines({ bids }: { bids: BidLine[] }) {
  return (
    <ol>
      {bids.map((bid) => (
        <li key={bid.id} className={classes.bid}>
          <span>{bid.bidder}</span>
          <RelativeTime at={bid.created_at}>{dateAndTime(new Date(bid.created_at))}</RelativeTime>
          <span className={classes.amount}>{formatCents(bid.amount)}</span>
        </li>
      ))}
    </ol>
  )
}
