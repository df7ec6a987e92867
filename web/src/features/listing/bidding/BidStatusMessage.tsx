import { IconAlertTriangle, IconClock, IconTrophy } from '@tabler/icons-react'
import type { ListingDetail } from '../../../api/client/types.ts'
import { formatCents } from '../../../rules/money.ts'
import classes from '../purchase/BuyerActions.module.css'
import { useAuction } from './use-auction.ts'

interface Props {
  listing: ListingDetail
  placing: number | null
}

/** Shows, and announces to screen readers, whether the user's bid is being placed, leads or was outbid. */
export function BidStatusMessage({ listing, placing }: Props) {
  const auction = useAuction(listing, { isOver: false, isEnabled: true })
  const status = auction?.you?.standing
  const currentBid = Math.max(listing.current_bid ?? 0, auction?.current_bid ?? 0)
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
          {formatCents(currentBid)}.
        </span>
      )}
    </output>
  )
}
