import { IconAlertTriangle, IconClock, IconTrophy } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { ownBidQuery } from '../../api/queries.ts'
import type { ListingDetail } from '../../api/types.ts'
import { standingOf } from '../../rules/live.ts'
import { formatCents } from '../../rules/money.ts'
import classes from './BuyerActions.module.css'

type Props = { listing: ListingDetail; placing: number | null }

/** Leading or outbid, for who bid since the page was loaded, and a bid on its way. Spoken when it changes. */
export function BidStanding({ listing, placing }: Props) {
  const { data: ownBid } = useQuery(ownBidQuery(listing.id))
  const standing = standingOf(ownBid ?? undefined, listing.current_bid)
  return (
    <output>
      {placing !== null && (
        <span className={classes.standing}>
          <IconClock size={18} aria-hidden="true" /> Placing your bid of {formatCents(placing)}…
        </span>
      )}
      {placing === null && standing === 'leading' && (
        <span className={classes.standing} data-tone="good">
          <IconTrophy size={18} aria-hidden="true" /> You are the highest bidder.
        </span>
      )}
      {placing === null && standing === 'outbid' && (
        <span className={classes.standing} data-tone="bad">
          <IconAlertTriangle size={18} aria-hidden="true" /> You have been outbid at{' '}
          {formatCents(listing.current_bid ?? 0)}.
        </span>
      )}
    </output>
  )
}
