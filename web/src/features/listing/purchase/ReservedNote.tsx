import type { ListingDetail } from '../../../api/client/types.ts'
import { dateAndTime } from '../../../rules/time.ts'
import { RelativeTime } from '../../../ui/page/RelativeTime.tsx'
import classes from './BuyerActions.module.css'

/** Tells buyers that another buyer has a fixed-price item on hold. */
export function ReservedNote({ listing }: { listing: ListingDetail }) {
  const { status, reserved_until: until, is_held_by_you: isHeldByYou } = listing
  if (status !== 'reserved' || listing.is_auction || isHeldByYou) return null
  return (
    <p className={classes.note}>
      {until === null ? (
        "Another buyer is checking out. If they don't pay, this item will be available again within 10 minutes."
      ) : (
        <>
          Reserved until <RelativeTime at={until}>{dateAndTime(new Date(until))}</RelativeTime> while a buyer pays.
        </>
      )}
    </p>
  )
}
