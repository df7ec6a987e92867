import { IconAlertTriangle, IconClock, IconTrophy } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { ownBidQuery } from '../../../api/queries/bids.ts'
import type { ListingDetail } from '../../../api/client/types.ts'
import { bidStatusOf } from '../../../rules/live.ts'
import { formatCents } from '../../../rules/money.ts'
import classes from '../purchase/BuyerActions.module.css'

interface Props {
  listing: ListingDetail
  placing: number | null
}

/**
 * Shows that a bid is being placed, or whether the user leads or was outbid since the page was loaded. Screen readers
 * announce changes.
 */
export function BidStatusMessage({ listing, placing }: Props) {
  const { data: ownBid } = useQuery(ownBidQuery(listing.id))
  const status = bidStatusOf(ownBid ?? undefined, listing.current_bid)
  return (
    <output>
      {placing !== null && (
        <span className={classes.standing}>
          <IconClock size={18} aria-hidden="true" /> Placing your bid of {formatCents(placing)}…
        </span>
      )}
      {placing === null && status === 'leading' && (
        <span className={classes.standing} data-tone="good">
          <IconTrophy size={18} aria-hidden="true" /> You're the highest bidder.
        </span>
      )}
      {placing === null && status === 'outbid' && (
        <span className={classes.standing} data-tone="bad">
          <IconAlertTriangle size={18} aria-hidden="true" /> You've been outbid. The current bid is{' '}
          {formatCents(listing.current_bid ?? 0)}.
        </span>
      )}
    </output>
  )
}
