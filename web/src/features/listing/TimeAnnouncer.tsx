import { VisuallyHidden } from '@mantine/core'
import type { ListingDetail } from '../../api/types.ts'
import { useServerNow } from '../../api/use-server-now.ts'
import { millisecondsLeft } from '../../rules/listing.ts'
import { timeWarning } from '../../rules/time.ts'

/** Tells a screen reader when 10, 5 and 1 minute are left, and the end: not each second. */
export function TimeAnnouncer({ listing }: { listing: ListingDetail }) {
  const left = millisecondsLeft(listing, useServerNow(1_000))
  return <VisuallyHidden component="output">{timeWarning(listing.is_active ? left : 0)}</VisuallyHidden>
}
