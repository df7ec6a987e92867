import type { ListingDetail } from '../../../api/client/types.ts'
import { useServerNow } from '../../../api/clock/use-server-now.ts'
import { millisecondsLeft } from '../../../rules/listing.ts'
import { timeWarning } from '../../../rules/time.ts'
import { VisuallyHidden } from '../../../ui/controls/VisuallyHidden.tsx'

/**
 * Announces to screen readers that 10, 5 or 1 minutes are left and that the auction has ended. The visible countdown is
 * not announced, because it changes every second.
 */
export function TimeAnnouncer({ listing }: { listing: ListingDetail }) {
  const left = millisecondsLeft(listing, useServerNow(1_000))
  return <VisuallyHidden component="output">{timeWarning(listing.is_active ? left : 0)}</VisuallyHidden>
}
