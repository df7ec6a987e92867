import type { ListingSummary } from '../api/client/types.ts'
import { WatchToggle } from './WatchToggle.tsx'
import classes from './WatchToggle.module.css'

/** The watch toggle on the picture of a card. */
export function CardWatchToggle({ listing }: { listing: ListingSummary }) {
  return <WatchToggle listing={listing} className={classes.onPicture} size={40} />
}
