import type { CardListing } from '../../../api/client/types.ts'
import { ListingShelf } from '../../../ui/listing/ListingShelf.tsx'
import { HomeCard } from '../HomeCard.tsx'
import { Skeleton } from '../../../ui/controls/Skeleton.tsx'
import classes from './Rail.module.css'

/**
 * Placeholder of a rail (a row of cards) while it loads. It is one gray block. Skeleton cards are shown only by the list of
 * listings below the rails.
 */
function RailSkeleton() {
  return (
    <div className={classes.placeholder} aria-hidden="true">
      <Skeleton height={20} width="8rem" />
      <Skeleton className={classes.row} />
    </div>
  )
}

interface Props {
  heading: string
  listings: CardListing[] | null
  limit: number
}

/**
 * A horizontally scrolling row of up to `limit` cards. Shows a skeleton while `listings` is null, and nothing if there are no
 * listings.
 */
export function Rail({ heading, listings, limit }: Props) {
  if (listings === null) return <RailSkeleton />
  if (listings.length === 0) return null
  return (
    <ListingShelf heading={heading}>
      {listings.slice(0, limit).map((listing) => (
        <li key={listing.id}>
          <HomeCard listing={listing} />
        </li>
      ))}
    </ListingShelf>
  )
}
