import type { Listing } from '../api/types.ts'
import { WatchButton } from './WatchButton.tsx'
import classes from './WatchButton.module.css'

/** The heart as it lies on a card's picture. */
export function CardHeart({ listing }: { listing: Listing }) {
  return <WatchButton listing={listing} className={classes.onPicture} size={40} />
}
