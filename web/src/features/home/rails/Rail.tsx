import type { CardListing } from '../../../api/client/types.ts'
import { ListingShelf } from '../../../ui/listing/ListingShelf.tsx'
import { HomeCard } from '../HomeCard.tsx'
import { Skeleton } from '../../../ui/controls/Skeleton.tsx'
import classes from './Rail.module.css'

/** A gray block in place of a rail (a row of cards) that is loading. */
function RailSkeleton() {
  return (
    <div className={classes.placeholder} aria-hidden="true">
      <Skeleton height={24} width="8rem" />
      <Skeleton className={classes.row} />
    </div>
  )
}

interface Props {
  heading: string
  listings: CardListing[] | null
  limit: number
  /** True for the first row that has cards. The first picture in this row is fetched before all others. */
  isFirst: boolean
}

/**
 * A horizontally scrolling row of up to `limit` cards. Shows a skeleton if `listings` is null. Renders nothing if there
 * are no listings.
 */
export function Rail({ heading, listings, limit, isFirst }: Props) {
  if (listings === null) return <RailSkeleton />
  if (listings.length === 0) return null
  return (
    <ListingShelf heading={heading}>
      {listings.slice(0, limit).map((listing, place) => (
        <li key={listing.id}>
          <HomeCard listing={listing} shown="shelf" isMain={isFirst && place === 0} />
        </li>
      ))}
    </ListingShelf>
  )
}
